// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracepoint/format_type.c: parses the C declarations that formats contain. */
#include <string.h>

#include "tracepoint/format_type.h"

struct span {
	const char *at, *end;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span trim_blanks(struct span span)
{
	while (span.at < span.end && is_blank(*span.at))
		span.at++;
	while (span.at < span.end && is_blank(span.end[-1]))
		span.end--;
	return span;
}

static bool is_type_word(struct span span, const char *word)
{
	size_t bytes = strlen(word);

	return (size_t)(span.end - span.at) == bytes && !memcmp(span.at, word, bytes);
}

/* Skips a word at the start that is followed by a blank. */
static bool skip_word(struct span *span, const char *word)
{
	size_t bytes = strlen(word);

	if ((size_t)(span->end - span->at) <= bytes || memcmp(span->at, word, bytes) ||
	    !is_blank(span->at[bytes]))
		return false;
	span->at += bytes;
	*span = trim_blanks(*span);
	return true;
}

/* ---- type names ------------------------------------------------------------------------------ */

#define A_LONG 0 /* 4 or 8, depending on the kernel */

static const struct {
	const char *name;
	uint8_t each;
	enum trace_class class;
	bool is_signed;
} types[] = {
	{ "char", 1, TRACE_TEXT, false },
	{ "signed char", 1, TRACE_NUMBER, true },
	{ "unsigned char", 1, TRACE_NUMBER, false },
	{ "bool", 1, TRACE_BOOL, false },
	{ "_Bool", 1, TRACE_BOOL, false },
	{ "short", 2, TRACE_NUMBER, true },
	{ "unsigned short", 2, TRACE_NUMBER, false },
	{ "int", 4, TRACE_NUMBER, true },
	{ "unsigned", 4, TRACE_NUMBER, false },
	{ "unsigned int", 4, TRACE_NUMBER, false },
	{ "pid_t", 4, TRACE_NUMBER, true },
	{ "long", A_LONG, TRACE_NUMBER, true },
	{ "unsigned long", A_LONG, TRACE_NUMBER, false },
	{ "size_t", A_LONG, TRACE_NUMBER, false },
	{ "ssize_t", A_LONG, TRACE_NUMBER, true },
	{ "long long", 8, TRACE_NUMBER, true },
	{ "unsigned long long", 8, TRACE_NUMBER, false },
	{ "cpumask_t", A_LONG, TRACE_HEX, false },
	{ "__be16", 2, TRACE_NETWORK, false },
	{ "__be32", 4, TRACE_NETWORK, false },
	{ "__be64", 8, TRACE_NETWORK, false },
};

/* "8", "16", "32" or "64", followed by `suffix`: returns its bytes, else 0. */
static uint32_t bytes_of_bits(struct span bits, const char *suffix)
{
	static const char *const numbers[] = { "8", "16", "32", "64" };

	for (uint32_t i = 0; i < 4; i++) {
		size_t bytes = strlen(numbers[i]);

		if ((size_t)(bits.end - bits.at) >= bytes && !memcmp(bits.at, numbers[i], bytes) &&
		    is_type_word((struct span){ bits.at + bytes, bits.end }, suffix))
			return 1U << i;
	}
	return 0;
}

/* u8, __s16, uint32_t, int64_t */
static uint32_t sized_type(struct span name, bool *is_signed)
{
	const char *suffix = "";

	if (name.end - name.at > 2 && !memcmp(name.at, "__", 2))
		name.at += 2;
	*is_signed = name.at < name.end && *name.at != 'u';
	if (name.at < name.end && (*name.at == 'u' || *name.at == 's'))
		name.at++;
	else if (name.at == name.end || *name.at != 'i')
		return 0;
	if (name.end - name.at > 3 && !memcmp(name.at, "int", 3)) {
		name.at += 3;
		suffix = "_t";
	}
	return bytes_of_bits(name, suffix);
}

static void look_up_type(struct trace_type *type, struct span name, uint32_t long_bytes)
{
	while (skip_word(&name, "const") || skip_word(&name, "volatile"))
		;
	type->each = sized_type(name, &type->is_signed);
	if (type->each)
		return;
	type->is_signed = false;
	if (memchr(name.at, '*', (size_t)(name.end - name.at))) {
		type->class = TRACE_HEX;
		type->each = long_bytes;
	} else if (skip_word(&name, "struct") || skip_word(&name, "union")) {
		type->class = TRACE_OPAQUE;
	} else if (skip_word(&name, "enum")) {
		type->each = 4;
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (!type->class && is_type_word(name, types[i].name)) {
			type->class = types[i].class;
			type->each = types[i].each ? types[i].each : long_bytes;
			type->is_signed = types[i].is_signed;
			break;
		}
}

/* ---- parts of a declaration ------------------------------------------------------------------ */

/* 0: a name instead of a number, or a number beyond any array's size. */
static uint32_t parse_count(struct span span)
{
	uint32_t count = 0;

	for (span = trim_blanks(span); span.at < span.end; span.at++) {
		if (*span.at < '0' || *span.at > '9' || count > UINT16_MAX)
			return 0;
		count = count * 10 + (uint32_t)(*span.at - '0');
	}
	return count;
}

/* Removes all "[...]" from the end.  False: it is not an array, or not valid C. */
static bool strip_array(struct span *span, uint32_t *count)
{
	uint64_t all = 1;
	bool found = false;

	while (span->at < span->end && span->end[-1] == ']') {
		const char *open = memrchr(span->at, '[', (size_t)(span->end - span->at));

		if (!open)
			return false;
		all *= parse_count((struct span){ open + 1, span->end - 1 });
		if (all > UINT16_MAX)
			all = 0;
		span->end = open;
		*span = trim_blanks(*span);
		found = true;
	}
	*count = found ? (uint32_t)all : 0;
	return found;
}

static struct span strip_name(struct span *span)
{
	struct span name = { span->end, span->end };

	while (name.at > span->at && !is_blank(name.at[-1]) && name.at[-1] != '*' &&
	       name.at[-1] != ']')
		name.at--;
	span->end = name.at;
	*span = trim_blanks(*span);
	return name;
}

static enum peat_field_place strip_place(struct span *span)
{
	if (skip_word(span, "__data_loc"))
		return PEAT_PLACE_DATA_LOC;
	return skip_word(span, "__rel_loc") ? PEAT_PLACE_REL_LOC : PEAT_PLACE_OFFSET;
}

bool format_type__parse(struct trace_type *type, const char *text, size_t bytes,
			uint32_t long_bytes)
{
	struct span rest = trim_blanks((struct span){ text, text + bytes }), name;
	uint32_t count = 0;
	bool is_array;

	*type = (struct trace_type){ .place = strip_place(&rest) };
	type->is_array = strip_array(&rest, &type->count);
	name = strip_name(&rest);
	is_array = strip_array(&rest, &count); /* "char[] name": all fields with a place */
	if (name.at == name.end || rest.at == rest.end)
		return false;
	type->name = name.at;
	type->name_bytes = (size_t)(name.end - name.at);
	look_up_type(type, rest, long_bytes);
	if (type->place && type->is_array) { /* an array of places */
		type->place = PEAT_PLACE_OFFSET;
		type->class = TRACE_HEX;
		type->each = 4;
		type->is_signed = false;
		return true;
	}
	if (is_array && !type->is_array)
		type->count = count;
	type->is_array |= is_array;
	return true;
}
