// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/emit.c: JSON, pairs and lines. */
#include <stdio.h>
#include <time.h>

#include "base/emit.h"
#include "base/escape.h"
#include "base/json_value.h"

#define FULL_BYTES (64u << 10)
#define NS_PER_SEC UINT64_C(1000000000)

/* ---- values as text -------------------------------------------------------------------------- */

static const char *name_of_number(const struct emit_name *names, uint64_t number)
{
	for (; names && names->name; names++)
		if (names->value == number)
			return names->name;
	return NULL;
}

static void append_named(struct strbuf *out, const struct emit_value *value)
{
	const char *name = name_of_number(value->names, value->number);

	if (name)
		strbuf__text(out, name);
	else
		strbuf__unsigned(out, value->number);
}

/* Bits without a name are not dropped. */
void emit__write_flags(struct strbuf *out, const struct emit_value *value)
{
	uint64_t left = value->number;
	const char *before = "";

	for (const struct emit_name *flag = value->names; flag && flag->name; flag++) {
		if (!(value->number & flag->value))
			continue;
		strbuf__text(out, before);
		strbuf__text(out, flag->name);
		left &= ~flag->value;
		before = "|";
	}
	if (!left && value->number)
		return;
	strbuf__text(out, before);
	if (left)
		strbuf__hex(out, left);
	else
		strbuf__char(out, '0');
}

static void append_milliseconds(struct strbuf *out, uint64_t ns)
{
	char text[48];

	snprintf(text, sizeof(text), "%.3f", (double)ns / 1e6);
	strbuf__text(out, text);
}

static void append_date(struct strbuf *out, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_SEC);
	char date[64];
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || !strftime(date, sizeof(date), "%F %T", &tm)) {
		strbuf__seconds(out, ns, 6);
		return;
	}
	strbuf__text(out, date);
	strbuf__char(out, '.');
	strbuf__padded(out, ns % NS_PER_SEC / 1000, 6);
}

/* Returns the columns of EMIT_TEXT, the bytes of other kinds. */
static size_t append_text(struct strbuf *out, const struct emit_value *value)
{
	size_t before = out->count;

	switch (value->kind) {
	case EMIT_UNSIGNED:
		strbuf__unsigned(out, value->number);
		break;
	case EMIT_SIGNED:
		strbuf__signed(out, (int64_t)value->number);
		break;
	case EMIT_HEX:
		strbuf__hex(out, value->number);
		break;
	case EMIT_BOOL:
		strbuf__text(out, value->number ? "true" : "false");
		break;
	case EMIT_NAMED:
	case EMIT_NAME:
		append_named(out, value);
		break;
	case EMIT_FLAGS:
		emit__write_flags(out, value);
		break;
	case EMIT_TEXT:
		return escape__text(out, value->bytes, value->count, value->quote);
	case EMIT_BYTES:
		strbuf__hex_bytes(out, value->bytes, value->count);
		break;
	case EMIT_SECONDS:
		strbuf__seconds(out, value->number, value->count == 9 ? 9 : 6);
		break;
	case EMIT_MILLISECONDS:
		append_milliseconds(out, value->number);
		break;
	case EMIT_DATE:
		append_date(out, value->number);
		break;
	case EMIT_WRITTEN:
	case EMIT_AS_IS:
		value->write(out, value);
		break;
	}
	return out->count - before;
}

/* An emit inside the outermost object, after other members. */
static struct emit amid_members(struct emit emit)
{
	emit.depth = 1;
	emit.more = true;
	return emit;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_key(struct emit *emit, const char *name)
{
	if (emit->more)
		strbuf__char(emit->out, ',');
	emit->more = true;
	if (!name)
		return;
	json_value__name(emit->out, name);
	strbuf__char(emit->out, ':');
}

static void json_begin(struct emit *emit, const char *name, bool array)
{
	json_key(emit, name);
	strbuf__char(emit->out, array ? '[' : '{');
	emit->more = false;
}

static void json_end(struct emit *emit, bool array)
{
	strbuf__char(emit->out, array ? ']' : '}');
	emit->more = emit->depth != 0;
}

static void json_value(struct emit *emit, const char *name, const struct emit_value *value)
{
	const char *number_name;

	json_key(emit, name);
	switch (value->kind) {
	case EMIT_TEXT:
		json_value__string(emit->out, value->bytes, value->count);
		break;
	case EMIT_BYTES:
		json_value__hex(emit->out, value->bytes, value->count);
		break;
	case EMIT_WRITTEN:
		strbuf__char(emit->out, '"');
		value->write(emit->out, value);
		strbuf__char(emit->out, '"');
		break;
	case EMIT_NAME:
		number_name = name_of_number(value->names, value->number);
		if (number_name)
			json_value__string(emit->out, number_name, strlen(number_name));
		else
			strbuf__unsigned(emit->out, value->number);
		break;
	case EMIT_SIGNED:
	case EMIT_BOOL:
	case EMIT_AS_IS:
		append_text(emit->out, value);
		break;
	default:
		strbuf__unsigned(emit->out, value->number);
	}
}

struct emit emit__json(struct strbuf *out)
{
	static const struct emit_ops ops = {
		.begin = json_begin,
		.end = json_end,
		.value = json_value,
	};

	return (struct emit){ .ops = &ops, .out = out };
}

struct emit emit__json_members(struct strbuf *out)
{
	return amid_members(emit__json(out));
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void pairs_key(struct emit *emit, const char *name)
{
	if (emit->more)
		strbuf__char(emit->out, ' ');
	emit->more = true;
	if (!name)
		return;
	strbuf__text(emit->out, name);
	strbuf__char(emit->out, '=');
}

static void pairs_begin(struct emit *emit, const char *name, bool array)
{
	if (!emit->depth)
		return;
	pairs_key(emit, name);
	strbuf__char(emit->out, array ? '[' : '{');
	emit->more = false;
}

static void pairs_end(struct emit *emit, bool array)
{
	if (emit->depth)
		strbuf__char(emit->out, array ? ']' : '}');
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
		strbuf__unsigned(emit->out, value->number);
		return;
	}
	if (value->kind != EMIT_TEXT || !needs_quotes(value->bytes, value->count)) {
		append_text(emit->out, value);
		return;
	}
	quoted.quote = '"';
	strbuf__char(emit->out, '"');
	append_text(emit->out, &quoted);
	strbuf__char(emit->out, '"');
}

struct emit emit__pairs(struct strbuf *out)
{
	static const struct emit_ops ops = {
		.begin = pairs_begin,
		.end = pairs_end,
		.value = pairs_value,
	};

	return (struct emit){ .ops = &ops, .out = out };
}

struct emit emit__pairs_members(struct strbuf *out)
{
	return amid_members(emit__pairs(out));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void lines_say(struct emit *emit, const char *text)
{
	size_t bytes = strlen(text);

	if (!bytes)
		return;
	strbuf__bytes(emit->out, text, bytes);
	emit->more = text[bytes - 1] != '\n';
}

static void lines_show(struct emit *emit, const struct emit_value *value)
{
	struct strbuf *out = emit->out;
	size_t start = out->count, columns = append_text(out, value), bytes = out->count - start;
	size_t wanted = (size_t)(value->width < 0 ? -value->width : value->width);
	size_t missing = wanted > columns ? wanted - columns : 0;

	emit->more = true;
	strbuf__fill(out, ' ', missing);
	if (value->width <= 0 || !missing || out->failed)
		return;
	memmove(out->bytes + start + missing, out->bytes + start, bytes);
	memset(out->bytes + start, ' ', missing);
}

struct emit emit__lines(struct strbuf *out)
{
	static const struct emit_ops ops = { .say = lines_say, .show = lines_show };

	return (struct emit){ .ops = &ops, .out = out };
}

/* ---- data and text --------------------------------------------------------------------------- */

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
	struct emit_value value = { .kind = EMIT_NAME, .number = number, .names = names };

	emit__value(emit, name, &value);
}

void emit__print(struct emit *emit, const char *text)
{
	if (emit->ops->say)
		emit->ops->say(emit, text);
}

void emit__print_value(struct emit *emit, const struct emit_value *value)
{
	if (!emit->ops->show)
		return;
	emit->ops->show(emit, value);
	drain(emit);
}

void emit__print_unsigned(struct emit *emit, uint64_t number)
{
	struct emit_value value = { .number = number };

	emit__print_value(emit, &value);
}

void emit__print_filled(struct emit *emit, const char *text, const struct emit_value *values)
{
	char piece[2] = "";

	if (!emit->ops->say)
		return;
	for (; *text; text++) {
		if (*text == '$' && text[1] >= '0' && text[1] <= '9') {
			emit__print_value(emit, &values[*++text - '0']);
			continue;
		}
		piece[0] = *text;
		emit__print(emit, piece);
	}
}
