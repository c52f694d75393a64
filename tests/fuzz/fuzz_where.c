// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_where.c: any expression, on any event.
 *
 * Input: the text, a NUL, then the event.  An expression and its opposite must not both match, and
 * two of the same are as one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/log.h>
#include <peat/reader.h>
#include <peat/where.h>

#include "field/fields.h"

#define TEXT_MAX 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct peat_name colors[] = { { 1, "RED" }, { 2, "GREEN" }, { (uint64_t)-7, "BLUE" } };
static const struct peat_name modes[] = { { 0, "NONE" }, { 1, "READ" }, { 2, "WRITE" } };

static struct peat_schema schema;

#define FIELD(called, is, at, size, ...)                                                           \
	{                                                                                          \
		.name = (called), .kind = PEAT_FIELD_##is, .span = 1, .offset = (at),              \
		.bytes = (size), .schema = &schema, __VA_ARGS__                                    \
	}

static struct peat_field fields[] = {
	FIELD("number", UNSIGNED, 0, 4, ),
	FIELD("change", SIGNED, 4, 8, .is_signed = true),
	FIELD("few", UNSIGNED, 12, 1, .bit_offset = 1, .bits = 3),
	FIELD("slope", SIGNED, 12, 1, .bit_offset = 4, .bits = 4, .is_signed = true),
	FIELD("truth", BOOL, 13, 1, ),
	FIELD("single", FLOAT, 14, 4, ),
	FIELD("real", FLOAT, 18, 8, ),
	FIELD("color", ENUM, 26, 4, .is_signed = true, .names = colors, .name_count = 3),
	FIELD("mode", FLAGS, 30, 4, .names = modes, .name_count = 3),
	FIELD("name", STRING, 34, 6, ),
	FIELD("used", UNSIGNED, 40, 1, ),
	FIELD("words", STRINGS, 41, 8, .length = &fields[10]),
	FIELD("key", BYTES, 49, 8, .length = &fields[10]),
	FIELD("from", IPV4, 57, 4, .big_endian = true),
	FIELD("to", IPV6, 61, 16, ),
	FIELD("card", MAC, 77, 6, ),
	FIELD("port", PORT, 83, 2, .big_endian = true),
	FIELD("error", ERRNO, 85, 4, .is_signed = true),
	FIELD("sig", SIGNAL, 89, 4, ),
	FIELD("delay", DURATION, 93, 8, ),
	FIELD("room", SIZE, 101, 8, ),
	{ .name = "at", .kind = PEAT_FIELD_STRUCT, .span = 3, .offset = 109, .bytes = 6 },
	FIELD("line", UNSIGNED, 0, 2, ),
	FIELD("file", STRING, 2, 4, ),
	{ .name = "counts",
	  .kind = PEAT_FIELD_ARRAY,
	  .span = 2,
	  .offset = 115,
	  .bytes = 6,
	  .count = 3 },
	FIELD("", SIGNED, 0, 2, .is_signed = true),
	FIELD("path", STRING, 121, 0, .place = PEAT_PLACE_DATA_LOC),
	{ .name = "list",
	  .kind = PEAT_FIELD_ARRAY,
	  .span = 2,
	  .offset = 125,
	  .place = PEAT_PLACE_REL_LOC },
	FIELD("", HEX, 0, 4, ),
	{ .name = "peer", .kind = PEAT_FIELD_ENDPOINT, .span = 3, .offset = 129, .bytes = 18 },
	FIELD("address", IPV6, 0, 16, ),
	FIELD("port", PORT, 16, 2, .big_endian = true),
	FIELD("rest", BYTES, 147, 0, ),
};

static struct peat_schema schema = { .name = "type",
				     .bytes = 147,
				     .count = sizeof(fields) / sizeof(*fields),
				     .fields = fields,
				     .stacks_fd = -1 };

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* In memory of exactly its size: the sanitizer detects reads past it. */
static char *copy(const void *bytes, size_t count)
{
	char *memory = malloc(count + !count);

	require(memory != NULL);
	memcpy(memory, bytes, count);
	return memory;
}

static bool matches(const char *format, const char *text, const struct peat_event *event)
{
	char whole[3 * TEXT_MAX + 20];
	struct peat_where *where;
	bool result;

	snprintf(whole, sizeof(whole), format, text, text);
	where = peat_where__parse(whole);
	require(where != NULL);
	peat_where__add_type(where, event->schema);
	peat_where__check(where);
	result = peat_where__test(where, event);
	require(result == peat_where__test(where, event));
	peat_where__free(where);
	return result;
}

/* An expression of few parentheses, so that it can be put into others. */
static void check(const char *text, const struct peat_event *event)
{
	bool one = matches("%s", text, event);

	require(!one || !matches("!(%s)", text, event));
	require(matches("!(!(%s))", text, event) == one);
	require(matches("(%s) and (%s)", text, event) == one);
	require(matches("(%s)||(%s)", text, event) == one);
}

static bool is_parsed(const char *text)
{
	struct peat_where *where = peat_where__parse(text);

	peat_where__free(where);
	return where;
}

static bool is_nested_deeply(const char *text)
{
	int depth = 0;

	for (; *text; text++)
		depth += *text == '(';
	return depth > 60;
}

static void ignore(enum peat_log_level level, const char *text)
{
	(void)level;
	require(strlen(text) < 1024);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t bytes = strnlen((const char *)data, size);
	size_t rest = bytes < size ? size - bytes - 1 : 0;
	struct peat_event event = { .schema = &schema, .pid = 7, .time_ns = 5, .comm = "ab" };
	char *text = copy(data, bytes + (bytes < size)), *memory = copy(data + size - rest, rest);

	peat_set_print(ignore);
	text = realloc(text, bytes + 1);
	require(text != NULL);
	text[bytes] = 0;
	event.data = memory;
	event.size = (uint32_t)rest;
	if (is_parsed(text) && bytes < TEXT_MAX && !is_nested_deeply(text)) {
		check(text, &event);
		event.schema = NULL;
		check(text, &event);
	}
	free(text);
	free(memory);
	return 0;
}
