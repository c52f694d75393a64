// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stat_runs.c: means of the rows of several runs. */
#include <math.h>
#include <string.h>

#include "cli/stat/stat_runs.h"
#include "unit/suite.h"

static struct stat_runs runs;
static struct stat_rows means;
static struct stat_times mean_times;

static struct stat_row row(uint32_t event, int cpu, uint64_t count)
{
	return (struct stat_row){ .value = { .name = "page-faults",
					     .value = count,
					     .scaled = count,
					     .amount = (double)count,
					     .enabled_ns = 100,
					     .running_ns = 100,
					     .cpu = cpu,
					     .tid = -1 },
				  .event = event,
				  .place = CPU_PLACE_NONE };
}

static void add_rows(struct stat_row *at, size_t count)
{
	const struct stat_rows rows = { at, count };
	const struct stat_times times = {
		.elapsed_ns = 1000 * count, .has_command = true, .user_s = 0.5, .sys_s = 0.25
	};

	ck_assert_int_eq(stat_runs__add(&runs, &rows, &times), 0);
}

#define ADD(...)                                                                                   \
	do {                                                                                       \
		struct stat_row made[] = { __VA_ARGS__ };                                          \
		add_rows(made, sizeof(made) / sizeof(*made));                                      \
	} while (0)

static void compute(void)
{
	stat_rows__free(&means);
	ck_assert_int_eq(stat_runs__means(&runs, &means, &mean_times), 0);
}

START_TEST(test_means_of_runs)
{
	ADD(row(0, -1, 10), row(1, -1, 7));
	ADD(row(0, -1, 20), row(1, -1, 7));
	ADD(row(0, -1, 31), row(1, -1, 7));
	compute();
	ck_assert_uint_eq(means.count, 2);
	ck_assert_uint_eq(means.at[0].value.value, 20);
	ck_assert_uint_eq(means.at[0].value.scaled, 20);
	ck_assert_double_eq_tol(means.at[0].value.amount, 61. / 3, 1e-12);
	ck_assert(means.at[0].is_mean && means.at[0].has_deviation);
	ck_assert_double_eq_tol(means.at[0].deviation, sqrt((961 + 400 + 100 - 3721. / 3) / 6),
				1e-9);
	ck_assert_double_eq(means.at[1].deviation, 0);
	ck_assert_uint_eq(mean_times.runs, 3);
	ck_assert_uint_eq(mean_times.elapsed_ns, 2000);
	ck_assert_double_eq(mean_times.deviation_s, 0);
	ck_assert(mean_times.has_command);
	ck_assert_double_eq(mean_times.user_s, 0.5);
	ck_assert_double_eq(mean_times.sys_s, 0.25);
}
END_TEST

/* The names of a run end with its counters. */
START_TEST(test_names_are_copied)
{
	char name[] = "energy", unit[] = "Joules";
	struct stat_row made = row(0, -1, 5);

	made.value.name = name;
	made.value.unit = unit;
	add_rows(&made, 1);
	memset(name, 'x', sizeof(name) - 1);
	memset(unit, 'x', sizeof(unit) - 1);
	compute();
	ck_assert_str_eq(means.at[0].value.name, "energy");
	ck_assert_str_eq(means.at[0].value.unit, "Joules");
}
END_TEST

/* A CPU that comes or goes between two runs, and a changed order. */
START_TEST(test_rows_are_found_by_place)
{
	ADD(row(0, 0, 1), row(0, 1, 10));
	ADD(row(0, 1, 30), row(0, 2, 500), row(0, 0, 3));
	compute();
	ck_assert_uint_eq(means.count, 3);
	ck_assert_int_eq(means.at[0].value.cpu, 0);
	ck_assert_uint_eq(means.at[0].value.value, 2);
	ck_assert_uint_eq(means.at[1].value.value, 20);
	ck_assert_int_eq(means.at[2].value.cpu, 2);
	ck_assert_uint_eq(means.at[2].value.value, 500);
	ck_assert(!means.at[2].has_deviation);
}
END_TEST

START_TEST(test_runs_that_did_not_count)
{
	struct stat_row missing = row(0, -1, 0), unsupported = row(1, -1, 0);

	missing.value.status = PEAT_COUNTER_NOT_COUNTED;
	unsupported.value.status = PEAT_COUNTER_NOT_SUPPORTED;
	ADD(missing, unsupported);
	ADD(row(0, -1, 6), unsupported);
	ADD(row(0, -1, 10), unsupported);
	compute();
	ck_assert_int_eq(means.at[0].value.status, PEAT_COUNTER_COUNTED);
	ck_assert_uint_eq(means.at[0].value.value, 8);
	ck_assert_double_eq_tol(means.at[0].deviation, 2, 1e-12);
	ck_assert_int_eq(means.at[1].value.status, PEAT_COUNTER_NOT_SUPPORTED);
	ck_assert(!means.at[1].has_deviation);
}
END_TEST

START_TEST(test_one_run_has_no_deviation)
{
	ADD(row(0, -1, 10));
	compute();
	ck_assert(means.at[0].is_mean && !means.at[0].has_deviation);
	ck_assert_uint_eq(means.at[0].value.value, 10);
	ck_assert_uint_eq(mean_times.runs, 1);
}
END_TEST

static void teardown(void)
{
	stat_rows__free(&means);
	stat_runs__free(&runs);
}

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_means_of_runs);
	tcase_add_test(tests, test_names_are_copied);
	tcase_add_test(tests, test_rows_are_found_by_place);
	tcase_add_test(tests, test_runs_that_did_not_count);
	tcase_add_test(tests, test_one_run_has_no_deviation);
}
