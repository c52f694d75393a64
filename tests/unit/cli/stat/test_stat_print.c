// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stat_print.c: counts as text, fields and JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli/stat/stat_print.h"
#include "support/machine/json_event.h"
#include "unit/suite.h"

static struct stat_row made[] = {
	{ .value = { .name = "task-clock",
		     .unit = "ns",
		     .value = 1234567890123,
		     .scaled = 1234567890123,
		     .amount = 1234567890123,
		     .enabled_ns = 1000,
		     .running_ns = 1000,
		     .cpu = -1,
		     .tid = -1,
		     .group = PEAT_COUNTER_NO_GROUP },
	  .metric = { .unit = "CPUs utilized", .number = 0.5 } },
	{ .value = { .name = "cycles",
		     .value = 1000,
		     .scaled = 3000,
		     .amount = 3000,
		     .enabled_ns = 900,
		     .running_ns = 300,
		     .cpu = -1,
		     .tid = -1,
		     .group = 0 },
	  .metric = { .unit = "/sec", .number = 1234567, .is_rate = true } },
	{ .value = { .name = "branch-misses",
		     .cpu = -1,
		     .tid = -1,
		     .status = PEAT_COUNTER_NOT_SUPPORTED,
		     .group = PEAT_COUNTER_NO_GROUP } },
	{ .value = { .name = "power/energy-pkg/",
		     .unit = "Joules",
		     .value = 4096,
		     .scaled = 4096,
		     .amount = 1.25,
		     .enabled_ns = 5,
		     .running_ns = 5,
		     .cpu = -1,
		     .tid = -1,
		     .group = PEAT_COUNTER_NO_GROUP } },
};

static const struct stat_rows rows = { made, sizeof(made) / sizeof(*made) };

static const struct stat_times times = { .elapsed_ns = 1500000000,
					 .since_ns = 2500000000,
					 .now_ns = 77,
					 .has_command = true,
					 .user_s = 0.25,
					 .sys_s = 0.5 };

static char *printed_rows(struct stat_print print, const struct stat_rows *of,
			  const struct stat_times *at)
{
	size_t bytes;
	char *text;

	print.out = open_memstream(&text, &bytes);
	ck_assert_ptr_nonnull(print.out);
	stat_print__rows(&print, of, at);
	ck_assert_int_eq(fclose(print.out), 0);
	return text;
}

static char *printed(struct stat_print print)
{
	return printed_rows(print, &rows, &times);
}

static void check_has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no '%s' in %s", part, text);
}

START_TEST(test_prints_text)
{
	char *text = printed((struct stat_print){ .title = "'true'" });

	check_has(text, "\n Performance counter stats for 'true':\n\n");
	check_has(text, "      1,234,567.89 msec   task-clock");
	check_has(text, "#    0.500 CPUs utilized\n");
	check_has(text, "             3,000        cycles ");
	check_has(text, "#    1.235 M/sec                     (33.33%)\n");
	check_has(text, "   <not supported>        branch-misses\n");
	check_has(text, "              1.25 Joules power/energy-pkg/\n");
	check_has(text, "       1.500000000 seconds time elapsed\n");
	check_has(text, "       0.250000000 seconds user\n       0.500000000 seconds sys\n");
	free(text);
}
END_TEST

START_TEST(test_prints_separated_fields)
{
	char *text = printed((struct stat_print){ .separator = ";" });

	ck_assert_str_eq(text, "1234567.89;msec;task-clock;1000;100.00;0.500;CPUs utilized\n"
			       "3000;;cycles;300;33.33;1.235;M/sec\n"
			       "<not supported>;;branch-misses;0;100.00;;\n"
			       "1.25;Joules;power/energy-pkg/;5;100.00;;\n");
	free(text);
	text = printed((struct stat_print){ .separator = ",", .intervals = true });
	check_has(text, "2.500000000,3000,,cycles,300,");
	free(text);
}
END_TEST

START_TEST(test_prints_json)
{
	char *text = printed((struct stat_print){ .json = true });
	size_t at;

	ck_assert_ptr_null(json_lines__check(text, strlen(text), &at));
	ck_assert_str_eq(json_event__text(text, "type"), "stat");
	ck_assert_str_eq(json_lines__raw(text, "seconds"), "1.500000000");
	ck_assert_str_eq(json_lines__raw(text, "user_seconds"), "0.250000");
	ck_assert_str_eq(json_event__text(text, "events[1].event"), "cycles");
	json_event__check(text, "events[1].count", 1000);
	json_event__check(text, "events[1].scaled", 3000);
	json_event__check(text, "events[1].group", 0);
	ck_assert_str_eq(json_lines__raw(text, "events[1].running_percent"), "33.33");
	json_event__check(text, "events[1].metric", 1234567);
	ck_assert(!json_event__has(text, "events[0].group"));
	ck_assert_str_eq(json_event__text(text, "events[2].status"), "not supported");
	ck_assert(json_lines__is(text, "events[2].count", "null"));
	ck_assert_str_eq(json_lines__raw(text, "events[3].amount"), "1.25");
	ck_assert_str_eq(json_event__text(text, "events[3].unit"), "Joules");
	free(text);
}
END_TEST

/* ---- runs ------------------------------------------------------------------------------------ */

static const struct stat_times run_times = {
	.elapsed_ns = 2000000000, .runs = 3, .deviation_s = 0.5, .deviation_percent = 25
};

/* The first two events, and one that is not supported, as means. */
static struct stat_rows mean_rows(struct stat_row at[3])
{
	for (size_t i = 0; i < 3; i++) {
		at[i] = made[i];
		at[i].is_mean = true;
		at[i].has_deviation = i < 2;
		at[i].deviation = 100.25;
		at[i].deviation_percent = 3.125;
	}
	at[1].value.amount = 3000.4; /* a fraction that text leaves out */
	return (struct stat_rows){ at, 3 };
}

START_TEST(test_prints_deviations_as_text)
{
	struct stat_row at[3];
	const struct stat_rows means = mean_rows(at);
	struct stat_print print = { .title = "'true'", .wanted_runs = 3 };
	char *text = printed_rows(print, &means, &run_times);

	check_has(text, "stats for 'true' (3 runs):\n");
	check_has(text, "#    0.500 CPUs utilized             ( +-  3.12% )\n");
	check_has(text, "             3,000      cycles ");
	check_has(text, "#    1.235 M/sec                     ( +-  3.12% ) (33.33%)\n");
	check_has(text, "   <not supported>      branch-misses\n");
	check_has(text, "2.000000000 +- 0.500000000 seconds time elapsed  ( +- 25.00% )\n");
	free(text);
	print.wanted_runs = 9;
	text = printed_rows(print, &means, &run_times);
	check_has(text, "stats for 'true' (3 of 9 runs):\n");
	free(text);
}
END_TEST

START_TEST(test_prints_deviations_as_fields)
{
	struct stat_row at[3];
	const struct stat_rows means = mean_rows(at);
	struct stat_print print = { .separator = ";", .wanted_runs = 3 };
	char *text = printed_rows(print, &means, &run_times);

	check_has(text, "3000;;cycles;3.12%;300;33.33;1.235;M/sec\n");
	free(text);
}
END_TEST

START_TEST(test_prints_deviations_as_json)
{
	struct stat_row at[3];
	const struct stat_rows means = mean_rows(at);
	struct stat_print print = { .json = true, .wanted_runs = 3 };
	char *text = printed_rows(print, &means, &run_times);
	size_t offset;

	ck_assert_ptr_null(json_lines__check(text, strlen(text), &offset));
	json_event__check(text, "runs", 3);
	ck_assert_str_eq(json_lines__raw(text, "seconds_deviation"), "0.5");
	ck_assert_str_eq(json_lines__raw(text, "seconds_deviation_percent"), "25");
	ck_assert_str_eq(json_lines__raw(text, "events[1].amount"), "3000.4");
	ck_assert_str_eq(json_lines__raw(text, "events[1].deviation"), "100.25");
	ck_assert_str_eq(json_lines__raw(text, "events[1].deviation_percent"), "3.125");
	ck_assert(json_lines__is(text, "events[2].deviation", "null"));
	free(text);
	text = printed((struct stat_print){ .json = true });
	ck_assert(!json_event__has(text, "runs"));
	ck_assert(!json_event__has(text, "events[0].deviation"));
	free(text);
}
END_TEST

/* ---- places ---------------------------------------------------------------------------------- */

static struct stat_row placed_row(struct cpu_place place, uint32_t cpus)
{
	struct stat_row row = made[1];

	row.place = place;
	row.cpus = cpus;
	return row;
}

START_TEST(test_prints_cores_and_sockets)
{
	struct stat_row cores[] = { placed_row((struct cpu_place){ 0, 1, 12 }, 2),
				    placed_row(CPU_PLACE_NONE, 0) },
			sockets[] = { placed_row((struct cpu_place){ 3, -1, -1 }, 8) };
	const struct stat_rows by_core = { cores, 2 }, by_socket = { sockets, 1 };
	struct stat_print core = { .by = STAT_BY_CORE, .title = "x", .separator = "," };
	struct stat_print socket = { .by = STAT_BY_SOCKET, .title = "x", .json = true };
	char *text = printed_rows(core, &by_core, &times);

	ck_assert_str_eq(text, "S0-D1-C12,2,3000,,cycles,300,33.33,1.235,M/sec\n"
			       ",0,3000,,cycles,300,33.33,1.235,M/sec\n");
	free(text);
	core.separator = NULL;
	text = printed_rows(core, &by_core, &times);
	check_has(text, "\nS0-D1-C12    2              3,000      cycles");
	check_has(text, "\nS*-D*-C*     0              3,000      cycles");
	free(text);
	core.json = true;
	text = printed_rows(core, &by_core, &times);
	json_event__check(text, "events[0].socket", 0);
	json_event__check(text, "events[0].die", 1);
	json_event__check(text, "events[0].core", 12);
	json_event__check(text, "events[0].cpus", 2);
	ck_assert(!json_event__has(text, "events[1].core"));
	free(text);
	text = printed_rows(socket, &by_socket, &times);
	json_event__check(text, "events[0].socket", 3);
	json_event__check(text, "events[0].cpus", 8);
	ck_assert(!json_event__has(text, "events[0].core"));
	free(text);
}
END_TEST

/* Any user may choose the name of a thread. */
START_TEST(test_prints_threads)
{
	struct stat_row row = placed_row(CPU_PLACE_NONE, 0);
	const struct stat_rows one = { &row, 1 };
	struct stat_print print = { .by = STAT_BY_THREAD, .title = "x" };
	char *text;

	row.value.tid = 17;
	row.comm = "work\033er*";
	text = printed_rows(print, &one, &times);
	check_has(text, "er*-17 ");
	ck_assert_ptr_null(strchr(text, '\033'));
	free(text);
	print.separator = ",";
	text = printed_rows(print, &one, &times);
	check_has(text, "er*-17,3000,,cycles,");
	ck_assert_ptr_null(strchr(text, '\033'));
	free(text);
	print.separator = NULL;
	print.json = true;
	text = printed_rows(print, &one, &times);
	json_event__check(text, "events[0].tid", 17);
	ck_assert_str_eq(json_event__text(text, "events[0].comm"), "work\033er*");
	free(text);
}
END_TEST

START_TEST(test_headings_of_intervals)
{
	struct stat_print print = { .intervals = true, .by = STAT_BY_CORE };
	char *text = printed(print);

	check_has(text, "#           time core     CPUs             counts unit events\n");
	free(text);
	print.by = STAT_BY_CPU;
	text = printed(print);
	check_has(text, "#           time CPU                 counts unit events\n");
	check_has(text, "     2.500000000 CPU*    ");
	free(text);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_prints_text);
	tcase_add_test(tests, test_prints_separated_fields);
	tcase_add_test(tests, test_prints_json);
	tcase_add_test(tests, test_prints_deviations_as_text);
	tcase_add_test(tests, test_prints_deviations_as_fields);
	tcase_add_test(tests, test_prints_deviations_as_json);
	tcase_add_test(tests, test_prints_cores_and_sockets);
	tcase_add_test(tests, test_prints_threads);
	tcase_add_test(tests, test_headings_of_intervals);
}
