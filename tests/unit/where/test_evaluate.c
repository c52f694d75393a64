// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_evaluate.c: expressions on events: values, missing fields, types without notice. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <peat/reader.h>
#include <peat/where.h>

#include "field/fields.h"
#include "where/evaluate.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"

static struct peat_schema *kinds, *tracepoint;
static uint64_t memory[128];
static struct peat_event event;

static void setup(void)
{
	kinds = where_schema__kinds();
	tracepoint = where_schema__tracepoint();
	memset(memory, 0, sizeof(memory));
	event = (struct peat_event){ .schema = kinds,
				     .data = memory,
				     .size = peat_schema__bytes(kinds),
				     .pid = 10,
				     .tid = 11,
				     .cpu = 2,
				     .time_ns = 5000000000,
				     .comm = "nginx" };
	where_schema__catch();
}

static void teardown(void)
{
	peat_schema__free(kinds);
	peat_schema__free(tracepoint);
}

static void *at(const char *path)
{
	uint32_t base = 0;
	const struct peat_field *field = peat_schema__find(kinds, path, &base);

	ck_assert_msg(field != NULL, "%s", path);
	return (char *)memory + base + field->offset;
}

static void set(const char *path, const void *value, size_t bytes)
{
	memcpy(at(path), value, bytes);
}

/* Of a type that was not added before. */
static bool matches(const char *text)
{
	struct peat_where *where = peat_where__parse(text);
	bool result;

	ck_assert_msg(where != NULL, "%s: %s", text, where_schema__error());
	result = peat_where__test(where, &event);
	ck_assert_int_eq(peat_where__test(where, &event), result);
	peat_where__free(where);
	return result;
}

#define MATCH(text)   ck_assert_msg(matches(text), "%s: %s", text, where_schema__error())
#define DIFFERS(text) ck_assert_msg(!matches(text), "%s", text)

START_TEST(test_common_fields)
{
	MATCH("pid == 10 && tid == 11 && cpu == 2 && comm == \"nginx\"");
	MATCH("time == 5s");
	MATCH("size == 312");
	MATCH("comm ~ \"ng*\"");
	DIFFERS("comm == \"ngin\"");
	DIFFERS("comm == \"nginx1\"");
	DIFFERS("comm ~ \"nginx?\"");
}
END_TEST

/* Unknown is neither equal nor different. */
START_TEST(test_unknown_common_fields)
{
	event.pid = PEAT_NO_TASK;
	event.cpu = PEAT_NO_CPU;
	event.time_ns = 0;
	event.comm = NULL;
	DIFFERS("pid == 4294967295");
	DIFFERS("pid != 1");
	DIFFERS("cpu != 1");
	DIFFERS("time < 1s");
	DIFFERS("comm != x");
	DIFFERS("!(comm == x)");
	DIFFERS("tid == 11 || comm == x");
	MATCH("tid == 11");
}
END_TEST

/* Numbers that the kernel sampled: of types that have them, and of events that do. */
START_TEST(test_sampled_numbers)
{
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE,
				      .has = PEAT_SAMPLE_IP | PEAT_SAMPLE_WEIGHT_STRUCT };

	record.sample.ip = 0xffffffff81000000;
	record.sample.weight = 7 | 8ULL << 32 | 9ULL << 48;
	kinds->sampled = PEAT_SAMPLE_IP | PEAT_SAMPLE_WEIGHT_STRUCT | PEAT_SAMPLE_PERIOD;
	DIFFERS("ip != 1");
	event.record = &record;
	MATCH("ip == 0xffffffff81000000 && sample_ip > 5 && kinds.ip");
	MATCH("weight == 7 && ins_lat == 8 && retire_lat == 9 && p_stage_cyc == 9");
	DIFFERS("period != 1");
	record.sample.period = 4000;
	DIFFERS("period == 4000");
	record.has |= PEAT_SAMPLE_PERIOD;
	MATCH("period == 4000");
	DIFFERS("addr != 1");
	record.type = PEAT_RECORD_COMM;
	DIFFERS("ip != 1");
}
END_TEST

/* An absent field is neither equal nor different. */
START_TEST(test_absent_fields)
{
	static const int32_t number = -5;
	static const float half = 0.5f;
	static const uint8_t origin[4] = { 192, 0, 2, 77 };
	uint8_t has = 1 | 5 << 1 | 1 << 4 | 1 << 5;

	set("maybe", &number, 4);
	set("word", "abc", 4);
	set("origin", origin, 4);
	set("chance", &half, 4);
	set("has_maybe", &has, 1);
	MATCH("maybe == -5 && word == abc && origin == 192.0.2.77 && chance == 0.5");
	MATCH("origin[3] == 77 && maybe < 3000000000 && has_word == 5");
	has = 0;
	set("has_maybe", &has, 1);
	DIFFERS("maybe == -5");
	DIFFERS("maybe != -5");
	DIFFERS("!maybe");
	DIFFERS("maybe < 3000000000");
	DIFFERS("pid == 10 || maybe == 1");
	DIFFERS("word == abc");
	DIFFERS("word !~ \"x*\"");
	DIFFERS("origin != 10.0.0.0/8");
	DIFFERS("origin[3] == 77");
	DIFFERS("chance == 0.5");
	MATCH("!has_maybe && pid == 10");
}
END_TEST

START_TEST(test_matches_strings)
{
	uint32_t used = 5;

	set("name", "abcdefgh", 8);
	MATCH("name == abcdefgh");
	MATCH("name ~ \"*h\"");
	set("name", "ab\0defgh", 8);
	MATCH("name == ab");
	DIFFERS("name ~ \"*h\"");
	MATCH("name");
	set("name", "", 1);
	DIFFERS("name");
	MATCH("name == ''");
	set("text_len", &used, 4);
	set("text", "ls\0-lxyz", 8);
	MATCH("text == \"ls -l\"");
	MATCH("text ~ \"ls -*\"");
	MATCH("text ~ \"*-l\"");
	set("words", "a\0bc\0", 6);
	MATCH("words == \"a bc\"");
}
END_TEST

START_TEST(test_matches_floats)
{
	float tenth = 0.1f;
	double real = NAN;

	set("single", &tenth, 4);
	MATCH("single == 0.1");
	MATCH("single <= 0.1 && single >= 0.1");
	DIFFERS("single < 0.1 || single > 0.1");
	set("real", &real, 8);
	DIFFERS("real == 0");
	DIFFERS("real != 0");
	DIFFERS("pid == 10 || real > 0");
	real = -INFINITY;
	set("real", &real, 8);
	MATCH("real < -1e300");
}
END_TEST

START_TEST(test_matches_addresses)
{
	static const uint8_t from[4] = { 192, 0, 2, 77 };
	static const uint8_t port[2] = { 1, 187 };
	static const uint8_t to[16] = { 0x20, 1, 0xd, 0xb8, [15] = 1 };

	set("from", from, 4);
	set("port", port, 2);
	set("to", to, 16);
	MATCH("from == 192.0.2.77 && from == 192.0.2.0/24 && from != 192.0.3.0/24");
	MATCH("from in (10.0.0.0/8, 192.0.0.0/16)");
	MATCH("from & 255.255.0.0 == 192.0.0.0");
	MATCH("from[3] == 77");
	MATCH("port == 443 && port > 442");
	MATCH("to == 2001:db8::1 && to == 2001:db8::/32");
	DIFFERS("to == 2001:db9::/32");
}
END_TEST

START_TEST(test_matches_endpoints)
{
	static const uint8_t ipv6[18] = { 0x20, 1, 0xd, 0xb8, [15] = 1, 1, 187 };
	static const uint8_t ipv4[18] = { [10] = 0xff, 0xff, 192, 0, 2, 77, 1, 187 };
	static const uint8_t none[18] = { 0 };

	set("peer", ipv6, 18);
	MATCH("peer == [2001:db8::1]:443 && peer != [2001:db8::1]:80 && peer");
	MATCH("peer.address == 2001:db8::/32 && peer.port == 443");
	DIFFERS("peer in ([2001:db8::2]:443, 192.0.2.77:443, [::ffff:192.0.2.77]:443)");
	set("peer", ipv4, 18);
	MATCH("peer == 192.0.2.77:443 && peer != 192.0.2.77:444 && peer != 192.0.2.78:443");
	MATCH("peer in ([2001:db8::2]:443, [::ffff:192.0.2.77]:443)");
	MATCH("peer.address == 192.0.2.77 && peer.address == 192.0.0.0/16");
	set("peer", none, 18);
	MATCH("!peer && peer == [::]:0");
}
END_TEST

START_TEST(test_other_types)
{
	MATCH("open.flags == 1 || pid == 10");
	MATCH("!(open.flags == 1)");
	DIFFERS("open.flags != 1");
	MATCH("kinds.pid == 10");
	DIFFERS("flags == 1 || pid == 10");
	/* A number has no members, a struct has. */
	MATCH("number.flags == 1 || pid == 10");
	DIFFERS("at.flags == 1 || pid == 10");
	DIFFERS("at.line.x == 1 || pid == 10");
	DIFFERS("kinds.flags == 1 || pid == 10");
}
END_TEST

/* A field that is called like its type. */
START_TEST(test_type_called_like_a_field)
{
	struct peat_field *field = (struct peat_field *)peat_schema__fields(kinds, NULL);

	field->name = "kinds";
	MATCH("kinds == 0");
	MATCH("kinds.kinds == 0");
	MATCH("kinds.number == 0");
	DIFFERS("kinds.flags == 0 || pid == 10");
}
END_TEST

/* ---- events that end early ------------------------------------------------------------------- */

START_TEST(test_missing_fields)
{
	const char *const expressions[] = { "wide_signed == 0",
					    "wide_signed != 0",
					    "!(wide_signed == 0)",
					    "wide == 0 || wide_signed == 0",
					    "wide == 0 || !(wide_signed < 5)",
					    "wide_signed < 9223372036854775808" };

	event.size = 15;
	MATCH("wide == 0");
	for (size_t i = 0; i < sizeof(expressions) / sizeof(*expressions); i++)
		DIFFERS(expressions[i]);
	event.size = 16;
	MATCH("wide_signed == 0");
	MATCH("wide_signed < 9223372036854775808");
	event.size = 0;
	event.data = NULL;
	DIFFERS("wide == 0");
	MATCH("pid == 10");
	MATCH("size == 0");
}
END_TEST

/* A text may be cut, bytes of a fixed size may not. */
START_TEST(test_cut_fields)
{
	uint32_t name = (uint32_t)((char *)at("name") - (char *)memory);
	uint32_t key = (uint32_t)((char *)at("key") - (char *)memory);

	set("name", "abcdefgh", 8);
	event.size = name + 3;
	MATCH("name == abc");
	event.size = name;
	DIFFERS("name != abc");
	event.size = key + 4;
	DIFFERS("key == 0000000000");
	DIFFERS("key != 0000000000");
	event.size = key + 5;
	MATCH("key == 0000000000");
}
END_TEST

START_TEST(test_bytes_in_use)
{
	uint32_t used = 3;

	set("rest_len", &used, 4);
	set("rest", "\1\2\3\4", 4);
	MATCH("rest == 010203");
	DIFFERS("rest == 01020304");
	DIFFERS("rest == 0102");
	MATCH("rest[2] == 3");
	DIFFERS("rest[3] == 4");
	DIFFERS("rest[3] != 4");
	used = 0;
	set("rest_len", &used, 4);
	MATCH("rest != 01");
	DIFFERS("rest[0] != 9");
}
END_TEST

START_TEST(test_matches_tracepoint_fields)
{
	static struct {
		uint32_t common[2];
		int32_t number;
		uint32_t path, list;
		char text[8];
		uint32_t values[3];
	} sample = { .number = -1,
		     .path = 5 << 16 | 20,
		     .list = 12 << 16 | 28,
		     .text = "/usr",
		     .values = { 7, 8, 9 } };

	event.schema = tracepoint;
	event.data = &sample;
	event.size = sizeof(sample);
	MATCH("number == -1 && path == /usr");
	MATCH("test:probe.number < 0");
	MATCH("path ~ \"/u*\"");
	MATCH("list[0] == 7 && list[2] == 9");
	DIFFERS("list[3] != 5");
	event.size = 36;
	MATCH("list[1] == 8");
	DIFFERS("list[2] == 9");
	event.size = 19;
	DIFFERS("list[0] != 0");
	event.size = 20;
	DIFFERS("path != x");
}
END_TEST

static const struct where_test *test_of(struct peat_where *where, const struct peat_schema *schema)
{
	const struct where_test *test;

	ck_assert_int_eq(peat_where__add_type(where, schema), 1);
	test = where__resolved(where, schema);
	return test->op == WHERE_NOT ? test->a : test;
}

static void check_needs(const char *text, const char *path, uint32_t bytes, bool ends_at_nul)
{
	struct peat_where *where = peat_where__parse(text);
	const struct where_test *test = test_of(where, kinds);
	uint32_t offset = path ? (uint32_t)((char *)at(path) - (char *)memory) : 0;

	ck_assert_msg(where_needs__bytes(test) == offset + bytes, "%s: %u", text,
		      where_needs__bytes(test));
	ck_assert_msg(test->ends_at_nul == ends_at_nul, "%s", text);
	peat_where__free(where);
}

START_TEST(test_bytes_that_a_test_needs)
{
	check_needs("number == 5", "number", 4, false);
	check_needs("tiny == 300", "tiny", 1, false);
	check_needs("at.line", "at.line", 2, false);
	check_needs("to == ::1", "to", 16, false);
	check_needs("name == x", "name", 1, true);
	check_needs("at.file == x", "at.file", 1, true);
	check_needs("text == x", NULL, 0, false);
	check_needs("words == x", "words", 1, false);
	check_needs("rest == 01", NULL, 0, false);
	check_needs("real == 1", NULL, 0, false);
	check_needs("rest[1] == 1", NULL, 0, false);
	check_needs("pid == 1", NULL, 0, false);
	check_needs("comm == x", NULL, 0, false);
	check_needs("open.flags == 1", NULL, 0, false);
}
END_TEST

/* ---- events that are no data ----------------------------------------------------------------- */

START_TEST(test_other_events)
{
	event.schema = NULL;
	MATCH("pid == 10");
	DIFFERS("wide == 0");
	DIFFERS("pid == 10 || wide == 0");
	event.kind = PEAT_EVENT_LOST;
	MATCH("pid == 11");
	MATCH("wide == 0");
}
END_TEST

/* A value that does not fit its field is logged once. */
START_TEST(test_bad_value_at_the_first_event)
{
	struct peat_where *where = peat_where__parse("delay > x");

	ck_assert(!peat_where__test(where, &event));
	ck_assert(!peat_where__test(where, &event));
	ck_assert_int_eq(where_schema__errors(), 1);
	peat_where__free(where);
}
END_TEST

/* More types than the table has room for at first. */
START_TEST(test_many_types)
{
	struct peat_schema *schemas[100];
	struct peat_where *where;
	long blocks;

	memory[0] = 1;
	for (int i = 0; i < 100; i++)
		schemas[i] = where_schema__kinds();
	blocks = fail_alloc__blocks();
	where = peat_where__parse("wide == 1 && pid == 10");
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 100; i++) {
			event.schema = schemas[i];
			memory[0] = (uint64_t)i % 2;
			ck_assert_int_eq(peat_where__test(where, &event), i % 2);
		}
	peat_where__free(where);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
	for (int i = 0; i < 100; i++)
		peat_schema__free(schemas[i]);
}
END_TEST

/* Long chains do not use the stack. */
START_TEST(test_long_expression)
{
	char text[4096] = "wide == 0";

	for (size_t used = strlen(text); used < 4000; used += 14)
		strcpy(text + used, "&&!tiny||!tiny");
	MATCH(text);
}
END_TEST

START_TEST(test_nothing_is_freed)
{
	ck_assert_ptr_null(peat_where__parse(NULL));
	ck_assert_ptr_null(peat_where__parse("a ="));
	peat_where__free(NULL);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_common_fields);
	tcase_add_test(tests, test_unknown_common_fields);
	tcase_add_test(tests, test_sampled_numbers);
	tcase_add_test(tests, test_absent_fields);
	tcase_add_test(tests, test_matches_strings);
	tcase_add_test(tests, test_matches_floats);
	tcase_add_test(tests, test_matches_addresses);
	tcase_add_test(tests, test_matches_endpoints);
	tcase_add_test(tests, test_other_types);
	tcase_add_test(tests, test_type_called_like_a_field);
	tcase_add_test(tests, test_missing_fields);
	tcase_add_test(tests, test_bytes_that_a_test_needs);
	tcase_add_test(tests, test_cut_fields);
	tcase_add_test(tests, test_bytes_in_use);
	tcase_add_test(tests, test_matches_tracepoint_fields);
	tcase_add_test(tests, test_other_events);
	tcase_add_test(tests, test_bad_value_at_the_first_event);
	tcase_add_test(tests, test_many_types);
	tcase_add_test(tests, test_long_expression);
	tcase_add_test(tests, test_nothing_is_freed);
}
