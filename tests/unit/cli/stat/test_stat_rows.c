// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stat_rows.c: ratios between counters. */
#include <string.h>

#include "cli/stat/stat_rows.h"
#include "unit/suite.h"

#define SECOND 1000000000ULL

static struct stat_row row(const char *name, uint64_t scaled)
{
	return (struct stat_row){ .value = { .name = name,
					     .scaled = scaled,
					     .value = scaled,
					     .amount = (double)scaled,
					     .enabled_ns = SECOND,
					     .running_ns = SECOND,
					     .cpu = -1,
					     .tid = -1 } };
}

#define COMPUTE(...)                                                                               \
	struct stat_row at[] = { __VA_ARGS__ };                                                    \
	struct stat_rows rows = { at, sizeof(at) / sizeof(*at) };                                  \
	ck_assert_int_eq(stat_rows__compute(&rows, 2 * SECOND), 0)

static void check(const struct stat_row *of, double number, const char *unit)
{
	ck_assert_ptr_nonnull(of->metric.unit);
	ck_assert_str_eq(of->metric.unit, unit);
	ck_assert_double_eq_tol(of->metric.number, number, 1e-9);
}

START_TEST(test_computes_ratios)
{
	COMPUTE(row("cycles", 4000), row("instructions", 1000), row("branches", 200),
		row("branch-misses", 3), row("cache-references", 10), row("cache-misses", 5));

	check(&at[1], 0.25, "insn per cycle");
	ck_assert(!at[1].metric.is_percent);
	check(&at[3], 1.5, "of all branches");
	ck_assert(at[3].metric.is_percent);
	check(&at[5], 50, "of all cache refs");
	ck_assert_ptr_null(at[0].metric.unit);
	ck_assert_ptr_null(at[2].metric.unit);
}
END_TEST

START_TEST(test_computes_rates)
{
	COMPUTE(row("task-clock", SECOND / 2), row("cycles", SECOND), row("page-faults", 30));

	check(&at[0], 0.25, "CPUs utilized");
	check(&at[1], 2, "GHz");
	check(&at[2], 60, "/sec");
	ck_assert(at[2].metric.is_rate);
}
END_TEST

/* User space is compared with user space. */
START_TEST(test_modifiers_and_pmus)
{
	COMPUTE(row("cycles:k", 100), row("cycles:u", 400), row("instructions:u", 1000),
		row("cpu/branch-instructions/u", 100), row("cpu/branch-misses/u", 10),
		row("instructions:H", 50));

	check(&at[2], 2.5, "insn per cycle");
	check(&at[4], 10, "of all branches");
	check(&at[5], 0.5, "insn per cycle");
}
END_TEST

START_TEST(test_cpus_are_apart)
{
	COMPUTE(row("cycles", 100), row("cycles", 400), row("instructions", 100),
		row("instructions", 100));

	at[0].value.cpu = at[2].value.cpu = 0;
	at[1].value.cpu = at[3].value.cpu = 1;
	ck_assert_int_eq(stat_rows__compute(&rows, SECOND), 0);
	check(&at[2], 1, "insn per cycle");
	check(&at[3], 0.25, "insn per cycle");
}
END_TEST

START_TEST(test_without_counts)
{
	COMPUTE(row("cycles", 0), row("instructions", 100), row("task-clock", SECOND),
		row("page-faults", 3), row("sched:sched_switch", 7));

	at[2].value.status = PEAT_COUNTER_NOT_COUNTED;
	at[3].value.status = PEAT_COUNTER_NOT_SUPPORTED;
	ck_assert_int_eq(stat_rows__compute(&rows, SECOND), 0);
	for (size_t i = 0; i < rows.count; i++)
		ck_assert_ptr_null(at[i].metric.unit);
}
END_TEST

START_TEST(test_percent_of_time_running)
{
	struct stat_row partial = row("cycles", 1);

	ck_assert_double_eq(stat_rows__percent(&partial), 100);
	partial.value.running_ns = SECOND / 4;
	ck_assert_double_eq(stat_rows__percent(&partial), 25);
	partial.value.running_ns = 0;
	ck_assert_double_eq(stat_rows__percent(&partial), 0);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_computes_ratios);
	tcase_add_test(tests, test_computes_rates);
	tcase_add_test(tests, test_modifiers_and_pmus);
	tcase_add_test(tests, test_cpus_are_apart);
	tcase_add_test(tests, test_without_counts);
	tcase_add_test(tests, test_percent_of_time_running);
}
