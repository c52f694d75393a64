// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_restored_type.c: the struct by which a tracepoint of peat was written. */
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "base/strbuf.h"
#include "field/fields.h"
#include "replay/restored_type.h"
#include "replay_run.h"
#include "unit/suite.h"

#define ID 40001

static struct strbuf feature;
static struct recorded_btfs btfs;
static struct restored_type type;
static uint32_t btf_count;

static void setup(void)
{
	const uint32_t none = 0;

	begin_replays();
	strbuf__bytes(&feature, &none, sizeof(none));
}

static void teardown(void)
{
	restored_type__free(&type);
	recorded_btfs__free(&btfs);
	strbuf__free(&feature);
}

/* A struct of a number with this name and tag (NULL: none), and the name of a typedef, or NULL. */
static struct btf *new_btf(const char *name, const char *member, const char *tag,
			   const char *typedef_name)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "unsigned long long", 8, 0);
	int id = btf__add_struct(btf, name, 8);

	ck_assert_int_gt(id, 0);
	ck_assert_int_eq(btf__add_field(btf, member, number, 0, 0), 0);
	if (tag)
		ck_assert_int_gt(btf__add_decl_tag(btf, tag, id, 0), 0);
	if (typedef_name)
		ck_assert_int_gt(btf__add_typedef(btf, typedef_name, id), 0);
	return btf;
}

static void add_btf(struct btf *btf)
{
	uint32_t head[2] = { 1 };
	const void *bytes = btf__raw_data(btf, &head[1]);

	strbuf__bytes(&feature, head, sizeof(head));
	strbuf__bytes(&feature, bytes, head[1]);
	btf__free(btf);
	btf_count++;
	memcpy(feature.bytes, &btf_count, sizeof(btf_count));
}

static void add_struct(const char *name, const char *member, const char *tag)
{
	add_btf(new_btf(name, member, tag, NULL));
}

static void read_btfs(void)
{
	const char *why;

	ck_assert_int_eq(recorded_btfs__read(&btfs, feature.bytes, feature.count, false, &why), 0);
}

/* The format of an event of this name, with such a struct. */
static struct payload_format format_of(const char *event, const char *member, const char *tag)
{
	struct btf *btf = new_btf("any", member, tag, NULL);
	struct peat_schema *schema = peat_schema__new(btf, 2);
	struct payload_format format;

	ck_assert_int_eq(payload__init(&format, schema, event, ID), 0);
	peat_schema__free(schema);
	btf__free(btf);
	return format;
}

static void find_text(const char *event, const char *text, size_t bytes)
{
	const struct tracing_text recorded = { text, bytes };

	restored_type__free(&type);
	ck_assert_int_eq(restored_type__find(&type, &btfs, event, ID, &recorded), 0);
}

static void find(const char *event, const char *member, const char *tag)
{
	struct payload_format format = format_of(event, member, tag);

	find_text(event, format.text, format.text_bytes);
	payload__free(&format);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_struct_of_the_name)
{
	add_struct("other", "x", NULL);
	add_struct("exec", "latency", "peat:as:duration");
	read_btfs();
	find("exec", "latency", "peat:as:duration");
	ck_assert_ptr_nonnull(type.schema);
	ck_assert_str_eq(type.schema->name, "exec");
	ck_assert_int_eq(type.schema->fields->kind, PEAT_FIELD_DURATION);
	find("exec", "x", NULL);
	ck_assert_ptr_null(type.schema);
	find("unknown", "x", NULL);
	ck_assert_ptr_null(type.schema);
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* Of several structs with these fields, one that is also printed so. */
START_TEST(test_structs_of_one_name)
{
	add_struct("exec", "x", NULL);
	add_struct("exec", "latency", NULL);
	add_struct("exec", "latency", "peat:as:duration");
	read_btfs();
	find("exec", "latency", "peat:as:duration");
	ck_assert_int_eq(type.schema->fields->kind, PEAT_FIELD_DURATION);
	find("exec", "latency", NULL);
	ck_assert_int_eq(type.schema->fields->kind, PEAT_FIELD_UNSIGNED);
}
END_TEST

/* Another version of peat, or of libc, prints names that this one does not have. */
START_TEST(test_other_print_format)
{
	struct payload_format format = format_of("exec", "result", "peat:as:errno");

	add_struct("exec", "result", "peat:as:errno");
	read_btfs();
	find_text("exec", format.text, format.text_bytes - 9);
	ck_assert_ptr_nonnull(type.schema);
	ck_assert_int_eq(type.schema->fields->kind, PEAT_FIELD_ERRNO);
	for (size_t bytes = 0; bytes < 300; bytes++) {
		find_text("exec", format.text, bytes);
		ck_assert_ptr_null(type.schema);
	}
	payload__free(&format);
}
END_TEST

/* Events of two maps with one type are named MAP_TYPE. */
START_TEST(test_name_with_map)
{
	add_struct("an_event", "x", NULL);
	read_btfs();
	find("some_events_an_event", "x", NULL);
	ck_assert_str_eq(type.schema->name, "some_events_an_event");
	find("an_event_", "x", NULL);
	ck_assert_ptr_null(type.schema);
	find("_event", "x", NULL);
	ck_assert_ptr_null(type.schema);
}
END_TEST

START_TEST(test_name_of_a_typedef)
{
	add_btf(new_btf("", "x", NULL, "evt_t"));
	read_btfs();
	find("evt_t", "x", NULL);
	ck_assert_str_eq(type.schema->name, "evt_t");
}
END_TEST

/* Structs of one name are not tried without end. */
START_TEST(test_many_structs)
{
	for (int i = 0; i < 100; i++)
		add_struct("exec", "x", NULL);
	add_struct("exec", "latency", NULL);
	read_btfs();
	find("exec", "x", NULL);
	ck_assert_ptr_nonnull(type.schema);
	find("exec", "latency", NULL);
	ck_assert_ptr_null(type.schema);
}
END_TEST

/* Structs exec0, exec1, ..., which are tried for events of these names, and tags, all of a struct.
 */
static void add_large_btf(uint32_t structs, uint32_t tags)
{
	struct btf *btf = btf__new_empty();
	int number = btf__add_int(btf, "unsigned long long", 8, 0);
	char name[32];

	for (uint32_t i = 0; i < structs; i++) {
		snprintf(name, sizeof(name), "exec%u", i);
		ck_assert_int_gt(btf__add_struct(btf, name, 8), 0);
		ck_assert_int_eq(btf__add_field(btf, "x", number, 0, 0), 0);
	}
	for (uint32_t i = 0; i < tags; i++)
		ck_assert_int_gt(btf__add_decl_tag(btf, "peat:as:duration", number + 1, 0), 0);
	add_btf(btf);
}

/* The work of all events is bounded: many events of a large BTF do not take minutes. */
START_TEST(test_work_is_bounded)
{
	struct payload_format format = format_of("exec", "x", NULL);
	const struct tracing_text text = { format.text, format.text_bytes };
	uint32_t count = 0;
	char name[32];

	add_large_btf(10000, 100000);
	read_btfs();
	recorded_btfs__add_work(&btfs, RECORDED_BTFS_WORK_MAX / 5 * 4);
	for (uint32_t i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "exec%u", i);
		ck_assert_int_eq(restored_type__find(&type, &btfs, name, ID, &text), 0);
		if (!btfs.is_exhausted)
			count++;
		restored_type__free(&type);
	}
	ck_assert_uint_gt(count, 100);
	ck_assert_uint_lt(count, 1000);
	ck_assert_ptr_nonnull(strstr(replay_log, "types are too many or too large"));
	ck_assert_ptr_null(strstr(strstr(replay_log, "too many") + 1, "too many"));
	payload__free(&format);
}
END_TEST

/* Structs that cannot be read are also work. */
START_TEST(test_refused_structs_are_work)
{
	struct recorded_struct refused = { .name = "none", .id = 1 };
	uint32_t tries = 0;

	add_struct("exec", "x", NULL);
	read_btfs();
	refused.btf = btfs.at[0]; /* type 1 is a number */
	while (!btfs.is_exhausted && tries++ < 1000)
		ck_assert_ptr_null(recorded_btfs__new_schema(&btfs, &refused));
	ck_assert_uint_lt(tries, 1000);
	ck_assert_ptr_null(recorded_btfs__new_schema(&btfs, &refused));
	ck_assert_int_eq(errno, E2BIG);
}
END_TEST

FORKED_SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_struct_of_the_name);
	tcase_add_test(tests, test_structs_of_one_name);
	tcase_add_test(tests, test_other_print_format);
	tcase_add_test(tests, test_name_with_map);
	tcase_add_test(tests, test_name_of_a_typedef);
	tcase_add_test(tests, test_many_structs);
	tcase_add_test(tests, test_work_is_bounded);
	tcase_add_test(tests, test_refused_structs_are_work);
}
