// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_all_types.c: a sample of each kind of field: its text, JSON, column, key and record, and
 * expressions that select it.
 */
#include <stdio.h>

#include <peat/peat.h>

#include "field/field_type.h"
#include "support/recording/json_check.h"
#include "sink_output.h"
#include "tables/table.h"
#include "tracepoint/format_parse.h"
#include "tracing_data/payload.h"
#include "unit/suite.h"

#define FIELDS_MAX 4
#define TEXT_BYTES 256

struct sample {
	struct peat_field fields[FIELDS_MAX];
	uint32_t bytes;
	union {
		uint64_t number;
		double real;
		uint8_t bytes[24];
		char text[24];
	} data;
	const char *text, *json;
	const char *column; /* with its heading, before a column of one digit; NULL: none */
	const char
		*equal;	 /* a value that it equals in an expression; NULL: no expression tests it */
	const char *key; /* NULL: it cannot be the key of a table */
	const char *record; /* the text of the recorded field; NULL: of its members, or none */
};

static const struct peat_name enum_names[] = { { 1, "ONE" }, { 7, "SEVEN" } };
static const struct peat_name flag_names[] = { { 1, "READ" }, { 4, "WRITE" } };

/* A field of its own, at the start of the event. */
#define KIND(of_kind, of_bytes, ...)                                                               \
	.bytes = (of_bytes), .fields = { { .name = "f",                                            \
					   .kind = PEAT_FIELD_##of_kind,                           \
					   .span = 1,                                              \
					   .bytes = (of_bytes),                                    \
					   ##__VA_ARGS__ } }

/* A field with fields inside. */
#define OUTER(of_kind, of_bytes, of_span, ...)                                                     \
	{                                                                                          \
		.name = "f", .kind = PEAT_FIELD_##of_kind, .span = (of_span), .bytes = (of_bytes), \
		##__VA_ARGS__                                                                      \
	}

#define INNER(of_name, of_kind, at, of_bytes, ...)                                                 \
	{                                                                                          \
		.name = (of_name), .kind = PEAT_FIELD_##of_kind, .span = 1, .offset = (at),        \
		.bytes = (of_bytes), ##__VA_ARGS__                                                 \
	}

static const struct sample samples[] = {
	[PEAT_FIELD_UNSIGNED] = { KIND(UNSIGNED, 8), .data.number = 4000, .text = "4000",
				  .json = "4000", .column = "      F   Z\n   4000   7\n",
				  .equal = "4000", .key = "4000", .record = "4000" },

	[PEAT_FIELD_SIGNED] = { KIND(SIGNED, 8, .is_signed = true), .data.number = (uint64_t)-5,
				.text = "-5", .json = "-5", .column = "      F   Z\n     -5   7\n",
				.equal = "-5", .key = "-5", .record = "-5" },

	[PEAT_FIELD_HEX] = { KIND(HEX, 8), .data.number = 0xabc, .text = "0xabc", .json = "2748",
			     .column = "           F   Z\n       0xabc   7\n", .equal = "0xabc",
			     .key = "0xabc", .record = "0xabc" },

	[PEAT_FIELD_BOOL] = { KIND(BOOL, 1), .data.bytes = { 1 }, .text = "true", .json = "true",
			      .column = "F       Z\ntrue    7\n", .equal = "true", .key = "true",
			      .record = "true" },

	[PEAT_FIELD_FLOAT] = { KIND(FLOAT, 8), .data.real = -2.25, .text = "-2.25", .json = "-2.25",
			       .column = "      F   Z\n  -2.25   7\n", .equal = "-2.25",
			       .key = "-2.25", .record = "0xc002000000000000" },

	[PEAT_FIELD_ENUM] = { KIND(ENUM, 8, .names = enum_names, .name_count = 2), .data.number = 7,
			      .text = "SEVEN", .json = "\"SEVEN\"",
			      .column = "F       Z\nSEVEN   7\n", .equal = "SEVEN", .key = "SEVEN",
			      .record = "SEVEN" },

	[PEAT_FIELD_FLAGS] = { KIND(FLAGS, 8, .names = flag_names, .name_count = 2),
			       .data.number = 5, .text = "READ|WRITE", .json = "\"READ|WRITE\"",
			       .column = "F            Z\nREAD|WRITE   7\n", .equal = "READ|WRITE",
			       .key = "READ|WRITE", .record = "READ|WRITE" },

	[PEAT_FIELD_STRING] = { KIND(STRING, 16), .data.text = "/etc/passwd\0left",
				.text = "/etc/passwd", .json = "\"/etc/passwd\"",
				.column = "F                 Z\n/etc/passwd       7\n",
				.equal = "/etc/passwd", .key = "/etc/passwd",
				.record = "/etc/passwd" },

	[PEAT_FIELD_STRINGS] = { KIND(STRINGS, 6), .data.text = "ls\0-l", .text = "ls -l",
				 .json = "[\"ls\",\"-l\"]",
				 .column = "F                  Z\nls -l              7\n",
				 .equal = "ls -l", .key = "ls -l", .record = "ls -l" },

	[PEAT_FIELD_BYTES] = { KIND(BYTES, 4), .data.bytes = { 1, 2, 0, 0xff }, .text = "010200ff",
			       .json = "\"010200ff\"", .column = "F          Z\n010200ff   7\n",
			       .equal = "010200ff", .key = "010200ff", .record = "010200ff" },

	[PEAT_FIELD_IPV4] = { KIND(IPV4, 4), .data.bytes = { 192, 0, 2, 1 }, .text = "192.0.2.1",
			      .json = "\"192.0.2.1\"",
			      .column = "F                 Z\n192.0.2.1         7\n",
			      .equal = "192.0.2.1", .key = "192.0.2.1", .record = "192.0.2.1" },

	[PEAT_FIELD_IPV6] = { KIND(IPV6, 16), .data.bytes = { 0x20, 1, 0xd, 0xb8, [15] = 1 },
			      .text = "2001:db8::1", .json = "\"2001:db8::1\"",
			      .column = "F                 Z\n2001:db8::1       7\n",
			      .equal = "2001:db8::1", .key = "2001:db8::1",
			      .record = "2001:db8::1" },

	[PEAT_FIELD_MAC] = { KIND(MAC, 6), .data.bytes = { 2, 0, 0, 0, 0, 9 },
			     .text = "02:00:00:00:00:09", .json = "\"02:00:00:00:00:09\"",
			     .column = "F                   Z\n02:00:00:00:00:09   7\n",
			     .equal = "02:00:00:00:00:09", .key = "02:00:00:00:00:09",
			     .record = "02:00:00:00:00:09" },

	[PEAT_FIELD_PORT] = { KIND(PORT, 2, .big_endian = true), .data.bytes = { 1, 187 },
			      .text = "443", .json = "443", .column = "    F   Z\n  443   7\n",
			      .equal = "443", .key = "443", .record = "443" },

	[PEAT_FIELD_ERRNO] = { KIND(ERRNO, 8, .is_signed = true), .data.number = (uint64_t)-2,
			       .text = "ENOENT", .json = "\"ENOENT\"",
			       .column = "      F   Z\n ENOENT   7\n", .equal = "ENOENT",
			       .key = "ENOENT", .record = "ENOENT" },

	[PEAT_FIELD_SIGNAL] = { KIND(SIGNAL, 8), .data.number = 9, .text = "SIGKILL",
				.json = "\"SIGKILL\"", .column = "F         Z\nSIGKILL   7\n",
				.equal = "SIGKILL", .key = "SIGKILL", .record = "SIGKILL" },

	[PEAT_FIELD_DURATION] = { KIND(DURATION, 8), .data.number = 1500000, .text = "1.5ms",
				  .json = "1500000", .column = "      F   Z\n  1.5ms   7\n",
				  .equal = "1.5ms", .key = "1.5ms", .record = "1500000" },

	[PEAT_FIELD_SIZE] = { KIND(SIZE, 8), .data.number = 4096, .text = "4.0K", .json = "4096",
			      .column = "    F   Z\n 4.0K   7\n", .equal = "4.0K", .key = "4.0K",
			      .record = "4096" },

	[PEAT_FIELD_KADDR] = { KIND(KADDR, 8), .data.number = 0x1000, .text = "0x1000",
			       .json = "{\"address\":\"0x1000\"}",
			       .column = "F                  Z\n0x1000             7\n",
			       .equal = "0x1000", .key = "0x1000", .record = "0x1000" },

	[PEAT_FIELD_KSTACK] = { KIND(KSTACK, 8, .is_signed = true), .data.number = (uint64_t)-17,
				.text = "EEXIST", .json = "\"EEXIST\"",
				.column = "F                  Z\nEEXIST             7\n",
				.equal = "-17", .key = "EEXIST", .record = "-17" },

	[PEAT_FIELD_STRUCT] = { .bytes = 8,
				.fields = { OUTER(STRUCT, 8, 3), INNER("a", UNSIGNED, 0, 1),
					    INNER("b", STRING, 1, 7) },
				.data.text = "\001x y",
				.text = "{a=1 b=\"x y\"}",
				.json = "{\"a\":1,\"b\":\"x y\"}",
				.column = "F.A  F.B      Z\n  1  x y      7\n" },

	[PEAT_FIELD_UNION] = { .bytes = 4,
			       .fields = { OUTER(UNION, 4, 3), INNER("a", UNSIGNED, 0, 1),
					   INNER("b", BYTES, 0, 4) },
			       .data.bytes = { 1, 2, 3, 4 },
			       .text = "{a=1 b=01020304}",
			       .json = "{\"a\":1,\"b\":\"01020304\"}",
			       .column = "F.A  F.B        Z\n  1  01020304   7\n" },

	[PEAT_FIELD_ARRAY] = { .bytes = 4,
			       .fields = { OUTER(ARRAY, 4, 2, .count = 4),
					   INNER("", UNSIGNED, 0, 1) },
			       .data.bytes = { 1, 2, 3, 4 },
			       .text = "[1 2 3 4]",
			       .json = "[1,2,3,4]",
			       .column = "F                  Z\n[1 2 3 4]          7\n",
			       .record = "01020304" },

	[PEAT_FIELD_STACK] = { KIND(STACK, 8), .data.number = 3, .text = "3", .json = "3",
			       .column = NULL, .record = "3" },

	[PEAT_FIELD_ENDPOINT] = { .bytes = 18,
				  .fields = { OUTER(ENDPOINT, 18, 3), INNER("address", IPV6, 0, 16),
					      INNER("port", PORT, 16, 2, .big_endian = true) },
				  .data.bytes = { [10] = 0xff, 0xff, 192, 0, 2, 7, 1, 187 },
				  .text = "192.0.2.7:443",
				  .json = "{\"address\":\"192.0.2.7\",\"port\":443}",
				  .column = "F                 Z\n192.0.2.7:443     7\n",
				  .equal = "192.0.2.7:443",
				  .key = "192.0.2.7:443" },

	[PEAT_FIELD_USTACK] = { KIND(USTACK, 8, .is_signed = true), .data.number = (uint64_t)-17,
				.text = "EEXIST", .json = "-17",
				.column = "F                  Z\nEEXIST             7\n",
				.equal = "-17", .key = "EEXIST", .record = "-17" },

	[PEAT_FIELD_CHARS] = { KIND(CHARS, 4), .data.text = "a b\n", .text = "a b\\n",
			       .json = "\"a b\\n\"", .column = "F       Z\na b\\n   7\n",
			       .equal = "a b\\n", .key = "a b\\n", .record = "a b\\n" },
};

_Static_assert(sizeof(samples) / sizeof(*samples) == FIELD_KINDS, "a sample of each kind");

/* ---- the type of a sample -------------------------------------------------------------------- */

static const struct sample *sample;
static struct peat_field fields[FIELDS_MAX + 1];
static struct peat_schema schema;
static struct peat_event event;

/* The sample's field, and a digit after it. */
static void choose(int kind)
{
	static uint8_t data[32];
	uint32_t span;

	sample = &samples[kind];
	span = sample->fields->span;
	ck_assert_msg(span, "no sample of '%s'", field_types[kind]->word);
	memcpy(fields, sample->fields, span * sizeof(*fields));
	fields[span] =
		(struct peat_field){ .name = "z", .span = 1, .offset = sample->bytes, .bytes = 1 };
	schema = (struct peat_schema){ .name = "t",
				       .bytes = sample->bytes + 1,
				       .count = span + 1,
				       .fields = fields,
				       .stacks_fd = -1 };
	for (uint32_t i = 0; i < schema.count; i++)
		fields[i].schema = &schema;
	memcpy(data, &sample->data, sample->bytes);
	data[sample->bytes] = 7;
	event = an_event(&schema, data, schema.bytes);
}

static void ignore(enum peat_log_level level, const char *text)
{
	(void)level;
	(void)text;
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_text_and_json)
{
	char text[TEXT_BYTES];

	choose(_i);
	peat_field__text(fields, event.data, event.size, text, sizeof(text));
	ck_assert_str_eq(text, sample->text);
	peat_field__json(fields, event.data, event.size, text, sizeof(text));
	ck_assert_str_eq(text, sample->json);
}
END_TEST

START_TEST(test_prints_a_column)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .columns = &schema, .fields = "f,z" };
	struct peat_sink *sink;
	int fd = new_output();

	choose(_i);
	sink = peat_sink__new_text(fd, &opts);
	ck_assert(!sink == !sample->column);
	if (sink) {
		ck_assert_int_eq(peat_sink__write(sink, &event), 0);
		ck_assert_str_eq(output(sink, fd), sample->column);
		peat_sink__free(sink);
	}
	close(fd);
}
END_TEST

/* Whether the event matches; -1: the type has no such test. */
static int matches(const char *expression)
{
	struct peat_where *where = peat_where__parse(expression);
	int result = -1;

	ck_assert_ptr_nonnull(where);
	if (peat_where__add_type(where, &schema) == 1)
		result = peat_where__test(where, &event);
	peat_where__free(where);
	return result;
}

START_TEST(test_compares_in_expressions)
{
	char expression[TEXT_BYTES];

	peat_set_print(ignore);
	choose(_i);
	snprintf(expression, sizeof(expression), "f == \"%s\"",
		 sample->equal ? sample->equal : "1");
	ck_assert_int_eq(matches(expression), sample->equal ? 1 : -1);
	snprintf(expression, sizeof(expression), "f != \"%s\"",
		 sample->equal ? sample->equal : "1");
	ck_assert_int_eq(matches(expression), sample->equal ? 0 : -1);
}
END_TEST

START_TEST(test_counts_by_key)
{
	struct peat_table_opts opts = { .sz = sizeof(opts), .by = "f" };
	struct peat_table_row row = { .sz = sizeof(row) };
	struct peat_table *table;
	char text[TEXT_BYTES];

	peat_set_print(ignore);
	choose(_i);
	table = peat_table__new(&opts);
	ck_assert_ptr_nonnull(table);
	if (sample->key) {
		ck_assert_int_eq(peat_table__add(table, &event), 1);
		ck_assert_int_eq(peat_table__read(table), 1);
		ck_assert_int_eq(peat_table__next(table, &row), 1);
		peat_field__text(peat_schema__fields(peat_table__schema(table), NULL), row.data,
				 row.size, text, sizeof(text));
		ck_assert_str_eq(text, sample->key);
	} else {
		ck_assert_int_le(peat_table__add(table, &event), 0);
	}
	peat_table__free(table);
}
END_TEST

/* The format of the type, written and parsed again, reads the recorded field. */
START_TEST(test_records_and_reads_again)
{
	struct trace_format parsed = { 0 };
	struct payload_format format = { 0 };
	const struct peat_field *found;
	uint8_t payload[TEXT_BYTES];
	char text[TEXT_BYTES];
	const char *why;
	int bytes;

	choose(_i);
	ck_assert_int_eq(payload__init(&format, &schema, "t", PAYLOAD_ID_MIN), 0);
	ck_assert_int_eq(
		format_parse__text(&parsed, "peat", format.text, format.text_bytes, 8, &why), 0);
	bytes = payload__convert(&format, event.data, event.size, event.tid, payload,
				 sizeof(payload));
	ck_assert_int_gt(bytes, 0);
	found = peat_schema__find(parsed.schema, "f", NULL);
	ck_assert(!found == !sample->record);
	if (found) {
		peat_field__text(found, payload, (uint32_t)bytes & PAYLOAD_BYTES, text,
				 sizeof(text));
		ck_assert_str_eq(text, sample->record);
	}
	payload__free(&format);
	format_parse__free(&parsed);
}
END_TEST

SUITE(5)
{
	tcase_add_loop_test(tests, test_text_and_json, 0, FIELD_KINDS);
	tcase_add_loop_test(tests, test_prints_a_column, 0, FIELD_KINDS);
	tcase_add_loop_test(tests, test_compares_in_expressions, 0, FIELD_KINDS);
	tcase_add_loop_test(tests, test_counts_by_key, 0, FIELD_KINDS);
	tcase_add_loop_test(tests, test_records_and_reads_again, 0, FIELD_KINDS);
}
