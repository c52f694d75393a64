// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/texts.c: text and bytes. */
#include <string.h>

#include "base/escape.h"
#include "field/field_text.h"
#include "field/fields.h"

/* ---- text ------------------------------------------------------------------------------------ */

/* Empty strings, blanks and quotes need quotes; `among` other values also brackets. */
static bool is_ambiguous(const char *text, size_t bytes, bool among)
{
	for (size_t i = 0; i < bytes; i++) {
		char c = text[i];

		if (c == ' ' || c == '"')
			return true;
		if (among && (c == '{' || c == '}' || c == '[' || c == ']'))
			return true;
	}
	return !bytes;
}

static void append_maybe_quoted(struct strbuf *out, const char *text, size_t bytes, bool quoted)
{
	if (quoted)
		strbuf__char(out, '"');
	escape__text(out, text, bytes, quoted ? '"' : 0);
	if (quoted)
		strbuf__char(out, '"');
}

void field_text__append_string(struct strbuf *out, const char *text, size_t bytes)
{
	bool missing = bytes == 1 && *text == '-';

	append_maybe_quoted(out, text, bytes, missing || is_ambiguous(text, bytes, true));
}

/* Like arguments of a shell; quoted: each like field_text__append_string(). */
static void append_strings(struct strbuf *out, const void *bytes, uint32_t count,
			   struct field_style style)
{
	const char *text = bytes;

	if (style.quoted)
		strbuf__char(out, '[');
	for (uint32_t at = 0; at < count;) {
		size_t length = strnlen(text + at, count - at);

		if (at)
			strbuf__char(out, ' ');
		if (style.quoted)
			field_text__append_string(out, text + at, length);
		else
			append_maybe_quoted(out, text + at, length,
					    is_ambiguous(text + at, length, false));
		at += (uint32_t)length + 1;
	}
	if (style.quoted)
		strbuf__char(out, ']');
}

static void append_chars(struct strbuf *out, const void *text, uint32_t bytes,
			 struct field_style style)
{
	if (style.quoted)
		field_text__append_string(out, text, bytes);
	else
		escape__text(out, text, bytes, 0);
}

/* One string, or several as if the field were of the kind STRINGS. */
static void append_text(struct strbuf *out, const void *text, uint32_t bytes,
			struct field_style style)
{
	if (strnlen(text, bytes) < bytes)
		append_strings(out, text, bytes, style);
	else
		append_chars(out, text, bytes, style);
}

/* ---- widths ---------------------------------------------------------------------------------- */

static uint32_t measure_text(const struct peat_field *field)
{
	return field->bytes ? field_type__min_width(field->bytes - 1, FIELD_TEXT_WIDTH)
			    : FIELD_TEXT_WIDTH;
}

static uint32_t measure_bytes(const struct peat_field *field)
{
	return field->bytes ? field_type__min_width(2 * field->bytes, FIELD_TEXT_WIDTH)
			    : FIELD_TEXT_WIDTH;
}

/* ---- rows ------------------------------------------------------------------------------------ */

const struct field_type field_type__string = {
	.kind = PEAT_FIELD_STRING,
	.tag = "string",
	.word = "text",
	.class = PEAT_CLASS_TEXT,
	.strings = FIELD_ONE_STRING,
	.measure = measure_text,
	.text = append_text,
};

const struct field_type field_type__strings = {
	.kind = PEAT_FIELD_STRINGS,
	.tag = "strings",
	.word = "texts",
	.class = PEAT_CLASS_TEXT,
	.strings = FIELD_STRINGS,
	.width = FIELD_TEXT_WIDTH,
	.text = append_strings,
};

const struct field_type field_type__chars = {
	.kind = PEAT_FIELD_CHARS,
	.tag = "chars",
	.word = "text, bytes",
	.class = PEAT_CLASS_TEXT,
	.strings = FIELD_ALL_BYTES,
	.measure = measure_text,
	.text = append_chars,
};

const struct field_type field_type__bytes = {
	.kind = PEAT_FIELD_BYTES,
	.tag = "bytes",
	.word = "bytes",
	.form = "bytes in hexadecimal",
	.class = PEAT_CLASS_BYTES,
	.measure = measure_bytes,
};
