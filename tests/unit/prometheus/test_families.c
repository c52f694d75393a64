// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_families.c: points by metric and label set. */
#include <errno.h>

#include "prometheus/families.h"
#include "unit/prometheus/points.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct label_sets sets;
static struct families families;

static void setup(void)
{
	sets = (struct label_sets){ .most = 2, .most_bytes = 100000 };
	families = (struct families){ .sets = &sets };
}

static void teardown(void)
{
	families__free(&families);
	label_sets__free(&sets);
}

static void begin_anew(void)
{
	families__free(&families);
	families = (struct families){ .sets = &sets };
}

static void add(const char *name, const char *label, uint64_t count)
{
	struct peat_point point =
		POINT(PEAT_POINT_COUNTER, name, .count = count, LABELS({ "k", label }));

	ck_assert_int_eq(families__add(&families, &point, false), 0);
}

static const struct series *series(const char *name, const char *labels)
{
	for (struct family *family = families.first; family; family = family->next)
		for (struct series *at = family->first; at; at = at->next)
			if (!strcmp(family->name, name) && !strcmp(at->labels, labels))
				return at;
	ck_abort_msg("no series %s{%s}", name, labels);
	return NULL;
}

START_TEST(test_puts_points_together)
{
	add("a", "x", 1);
	add("b", "x", 2);
	ck_assert_ptr_eq(families.first->next, families.last);
	ck_assert_str_eq(families.first->name, "a");
	ck_assert_uint_eq(series("a", "k=\"x\"")->count, 1);
	ck_assert_uint_eq(series("b", "k=\"x\"")->count, 2);
	/* The same label set is one series. */
	add("a", "x", 10);
	ck_assert_uint_eq(series("a", "k=\"x\"")->count, 11);
	ck_assert_ptr_null(families.first->first->next);
	ck_assert_uint_eq(families.in_other, 0);
}
END_TEST

START_TEST(test_sums_stay_exact)
{
	for (int i = 0; i < 3; i++) {
		add("a", "x", 1);
		add("a", "y", 2);
		add("a", "z", 4);
		add("a", "w", 8);
		add("b", "x", 16);
		ck_assert_uint_eq(series("a", "k=\"x\"")->count, 1);
		ck_assert_uint_eq(series("a", "k=\"y\"")->count, 2);
		ck_assert_uint_eq(series("a", "k=\"other\"")->count, 12);
		ck_assert_uint_eq(series("b", "k=\"other\"")->count, 16);
		ck_assert_uint_eq(families.in_other, 3);
		begin_anew();
	}
}
END_TEST

/* Also if the label sets come in another order, or are missing. */
START_TEST(test_admitted_sets_keep_places)
{
	add("a", "x", 1);
	add("a", "y", 2);
	begin_anew();
	add("a", "z", 4);
	add("a", "y", 2);
	ck_assert_uint_eq(series("a", "k=\"other\"")->count, 4);
	ck_assert_uint_eq(series("a", "k=\"y\"")->count, 2);
	begin_anew();
	add("a", "z", 5);
	add("a", "x", 1);
	ck_assert_uint_eq(series("a", "k=\"other\"")->count, 5);
	ck_assert_uint_eq(series("a", "k=\"x\"")->count, 1);
}
END_TEST

START_TEST(test_points_without_limit)
{
	struct peat_point own =
		POINT(PEAT_POINT_COUNTER, "own", .count = 1, LABELS({ "cause", "c" }));
	struct peat_point bare = POINT(PEAT_POINT_COUNTER, "bare", .count = 2);

	sets.most = 0;
	ck_assert_int_eq(families__add(&families, &own, true), 0);
	ck_assert_int_eq(families__add(&families, &bare, false), 0);
	add("a", "x", 3);
	ck_assert_uint_eq(series("own", "cause=\"c\"")->count, 1);
	ck_assert_uint_eq(series("bare", "")->count, 2);
	ck_assert_uint_eq(series("a", "k=\"other\"")->count, 3);
}
END_TEST

START_TEST(test_refuses_other_kinds)
{
	struct peat_point gauge = POINT(PEAT_POINT_GAUGE, "a", .value = 1);
	struct peat_point unit = POINT(PEAT_POINT_COUNTER, "a.seconds", .unit = "ns");
	struct peat_point same = POINT(PEAT_POINT_COUNTER, "a_seconds", .unit = "s");

	add("a", "x", 1);
	ck_assert_int_eq(families__add(&families, &gauge, false), 0);
	ck_assert_uint_eq(families.refused, 1);
	ck_assert_int_eq(families__add(&families, &unit, false), 0);
	ck_assert_uint_eq(families.refused, 1);
	/* The same name, but other numbers. */
	ck_assert_int_eq(families__add(&families, &same, false), 0);
	ck_assert_uint_eq(families.refused, 2);
	ck_assert_ptr_null(families.first->first->next);
}
END_TEST

START_TEST(test_adds_histograms)
{
	struct peat_point point = POINT(PEAT_POINT_HISTOGRAM, "h", .count = 3, .value = 5,
					BUCKETS({ 1, 1 }, { INFINITY, 2 }), LABELS({ "k", "a" }));

	sets.most = 0;
	ck_assert_int_eq(families__add(&families, &point, false), 0);
	ck_assert_int_eq(families__add(&families, &point, false), 0);
	ck_assert_uint_eq(series("h", "k=\"other\"")->count, 6);
	ck_assert_uint_eq(series("h", "k=\"other\"")->buckets.at[1].count, 4);
	ck_assert_double_eq(series("h", "k=\"other\"")->value, 10);
}
END_TEST

START_TEST(test_errors_of_memory)
{
	struct peat_point point = POINT(PEAT_POINT_HISTOGRAM, "h", .count = 3, .value = 5,
					BUCKETS({ 1, 1 }, { INFINITY, 2 }), LABELS({ "k", "a" }));
	long blocks;
	int err;

	teardown();
	blocks = fail_alloc__blocks();
	for (unsigned nth = 1; nth; nth++) {
		setup();
		fail_alloc__begin(nth);
		err = families__add(&families, &point, false);
		if (!fail_alloc__end())
			break;
		/* Without memory for the set, it is not admitted. */
		ck_assert(err == -ENOMEM || families.in_other == 1);
		teardown();
	}
	ck_assert_int_eq(err, 0);
	teardown();
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
	setup();
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_puts_points_together);
	tcase_add_test(tests, test_sums_stay_exact);
	tcase_add_test(tests, test_admitted_sets_keep_places);
	tcase_add_test(tests, test_points_without_limit);
	tcase_add_test(tests, test_refuses_other_kinds);
	tcase_add_test(tests, test_adds_histograms);
	tcase_add_test(tests, test_errors_of_memory);
}
