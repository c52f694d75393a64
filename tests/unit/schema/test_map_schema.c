// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_map_schema.c: the columns of maps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include <peat/log.h>

#include "schema/map_schema.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static struct btf *btf;
static int u32, u64, comm;
static uint32_t warnings, errors;
static struct map_schema made;

static void count_messages(enum peat_log_level level, const char *text)
{
	(void)text;
	warnings += level == PEAT_LOG_WARN;
	errors += level == PEAT_LOG_ERROR;
}

static int known(int id)
{
	ck_assert_int_gt(id, 0);
	return id;
}

static void setup(void)
{
	peat_set_print(count_messages);
	warnings = errors = 0;
	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	u32 = known(btf__add_int(btf, "unsigned int", 4, 0));
	u64 = known(btf__add_int(btf, "unsigned long long", 8, 0));
	comm = known(btf__add_array(btf, u32, btf__add_int(btf, "char", 1, BTF_INT_SIGNED), 16));
}

static void teardown(void)
{
	map_schema__free(&made);
	btf__free(btf);
}

static int begin(const char *name, uint32_t bytes)
{
	return known(btf__add_struct(btf, name, bytes));
}

static void member(const char *name, int type, uint32_t offset)
{
	ck_assert_int_eq(btf__add_field(btf, name, type, offset * 8, 0), 0);
}

static int array(int element, uint32_t count)
{
	return known(btf__add_array(btf, u32, element, count));
}

/* The BTF is freed: sanitizers detect any further use. */
static void make(int key, uint32_t key_bytes, int value, uint32_t value_bytes, bool is_histogram)
{
	struct map_type type = {
		.name = "counts",
		.doc = "what it counts",
		.btf = btf,
		.key_id = (uint32_t)key,
		.value_id = (uint32_t)value,
		.key_bytes = key_bytes,
		.value_bytes = value_bytes,
		.is_histogram = is_histogram,
	};

	ck_assert_int_eq(map_schema__make(&made, &type), 0);
	btf__free(btf);
	btf = NULL;
	ck_assert_str_eq(peat_schema__name(made.schema), "counts");
	ck_assert_str_eq(peat_schema__doc(made.schema), "what it counts");
	ck_assert_uint_eq(peat_schema__bytes(made.schema), made.row_bytes);
}

static void refused(int key, uint32_t key_bytes, int value, uint32_t value_bytes, int err)
{
	struct map_type type = { "counts",  NULL,	 btf,	(uint32_t)key, (uint32_t)value,
				 key_bytes, value_bytes, false, false };

	errors = 0;
	ck_assert_int_eq(map_schema__make(&made, &type), -err);
	ck_assert_uint_eq(errors, 1);
	ck_assert_ptr_null(made.schema);
}

static const struct peat_field *check_column(const char *name, uint32_t offset,
					     enum peat_field_kind kind)
{
	const struct peat_field *field = peat_schema__find(made.schema, name, NULL);

	ck_assert_msg(field, "no column %s", name);
	ck_assert_uint_eq(field->offset, offset);
	ck_assert_int_eq(field->kind, kind);
	return field;
}

static uint32_t columns(void)
{
	const struct peat_field *fields;
	uint32_t count, columns = 0;

	fields = peat_schema__fields(made.schema, &count);
	for (uint32_t i = 0; i < count; i += fields[i].span)
		columns++;
	return columns;
}

START_TEST(test_numbers_are_key_and_value)
{
	make(u32, 4, u64, 8, false);
	check_column("key", 0, PEAT_FIELD_UNSIGNED);
	check_column("value", 8, PEAT_FIELD_UNSIGNED);
	ck_assert_uint_eq(made.keys, 1);
	ck_assert_uint_eq(made.value_at, 8);
	ck_assert_uint_eq(made.row_bytes, 16);
	ck_assert_uint_eq(made.slot_count, 0);
}
END_TEST

static int add_key(void)
{
	int key = begin("id", 20);

	member("pid", u32, 0);
	member("comm", comm, 4);
	return key;
}

/* As filetop of libbpf-tools has it. */
START_TEST(test_structs_become_columns)
{
	int key = add_key(), value = begin("stat", 24);

	member("reads", u64, 0);
	member("pid", u32, 8);
	member("pid_", u32, 12);
	member("bytes", u64, 16);
	make(key, 20, value, 24, false);
	ck_assert_uint_eq(columns(), 6);
	ck_assert_uint_eq(made.keys, 2);
	check_column("pid", 0, PEAT_FIELD_UNSIGNED);
	check_column("comm", 4, PEAT_FIELD_STRING);
	check_column("reads", 24, PEAT_FIELD_UNSIGNED);
	check_column("pid__", 32, PEAT_FIELD_UNSIGNED);
	check_column("pid_", 36, PEAT_FIELD_UNSIGNED);
	check_column("bytes", 40, PEAT_FIELD_UNSIGNED);
}
END_TEST

/* As cpudist of libbpf-tools has it. */
START_TEST(test_histogram_in_a_struct)
{
	int slots = array(u32, 36), value = begin("hist", 160);

	member("slots", slots, 0);
	member("comm", comm, 144);
	make(u32, 4, value, 160, false);
	ck_assert_uint_eq(columns(), 4);
	check_column("comm", 8 + 144, PEAT_FIELD_STRING);
	check_column("count", 168, PEAT_FIELD_UNSIGNED);
	ck_assert_uint_eq(check_column("slots", 176, PEAT_FIELD_ARRAY)->count, 64);
	ck_assert_uint_eq(made.count_at, 168);
	ck_assert_uint_eq(made.slots_at, 176);
	ck_assert_uint_eq(made.slot_offset, 0);
	ck_assert_uint_eq(made.slot_bytes, 4);
	ck_assert_uint_eq(made.slot_count, 36);
	ck_assert_uint_eq(made.row_bytes, 176 + 64 * 8);
}
END_TEST

/* Only a tag shows that an array without a name is a histogram. */
START_TEST(test_histogram_by_tag)
{
	int value = array(u64, 27);

	make(u32, 4, value, 216, true);
	ck_assert_uint_eq(columns(), 3);
	ck_assert_uint_eq(made.slot_count, 27);
	ck_assert_uint_eq(made.slot_bytes, 8);
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

START_TEST(test_arrays_that_are_no_histogram)
{
	int value = array(u64, 27);

	make(u32, 4, value, 216, false);
	ck_assert_uint_eq(check_column("value", 8, PEAT_FIELD_ARRAY)->count, 27);
	ck_assert_uint_eq(made.slot_count, 0);
}
END_TEST

START_TEST(test_histogram_with_too_many_slots)
{
	int value = array(u64, 65);

	make(u32, 4, value, 520, true);
	check_column("value", 8, PEAT_FIELD_ARRAY);
	ck_assert_uint_eq(made.slot_count, 0);
	ck_assert_uint_eq(warnings, 1);
}
END_TEST

static void check_slots(int element, uint32_t bytes, uint32_t count, uint32_t expected)
{
	int value = array(element, count);
	struct map_type type = { "hist", NULL,		btf,  (uint32_t)u32, (uint32_t)value,
				 4,	 bytes * count, true, false };

	warnings = 0;
	ck_assert_int_eq(map_schema__make(&made, &type), 0);
	ck_assert_uint_eq(made.slot_count, expected);
	ck_assert_uint_eq(made.slot_bytes, expected ? bytes : 0);
	ck_assert_uint_eq(warnings, expected ? 0 : 1);
	map_schema__free(&made);
}

START_TEST(test_arrays_are_slots)
{
	check_slots(known(btf__add_int(btf, "short", 2, BTF_INT_SIGNED)), 2, 10, 10);
	check_slots(known(btf__add_int(btf, "unsigned short", 2, 0)), 2, 64, 64);
	check_slots(u64, 8, 2, 2);
	check_slots(u64, 8, 1, 0);
	check_slots(known(btf__add_int(btf, "unsigned char", 1, 0)), 1, 10, 0);
	check_slots(known(btf__add_float(btf, "double", 8)), 8, 10, 0);
	check_slots(known(btf__add_typedef(btf, "__be64", u64)), 8, 10, 0);
}
END_TEST

START_TEST(test_largest_value_is_bytes)
{
	btf__free(btf);
	btf = NULL;
	make(0, 4, 0, 63996, false);
	ck_assert_uint_eq(check_column("value", 8, PEAT_FIELD_BYTES)->bytes, 63996);
}
END_TEST

START_TEST(test_own_count_is_kept)
{
	int slots = array(u64, 2), value = begin("hist", 24);

	member("count", u64, 0);
	member("slots", slots, 8);
	make(u32, 4, value, 24, false);
	ck_assert_uint_eq(columns(), 3);
	check_column("count", 8, PEAT_FIELD_UNSIGNED);
	ck_assert_uint_eq(made.count_at, 0);
	ck_assert_uint_eq(made.slots_at, 32);
}
END_TEST

static enum map_merge merge_of(const char *name)
{
	return made.merges[peat_schema__find(made.schema, name, NULL) -
			   peat_schema__fields(made.schema, NULL)];
}

START_TEST(test_merges_by_name_or_tag)
{
	int value = begin("stat", 48);

	member("total", u64, 0);
	member("max_ns", u64, 8);
	member("delay_min", u64, 16);
	member("maximal", u64, 24);
	member("last", u64, 32);
	member("max", u64, 40);
	known(btf__add_decl_tag(btf, "peat:merge:max", value, 4));
	known(btf__add_decl_tag(btf, "peat:merge:sum", value, 5));
	known(btf__add_decl_tag(btf, "peat:merge:mean", value, 3));
	make(u32, 4, value, 48, false);
	ck_assert_int_eq(merge_of("key"), MAP_MERGE_DEFAULT);
	ck_assert_int_eq(merge_of("total"), MAP_MERGE_DEFAULT);
	ck_assert_int_eq(merge_of("max_ns"), MAP_MERGE_MAX);
	ck_assert_int_eq(merge_of("delay_min"), MAP_MERGE_MIN);
	ck_assert_int_eq(merge_of("maximal"), MAP_MERGE_DEFAULT);
	ck_assert_int_eq(merge_of("last"), MAP_MERGE_MAX);
	ck_assert_int_eq(merge_of("max"), MAP_MERGE_SUM);
	ck_assert_uint_eq(warnings, 1);
}
END_TEST

/* As filetop, and others, have them. */
START_TEST(test_identities_are_not_added)
{
	int key = begin("id", 8), value;

	member("inode", u32, 0);
	member("dev", u32, 4);
	value = begin("stat", 40);
	member("inode", u64, 0);
	member("pid", u64, 8);
	member("start_ts", u64, 16);
	member("tsunamis", u64, 24);
	member("dev", u64, 32);
	known(btf__add_decl_tag(btf, "peat:merge:max", value, 4));
	make(key, 8, value, 40, false);
	ck_assert_int_eq(merge_of("inode_"), MAP_MERGE_FIRST);
	ck_assert_int_eq(merge_of("pid"), MAP_MERGE_FIRST);
	ck_assert_int_eq(merge_of("start_ts"), MAP_MERGE_FIRST);
	ck_assert_int_eq(merge_of("tsunamis"), MAP_MERGE_DEFAULT);
	ck_assert_int_eq(merge_of("dev_"), MAP_MERGE_MAX);
}
END_TEST

START_TEST(test_without_types)
{
	btf__free(btf);
	btf = NULL;
	make(0, 12, 0, 8, false);
	ck_assert_uint_eq(check_column("key", 0, PEAT_FIELD_BYTES)->bytes, 12);
	check_column("value", 16, PEAT_FIELD_UNSIGNED);
}
END_TEST

START_TEST(test_types_of_a_map)
{
	int be32 = known(btf__add_typedef(btf, "__be32", u32));
	int address = begin("in_addr", 4);

	member("s_addr", be32, 0);
	make(address, 4, be32, 4, false);
	check_column("key", 0, PEAT_FIELD_IPV4);
	check_column("value", 8, PEAT_FIELD_IPV4);
}
END_TEST

/* Only the fields of its own struct are the length of a field. */
START_TEST(test_lengths_are_of_own_struct)
{
	int key = begin("path", 20), value;

	member("size", u32, 0);
	member("text", comm, 4);
	known(btf__add_decl_tag(btf, "peat:len:size", key, 1));
	value = begin("last", 20);
	member("size", u32, 0);
	member("path", comm, 4);
	known(btf__add_decl_tag(btf, "peat:len:size", value, 1));
	make(key, 20, value, 20, false);
	ck_assert_str_eq(check_column("text", 4, PEAT_FIELD_STRING)->length->name, "size");
	ck_assert_str_eq(check_column("path", 28, PEAT_FIELD_STRING)->length->name, "size_");
}
END_TEST

/* The fields of a histogram are removed, and others move to their place. */
START_TEST(test_lengths_after_a_histogram)
{
	int slots = array(u64, 4), inner = begin("inner", 24), value;

	member("size", u32, 0);
	member("there", u32, 4);
	member("text", comm, 8);
	known(btf__add_decl_tag(btf, "peat:len:size", inner, 2));
	known(btf__add_decl_tag(btf, "peat:present:there", inner, 2));
	value = begin("value", 56);
	member("slots", slots, 0);
	member("inner", inner, 32);
	make(u32, 4, value, 56, true);
	ck_assert_str_eq(check_column("inner.text", 8, PEAT_FIELD_STRING)->length->name, "size");
	ck_assert_str_eq(check_column("inner.text", 8, PEAT_FIELD_STRING)->presence->name, "there");
}
END_TEST

START_TEST(test_wrong_sizes_are_refused)
{
	int section = known(btf__add_datasec(btf, ".bss", 8));

	refused(u32, 8, u64, 8, EBADMSG);
	refused(u32, 4, u64, 4, EBADMSG);
	refused(u32, 4, section, 8, EINVAL);
	refused(0, 5, 0, 63996, EINVAL);
	refused(u32, 4, 1000, 8, EBADMSG);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_numbers_are_key_and_value);
	tcase_add_test(tests, test_structs_become_columns);
	tcase_add_test(tests, test_histogram_in_a_struct);
	tcase_add_test(tests, test_histogram_by_tag);
	tcase_add_test(tests, test_arrays_that_are_no_histogram);
	tcase_add_test(tests, test_histogram_with_too_many_slots);
	tcase_add_test(tests, test_arrays_are_slots);
	tcase_add_test(tests, test_largest_value_is_bytes);
	tcase_add_test(tests, test_own_count_is_kept);
	tcase_add_test(tests, test_merges_by_name_or_tag);
	tcase_add_test(tests, test_identities_are_not_added);
	tcase_add_test(tests, test_without_types);
	tcase_add_test(tests, test_types_of_a_map);
	tcase_add_test(tests, test_lengths_are_of_own_struct);
	tcase_add_test(tests, test_lengths_after_a_histogram);
	tcase_add_test(tests, test_wrong_sizes_are_refused);
}
