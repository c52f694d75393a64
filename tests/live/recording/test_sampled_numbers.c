// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_sampled_numbers.c: numbers that the kernel sampled, such as period and addr, select and
 * count events: of recordings of stock perf, and live.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

#define PERIOD 3

/* Runs a line, which may use $PEAT. */
#define shell stock_perf__shellf

/* The number that a line prints. */
#define NUMBER(...) number_of(shell(__VA_ARGS__))

static unsigned long long number_of(char *text)
{
	unsigned long long number = strtoull(text, NULL, 0);

	free(text);
	return number;
}

static void record(const char *options)
{
	free(shell("perf record -q --no-bpf-event %s -o file -- ls / >/dev/null", options));
}

static unsigned long long count_where(const char *expression)
{
	return NUMBER("$PEAT count -q -j file --where '%s' | sed 's/.*\"count\"://'", expression);
}

START_TEST(test_period_of_all_samples)
{
	unsigned long long samples;
	char *table;

	need_perf();
	record("-e page-faults -c 3");
	samples = NUMBER("perf script -i file 2>/dev/null | wc -l");
	ck_assert_uint_gt(samples, 1);
	table = shell("$PEAT count -q -j file --by period --sum period");
	ck_assert_uint_eq(json_table__rows(table), 1);
	ck_assert_uint_eq(json_table__number(table, 0, "period"), PERIOD);
	ck_assert_uint_eq(json_table__number(table, 0, "sum"), PERIOD * samples);
	ck_assert_uint_eq(count_where("period == 3"), samples);
	ck_assert_uint_eq(count_where("period != 3"), 0);
	free(table);
}
END_TEST

/* The numbers are in each sample, and vary. */
START_TEST(test_numbers_of_each_sample)
{
	unsigned long long samples, sum;
	char expression[64], *first;

	need_perf();
	record("-e page-faults -F 5000 -d -W");
	samples = NUMBER("perf script -i file 2>/dev/null | wc -l");
	sum = NUMBER(
		"perf script -i file -F period 2>/dev/null | awk '{ n += $1 } END { print n }'");
	ck_assert_uint_eq(NUMBER("$PEAT count -q -j file --sum period | sed 's/.*\"sum\"://'"),
			  sum);
	first = shell("perf script -i file -F addr 2>/dev/null | sed -n '1s/ *//p'");
	first[strcspn(first, " \n")] = '\0';
	snprintf(expression, sizeof(expression), "addr == 0x%s", first);
	ck_assert_uint_ge(count_where(expression), 1);
	ck_assert_uint_eq(
		count_where(expression) +
			NUMBER("$PEAT count -q -j file --where '!(%s)' | sed 's/.*\"count\"://'",
			       expression),
		samples);
	ck_assert_uint_eq(count_where("ip && weight == 0 && ins_lat == 0"), samples);
	ck_assert_uint_eq(count_where("retire_lat == 0 && p_stage_cyc == 0"), samples);
	free(first);
}
END_TEST

START_TEST(test_average_has_fraction)
{
	char *text, wanted[64];

	need_perf();
	record("-e page-faults -F 5000");
	text = shell("perf script -i file -F period 2>/dev/null | "
		     "awk '{ n += $1 } END { printf \"%%g\", n / NR }'");
	snprintf(wanted, sizeof(wanted), " %s\n", text);
	free(text);
	text = shell("$PEAT count -q file --avg period");
	ck_assert_msg(strstr(text, wanted), "no%s in %s", wanted, text);
	free(text);
}
END_TEST

/* Stock perf samples no CPU in events of a process: it is unknown in tables as in events. */
START_TEST(test_unknown_cpu)
{
	char *text;

	need_perf();
	record("-e page-faults -c 3");
	text = shell("$PEAT replay -q -j file | head -1; $PEAT count -q -j file --by cpu; "
		     "$PEAT count -q file --by cpu");
	ck_assert_uint_eq(recorded_run__count(text, "\"cpu\":null"), 2);
	ck_assert_msg(strstr(text, "\n  -  "), "%s", text);
	free(text);
}
END_TEST

START_TEST(test_numbers_of_live_samples)
{
	char *table = shell("$PEAT count -q -j -e task-clock -c 100000 --by period --sum period "
			    "--where 'period >= 100000 && ip' -- "
			    "sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done' | tail -1");
	unsigned long long samples = json_table__number(table, 0, "count");

	ck_assert_uint_gt(samples, 1);
	ck_assert_uint_eq(json_table__number(table, 0, "sum"),
			  json_table__number(table, 0, "period") * samples);
	free(table);
}
END_TEST

START_TEST(test_number_that_was_not_sampled)
{
	struct command peat;

	need_perf();
	record("-e page-faults -c 3");
	command__run(&peat, ALL_CAPS,
		     ARGV(recorded_run__peat(), "count", "file", "--where", "weigt > 0"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_null(strstr(peat.err_text, "weight"));
	ck_assert_ptr_nonnull(strstr(peat.err_text, "period, "));
	command__free(&peat);
}
END_TEST

static Suite *sampled_numbers_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("sampled_numbers", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_period_of_all_samples);
	tcase_add_test(tests, test_numbers_of_each_sample);
	tcase_add_test(tests, test_average_has_fraction);
	tcase_add_test(tests, test_unknown_cpu);
	tcase_add_test(tests, test_numbers_of_live_samples);
	tcase_add_test(tests, test_number_that_was_not_sampled);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { sampled_numbers_suite };

	return harness__main(argc, argv, suites, 1);
}
