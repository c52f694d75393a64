// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/names.c: writes names of metrics, and labels. */
#include <ctype.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "prometheus/names.h"

const char *names__unit(const char *unit)
{
	if (!unit || !*unit || *unit == '{' || !strcmp(unit, "1"))
		return NULL;
	if (!strcmp(unit, "ns") || !strcmp(unit, "s"))
		return "seconds";
	return !strcmp(unit, "By") ? "bytes" : unit;
}

/* Only letters, digits and _, and no digit at the beginning. */
static void append_name(struct strbuf *out, const char *name)
{
	if (!*name || isdigit((unsigned char)*name))
		strbuf__char(out, '_');
	for (; *name; name++)
		strbuf__char(out, isascii(*name) && isalnum((unsigned char)*name) ? *name : '_');
}

/* Removes "_SUFFIX" from the end of the name that begins at byte `from`. */
static void cut_suffix(struct strbuf *out, size_t from, const char *suffix)
{
	size_t bytes = strlen(suffix);

	if (!out->failed && out->count - from > bytes + 1 &&
	    out->bytes[out->count - bytes - 1] == '_' &&
	    !memcmp(out->bytes + out->count - bytes, suffix, bytes))
		strbuf__cut(out, out->count - bytes - 1);
}

void names__metric(struct strbuf *out, const struct peat_point *point)
{
	const char *unit = names__unit(point->unit);
	struct strbuf suffix = { 0 };
	size_t from = out->count;

	append_name(out, point->name);
	if (point->kind == PEAT_POINT_COUNTER)
		cut_suffix(out, from, "total");
	if (!unit)
		return;
	append_name(&suffix, unit);
	strbuf__char(&suffix, 0);
	if (suffix.failed) {
		out->failed = true;
	} else {
		cut_suffix(out, from, suffix.bytes);
		strbuf__char(out, '_');
		strbuf__text(out, suffix.bytes);
	}
	strbuf__free(&suffix);
}

void names__escape(struct strbuf *out, const char *text, char quote)
{
	const char special[] = { '\\', '\n', quote, 0 };
	size_t plain;

	while (*text) {
		plain = strcspn(text, special);
		escape__utf8(out, text, plain);
		text += plain;
		if (!*text)
			break;
		strbuf__char(out, '\\');
		strbuf__char(out, *text == '\n' ? 'n' : *text);
		text++;
	}
}

/* Whether the list of names, each with its NUL, has this one. */
static bool is_used(const struct strbuf *used, size_t before, const char *name)
{
	for (const char *at = used->bytes; at < used->bytes + before; at += strlen(at) + 1)
		if (!strcmp(at, name))
			return true;
	return false;
}

/*
 * Appends the name of a label to `used`, and returns its offset there.  Prometheus reserves names
 * that begin with __, and "le" for buckets.
 */
static size_t add_label_name(struct strbuf *used, const char *name)
{
	size_t at = used->count;

	if (begins_with(name, "__"))
		strbuf__text(used, "label");
	append_name(used, name);
	if (!strcmp(name, "le"))
		strbuf__char(used, '_');
	strbuf__char(used, 0);
	while (!used->failed && is_used(used, at, used->bytes + at)) {
		strbuf__cut(used, used->count - 1);
		strbuf__bytes(used, "_", 2);
	}
	return at;
}

void names__labels(struct strbuf *out, struct strbuf *used, const struct peat_point *point,
		   bool is_other)
{
	size_t name;

	strbuf__cut(used, 0);
	for (uint32_t i = 0; i < point->label_count; i++) {
		name = add_label_name(used, point->labels[i].name);
		if (used->failed) {
			out->failed = true;
			return;
		}
		strbuf__text(out, i ? "," : "");
		strbuf__text(out, used->bytes + name);
		strbuf__text(out, "=\"");
		names__escape(out, is_other ? "other" : point->labels[i].value, '"');
		strbuf__char(out, '"');
	}
}
