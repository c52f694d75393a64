// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* emit.c: the ways to write what a parser tells: JSON, pairs, lines. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/emit.h"
#include "base/escape.h"

#define FULL_BYTES (64u << 10)
#define NS_PER_SEC UINT64_C(1000000000)

/* ---- values as text -------------------------------------------------------------------------- */

/* As short as gives the same number again; JSON and C have the same form of it. */
static void append_real(struct out *out, double real)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, real);
		if (strtod(text, NULL) == real)
			break;
	}
	out__text(out, text);
}

static const char *name_of(const struct emit_name *names, uint64_t number)
{
	for (; names && names->name; names++)
		if (names->value == number)
			return names->name;
	return NULL;
}

static void append_named(struct out *out, const struct emit_value *value)
{
	const char *name = name_of(value->names, value->number);

	if (name)
		out__text(out, name);
	else
		out__unsigned(out, value->number);
}

/* Bits without a name are not dropped. */
void emit__write_flags(struct out *out, const struct emit_value *value)
{
	uint64_t left = value->number;
	const char *before = "";

	for (const struct emit_name *flag = value->names; flag && flag->name; flag++) {
		if (!(value->number & flag->value))
			continue;
		out__text(out, before);
		out__text(out, flag->name);
		left &= ~flag->value;
		before = "|";
	}
	if (!left && value->number)
		return;
	out__text(out, before);
	if (left)
		out__hex(out, left);
	else
		out__char(out, '0');
}

static void append_seconds(struct out *out, uint64_t ns, size_t digits)
{
	char text[48];

	if (digits == 9)
		snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64, ns / NS_PER_SEC,
			 ns % NS_PER_SEC);
	else
		snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, ns / NS_PER_SEC,
			 ns % NS_PER_SEC / 1000);
	out__text(out, text);
}

static void append_milliseconds(struct out *out, uint64_t ns)
{
	char text[48];

	snprintf(text, sizeof(text), "%.3f", (double)ns / 1e6);
	out__text(out, text);
}

static void append_date(struct out *out, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_SEC);
	char date[64], text[96];
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%F %T", &tm)) {
		append_seconds(out, ns, 6);
		return;
	}
	snprintf(text, sizeof(text), "%s.%06" PRIu64, date, ns % NS_PER_SEC / 1000);
	out__text(out, text);
}

/* Returns how many columns text takes; what else there is has no width. */
static size_t append_text(struct out *out, const struct emit_value *value)
{
	size_t before = out->count;

	switch (value->kind) {
	case EMIT_UNSIGNED:
		out__unsigned(out, value->number);
		break;
	case EMIT_SIGNED:
		out__signed(out, (int64_t)value->number);
		break;
	case EMIT_HEX:
		out__hex(out, value->number);
		break;
	case EMIT_BOOL:
		out__text(out, value->number ? "true" : "false");
		break;
	case EMIT_REAL:
		append_real(out, value->real);
		break;
	case EMIT_NAMED:
		append_named(out, value);
		break;
	case EMIT_FLAGS:
		emit__write_flags(out, value);
		break;
	case EMIT_TEXT:
		return escape__text(out, value->bytes, value->count, value->quote);
	case EMIT_BYTES:
		out__hex_bytes(out, value->bytes, value->count);
		break;
	case EMIT_SECONDS:
		append_seconds(out, value->number, value->count);
		break;
	case EMIT_MILLISECONDS:
		append_milliseconds(out, value->number);
		break;
	case EMIT_DATE:
		append_date(out, value->number);
		break;
	case EMIT_WRITTEN:
		value->write(out, value);
		break;
	}
	return out->count - before;
}

/* ---- names of members ------------------------------------------------------------------------ */

static bool is_reserved(const struct emit *emit, const char *name)
{
	if (!emit->reserved || emit->depth != 1)
		return false;
	for (const char *const *taken = emit->reserved; *taken; taken++)
		if (!strcmp(*taken, name))
			return true;
	return false;
}

/* An emit that is inside the outermost object, behind other members. */
static struct emit amid_members(struct emit emit)
{
	emit.depth = 1;
	emit.more = true;
	return emit;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void append_string(struct out *out, const void *text, size_t bytes)
{
	if (escape__json(out, text, bytes))
		return;
	out__text(out, "{\"hex\":\"");
	out__hex_bytes(out, text, bytes);
	out__text(out, "\"}");
}

static void json_key(struct emit *emit, const char *name)
{
	if (emit->more)
		out__char(emit->out, ',');
	emit->more = true;
	if (!name)
		return;
	if (is_reserved(emit, name)) {
		out__char(emit->out, '"');
		out__text(emit->out, name);
		out__text(emit->out, "_\"");
	} else {
		append_string(emit->out, name, strlen(name));
	}
	out__char(emit->out, ':');
}

static void json_begin(struct emit *emit, const char *name, bool array)
{
	json_key(emit, name);
	out__char(emit->out, array ? '[' : '{');
	emit->more = false;
}

static void json_end(struct emit *emit, bool array)
{
	out__char(emit->out, array ? ']' : '}');
	emit->more = emit->depth != 0;
}

static void json_value(struct emit *emit, const char *name, const struct emit_value *value)
{
	json_key(emit, name);
	switch (value->kind) {
	case EMIT_TEXT:
		append_string(emit->out, value->bytes, value->count);
		break;
	case EMIT_BYTES:
		out__char(emit->out, '"');
		out__hex_bytes(emit->out, value->bytes, value->count);
		out__char(emit->out, '"');
		break;
	case EMIT_WRITTEN:
		out__char(emit->out, '"');
		value->write(emit->out, value);
		out__char(emit->out, '"');
		break;
	case EMIT_REAL:
		if (isfinite(value->real))
			append_real(emit->out, value->real);
		else
			out__text(emit->out, "null");
		break;
	case EMIT_SIGNED:
	case EMIT_BOOL:
		append_text(emit->out, value);
		break;
	default:
		out__unsigned(emit->out, value->number);
	}
}

struct emit emit__json(struct out *out)
{
	static const struct emit_ops ops = {
		.begin = json_begin,
		.end = json_end,
		.value = json_value,
	};

	return (struct emit){ .ops = &ops, .out = out };
}

struct emit emit__json_members(struct out *out)
{
	return amid_members(emit__json(out));
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void pairs_key(struct emit *emit, const char *name)
{
	if (emit->more)
		out__char(emit->out, ' ');
	emit->more = true;
	if (!name)
		return;
	out__text(emit->out, name);
	out__text(emit->out, is_reserved(emit, name) ? "_=" : "=");
}

static void pairs_begin(struct emit *emit, const char *name, bool array)
{
	if (!emit->depth)
		return;
	pairs_key(emit, name);
	out__char(emit->out, array ? '[' : '{');
	emit->more = false;
}

static void pairs_end(struct emit *emit, bool array)
{
	if (emit->depth)
		out__char(emit->out, array ? ']' : '}');
	emit->more = emit->depth != 0;
}

static bool needs_quotes(const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (strchr(" \"=[]{}", text[i]))
			return true;
	return bytes == 0;
}

/* Members of pairs have their unit in their names. */
static bool is_time(enum emit_kind kind)
{
	return kind == EMIT_SECONDS || kind == EMIT_MILLISECONDS || kind == EMIT_DATE;
}

static void pairs_value(struct emit *emit, const char *name, const struct emit_value *value)
{
	struct emit_value quoted = *value;

	pairs_key(emit, name);
	if (is_time(value->kind)) {
		out__unsigned(emit->out, value->number);
		return;
	}
	if (value->kind != EMIT_TEXT || !needs_quotes(value->bytes, value->count)) {
		append_text(emit->out, value);
		return;
	}
	quoted.quote = '"';
	out__char(emit->out, '"');
	append_text(emit->out, &quoted);
	out__char(emit->out, '"');
}

struct emit emit__pairs(struct out *out)
{
	static const struct emit_ops ops = {
		.begin = pairs_begin,
		.end = pairs_end,
		.value = pairs_value,
	};

	return (struct emit){ .ops = &ops, .out = out };
}

struct emit emit__pairs_members(struct out *out)
{
	return amid_members(emit__pairs(out));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void lines_say(struct emit *emit, const char *text)
{
	size_t bytes = strlen(text);

	if (!bytes)
		return;
	out__bytes(emit->out, text, bytes);
	emit->more = text[bytes - 1] != '\n';
}

static void lines_show(struct emit *emit, const struct emit_value *value)
{
	struct out *out = emit->out;
	size_t start = out->count, columns = append_text(out, value), bytes = out->count - start;
	size_t wanted = (size_t)(value->width < 0 ? -value->width : value->width);
	size_t missing = wanted > columns ? wanted - columns : 0;

	emit->more = true;
	out__fill(out, ' ', missing);
	if (value->width <= 0 || !missing || out->failed)
		return;
	memmove(out->bytes + start + missing, out->bytes + start, bytes);
	memset(out->bytes + start, ' ', missing);
}

struct emit emit__lines(struct out *out)
{
	static const struct emit_ops ops = { .say = lines_say, .show = lines_show };

	return (struct emit){ .ops = &ops, .out = out };
}

/* ---- for who tells --------------------------------------------------------------------------- */

void emit__begin(struct emit *emit, const char *name, bool array)
{
	if (emit->ops->begin)
		emit->ops->begin(emit, name, array);
	emit->depth++;
}

void emit__end(struct emit *emit, bool array)
{
	emit->depth--;
	if (emit->ops->end)
		emit->ops->end(emit, array);
}

static void drain(struct emit *emit)
{
	if (emit->full && emit->out->count >= FULL_BYTES)
		emit->full(emit);
}

void emit__value(struct emit *emit, const char *name, const struct emit_value *value)
{
	if (!emit->ops->value)
		return;
	emit->ops->value(emit, name, value);
	drain(emit);
}

static void emit_number(struct emit *emit, const char *name, enum emit_kind kind, uint64_t number)
{
	struct emit_value value = { .kind = kind, .number = number };

	emit__value(emit, name, &value);
}

void emit__unsigned(struct emit *emit, const char *name, uint64_t number)
{
	emit_number(emit, name, EMIT_UNSIGNED, number);
}

void emit__signed(struct emit *emit, const char *name, int64_t number)
{
	emit_number(emit, name, EMIT_SIGNED, (uint64_t)number);
}

void emit__hex(struct emit *emit, const char *name, uint64_t number)
{
	emit_number(emit, name, EMIT_HEX, number);
}

void emit__bool(struct emit *emit, const char *name, bool value)
{
	emit_number(emit, name, EMIT_BOOL, value);
}

void emit__text(struct emit *emit, const char *name, const char *text)
{
	struct emit_value value = { .kind = EMIT_TEXT, .bytes = text, .count = strlen(text) };

	emit__value(emit, name, &value);
}

void emit__bytes(struct emit *emit, const char *name, const void *bytes, size_t count)
{
	struct emit_value value = { .kind = EMIT_BYTES, .bytes = bytes, .count = count };

	emit__value(emit, name, &value);
}

void emit__named(struct emit *emit, const char *name, uint64_t number,
		 const struct emit_name *names)
{
	const char *text = name_of(names, number);

	if (text)
		emit__text(emit, name, text);
	else
		emit__unsigned(emit, name, number);
}

void emit__say(struct emit *emit, const char *text)
{
	if (emit->ops->say)
		emit->ops->say(emit, text);
}

void emit__show(struct emit *emit, const struct emit_value *value)
{
	if (!emit->ops->show)
		return;
	emit->ops->show(emit, value);
	drain(emit);
}

void emit__show_unsigned(struct emit *emit, uint64_t number)
{
	struct emit_value value = { .number = number };

	emit__show(emit, &value);
}

void emit__fill_in(struct emit *emit, const char *text, const struct emit_value *values)
{
	char piece[2] = "";

	if (!emit->ops->say)
		return;
	for (; *text; text++) {
		if (*text == '$' && text[1] >= '0' && text[1] <= '9') {
			emit__show(emit, &values[*++text - '0']);
			continue;
		}
		piece[0] = *text;
		emit__say(emit, piece);
	}
}
