// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_table_counters.c: rows of tables as counters. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "field/fields.h"
#include "perfetto/table_counters.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

struct numbers {
	uint64_t key, count;
	int64_t sum;
	uint64_t slots[2];
};

#define FIELD(member, of_kind, ...)                                                                \
	{                                                                                          \
		.name = #member, .kind = (of_kind), .span = 1,                                     \
		.offset = offsetof(struct numbers, member),                                        \
		.bytes = sizeof(((struct numbers *)0)->member), ##__VA_ARGS__                      \
	}

static const struct peat_field fields[] = {
	FIELD(key, PEAT_FIELD_UNSIGNED),
	FIELD(count, PEAT_FIELD_UNSIGNED),
	FIELD(sum, PEAT_FIELD_SIGNED, .is_signed = true),
	FIELD(slots, PEAT_FIELD_BYTES),
};

static struct numbers numbers[4];
static struct row lines[4];
static struct peat_rows rows;
static struct table_counters counters;
static struct tracks tracks;
static struct strbuf out, wanted;

static void begin(void)
{
	rows = (struct peat_rows){ .columns = { &fields[0], &fields[1], &fields[2], &fields[3] },
				   .column_count = 4,
				   .keys = 1,
				   .rows = lines };
	counters = (struct table_counters){ 0 };
	tracks = (struct tracks){ 0 };
}

static void end(void)
{
	table_counters__free(&counters);
	tracks__free(&tracks);
	strbuf__free(&out);
	strbuf__free(&wanted);
}

static void add_row(uint64_t key, uint64_t count, int64_t sum)
{
	numbers[rows.count] = (struct numbers){ key, count, sum, { 1, 2 } };
	lines[rows.count] = (struct row){ &numbers[rows.count], sizeof(*numbers), false };
	rows.count++;
}

static int append(uint64_t from_ns)
{
	strbuf__cut(&out, 0);
	return table_counters__append(&counters, &tracks, &out, "exec", &rows, from_ns,
				      from_ns + 10);
}

static void check(void)
{
	ck_assert_uint_eq(out.count, wanted.count);
	ck_assert_mem_eq(out.bytes, wanted.bytes, wanted.count);
	strbuf__cut(&wanted, 0);
}

START_TEST(test_numbers_have_tracks)
{
	begin();
	add_row(7, 5, -3);
	ck_assert_int_eq(append(1000), 0);
	packet__counter_track(&wanted, 1, "exec 7: count", PACKET_COUNT);
	packet__counter(&wanted, 1000, 1, 5);
	packet__counter_track(&wanted, 2, "exec 7: sum", PACKET_COUNT);
	packet__counter(&wanted, 1000, 2, -3);
	check();
	ck_assert_int_eq(append(1010), 0);
	packet__counter(&wanted, 1010, 1, 5);
	packet__counter(&wanted, 1010, 2, -3);
	check();
	end();
}
END_TEST

/* A counter without a row is 0, once; all are 0 at the end. */
START_TEST(test_counters_without_rows_are_zero)
{
	begin();
	add_row(7, 5, 0);
	ck_assert_int_eq(append(1000), 0);
	rows.count = 0;
	ck_assert_int_eq(append(1010), 0);
	packet__counter(&wanted, 1010, 1, 0);
	check();
	ck_assert_int_eq(append(1020), 0);
	check();
	add_row(7, 1, 0);
	ck_assert_int_eq(append(1030), 0);
	strbuf__cut(&out, 0);
	table_counters__end(&counters, &out);
	packet__counter(&wanted, 1040, 1, 0);
	check();
	table_counters__end(&counters, &out);
	end();
}
END_TEST

START_TEST(test_row_of_others_and_no_key)
{
	begin();
	add_row(0, UINT64_MAX, 0);
	lines[0].others = true;
	ck_assert_int_eq(append(1000), 0);
	packet__counter_track(&wanted, 1, "exec others: count", PACKET_COUNT);
	packet__counter(&wanted, 1000, 1, INT64_MAX);
	packet__counter_track(&wanted, 2, "exec others: sum", PACKET_COUNT);
	packet__counter(&wanted, 1000, 2, 0);
	check();
	end();
	begin();
	rows.keys = 0;
	rows.column_count = 1;
	rows.columns[0] = &fields[1];
	add_row(0, 9, 0);
	ck_assert_int_eq(append(1000), 0);
	packet__counter_track(&wanted, 1, "exec: count", PACKET_COUNT);
	packet__counter(&wanted, 1000, 1, 9);
	check();
	end();
}
END_TEST

START_TEST(test_counters_are_limited)
{
	struct numbers *many = calloc(COUNTERS_MOST + 3, sizeof(*many));
	struct row *each = calloc(COUNTERS_MOST + 3, sizeof(*each));

	ck_assert(many && each);
	begin();
	rows.column_count = 2;
	rows.rows = each;
	for (; rows.count < COUNTERS_MOST + 3; rows.count++) {
		many[rows.count] = (struct numbers){ .key = rows.count, .count = 1 };
		each[rows.count] = (struct row){ &many[rows.count], sizeof(*many), false };
	}
	ck_assert_int_eq(append(1000), 0);
	ck_assert_uint_eq(counters.by_name.count, COUNTERS_MOST);
	ck_assert_uint_eq(counters.left_out, 3);
	end();
	free(each);
	free(many);
}
END_TEST

START_TEST(test_no_memory)
{
	begin();
	add_row(7, 5, 0);
	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = append(1000);
		if (!fail_alloc__end())
			nth = UINT32_MAX;
		ck_assert_msg(err == -ENOMEM || out.failed || nth == UINT32_MAX, "%u: %d", nth,
			      err);
		end();
		begin();
		rows.count = 1;
	}
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_numbers_have_tracks);
	tcase_add_test(tests, test_counters_without_rows_are_zero);
	tcase_add_test(tests, test_row_of_others_and_no_key);
	tcase_add_test(tests, test_counters_are_limited);
	tcase_add_test(tests, test_no_memory);
}
