// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_expressions.c: --where of peat trace, record, replay, convert and count, and counts of
 * recordings.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/recording/recorded_run.h"

#define RUNS 20
#define PEAT recorded_run__peat()

/* ARGS_BYTES is 2, 3, 4 and 5 in turns. */
static void run_programs(const char *path)
{
	static const char *const args[] = { "a", "ab", "abc", "abcd" };

	for (int i = 0; i < RUNS; i++)
		process__run(path, ARGV(args[i % 4]));
}

/* The lines of a command that has to succeed. */
static struct json_lines lines_of(struct command *peat, const char *const *argv)
{
	command__run(peat, ALL_CAPS, argv);
	ck_assert_msg(peat->status == 0, "status %d: %s", peat->status, peat->err_text);
	return json_lines__split(peat->out_text);
}

/* Records all runs of the program to the file x.data. */
static void record(const char *path)
{
	struct command peat;

	recorded_run__start(&peat, RECORD("exec", "-o", "x.data"));
	run_programs(path);
	recorded_run__stop(&peat, 0);
	command__free(&peat);
}

static size_t count_matching(const char *path, const char *const *argv)
{
	struct command peat;
	struct json_lines events = lines_of(&peat, argv);
	size_t count = 0;

	for (size_t i = 0; i < events.count; i++)
		count += !strcmp(json_event__text(events.lines[i], "filename"), path);
	json_lines__free(&events);
	command__free(&peat);
	return count;
}

/* ---- live ------------------------------------------------------------------------------------ */

START_TEST(test_trace_where)
{
	const char *path = process__program();
	struct json_lines events;
	struct command peat;
	char where[128];

	snprintf(where, sizeof(where), "filename == \"%s\" && args_bytes in (3, 5)", path);
	command__start(&peat, ALL_CAPS,
		       ARGV(PEAT, "trace", "exec", "-v", "-j", "--where", where, "-n", "3"));
	command__expect(peat.err, "attached");
	run_programs(path);
	command__finish(&peat);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	events = json_lines__split(peat.out_text);
	ck_assert_uint_eq(events.count, 3);
	for (size_t i = 0; i < events.count; i++) {
		ck_assert_str_eq(json_event__text(events.lines[i], "filename"), path);
		ck_assert(json_lines__is(events.lines[i], "args_bytes", "3") ||
			  json_lines__is(events.lines[i], "args_bytes", "5"));
	}
	ck_assert_ptr_nonnull(strstr(peat.err_text, "3 events"));
	ck_assert_ptr_nonnull(strstr(peat.err_text, "filtered"));
	json_lines__free(&events);
	command__free(&peat);
	unlink(path);
}
END_TEST

/* Kernel records have to pass --comm as well. */
START_TEST(test_kernel_records)
{
	const char *path = process__program();
	struct json_lines events;
	struct command peat;
	char comm[16];

	snprintf(comm, sizeof(comm), "%s", strrchr(path, '/') + 1);
	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "@comm", "@task", "-j", "--comm", comm, "--where", "exec",
			  "--", "/bin/sh", "-c", "for i in 1 2 3 4 5; do \"$0\"; done", path));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	events = json_lines__split(peat.out_text);
	ck_assert_uint_eq(events.count, 5);
	for (size_t i = 0; i < events.count; i++) {
		ck_assert_str_eq(json_event__text(events.lines[i], "type"), "@comm");
		ck_assert_str_eq(json_event__text(events.lines[i], "comm"), comm);
	}
	json_lines__free(&events);
	command__free(&peat);
	unlink(path);
}
END_TEST

/* The recording has the ledger's count of rejected events: at least the other runs. */
static void check_ledger(void)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, REPLAY("--stats", "-j", "x.data"));
	ck_assert_uint_ge(json_lines__number(peat.out_text, "ledger.filtered"), RUNS / 2);
	ck_assert_int_eq(json_lines__number(peat.out_text, "ledger.emitted"),
			 json_lines__number(peat.out_text, "ledger.filtered") +
				 json_lines__number(peat.out_text, "ledger.delivered"));
	command__free(&peat);
}

/* The recording has the matching samples, and the kernel's records of all tasks. */
START_TEST(test_record_where)
{
	const char *path = process__program();
	struct command peat;
	char where[128];

	snprintf(where, sizeof(where), "filename == \"%s\" && args_bytes == 4", path);
	recorded_run__start(&peat, RECORD("exec", "-o", "x.data", "--where", where));
	run_programs(path);
	recorded_run__stop(&peat, 0);
	ck_assert_uint_le(count_matching(path, REPLAY("-j", "-q", "x.data")), RUNS / 4);
	ck_assert_uint_ge(count_matching(path, REPLAY("-j", "-q", "x.data")) +
				  command__missed(&peat),
			  RUNS / 4);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, REPLAY("-j", "-q", "x.data"));
	ck_assert_uint_le(recorded_run__count(peat.out_text, "\n"), RUNS / 4);
	command__free(&peat);
	check_ledger();
	command__run(&peat, ALL_CAPS, REPLAY("-j", "-q", "x.data", "@comm"));
	ck_assert_uint_ge(recorded_run__count(peat.out_text, "\"type\":\"@comm\""), RUNS);
	command__free(&peat);
	unlink(path);
}
END_TEST

/* ---- recordings ------------------------------------------------------------------------------ */

START_TEST(test_replay_where)
{
	const char *path = process__program();
	size_t all;

	record(path);
	all = count_matching(path, REPLAY("-j", "-q", "x.data"));
	ck_assert_uint_eq(
		count_matching(path, REPLAY("-j", "-q", "x.data", "--where", "args_bytes >= 2")),
		all);
	ck_assert_uint_eq(
		count_matching(path, REPLAY("-j", "-q", "x.data", "--where", "args_bytes == 2")) +
			count_matching(path,
				       REPLAY("-j", "-q", "x.data", "--where", "args_bytes != 2")),
		all);
	ck_assert_uint_eq(
		count_matching(path,
			       REPLAY("-j", "-q", "x.data", "-n", "2", "--where",
				      "args_bytes == 3 && filename ~ \"/tmp/run-*-of-peat\"")),
		2);
	unlink(path);
}
END_TEST

START_TEST(test_convert_where)
{
	const char *path = process__program();
	struct command peat;

	record(path);
	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "convert", "x.data", "--to", "json", "-o", "-", "--where",
			  "args_bytes == 5"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_uint_gt(recorded_run__count(peat.out_text, path), 0);
	ck_assert_uint_le(recorded_run__count(peat.out_text, path), RUNS / 4);
	ck_assert_ptr_null(strstr(peat.out_text, "\"args_bytes\":4"));
	command__free(&peat);
	command__run(
		&peat, ALL_CAPS,
		ARGV(PEAT, "convert", "x.data", "--to", "folded", "-o", "y", "--where", "(uid"));
	ck_assert_int_eq(peat.status, 64);
	recorded_run__check_has(peat.err_text, "^\n");
	command__free(&peat);
	unlink(path);
}
END_TEST

/* Rows of the recording, and events of peat replay with the same values. */
START_TEST(test_count_matches_replay)
{
	const char *path = process__program();
	struct command count, replay;
	struct json_lines tables, events;

	record(path);
	tables = lines_of(&count, ARGV(PEAT, "count", "x.data", "-j", "--by", "comm,args_bytes",
				       "--max", "ppid"));
	events = lines_of(&replay, REPLAY("-j", "-q", "x.data"));
	ck_assert_uint_eq(tables.count, 1);
	ck_assert_uint_eq(json_table__total(tables.lines[0]), events.count);
	for (unsigned row = 0; row < json_table__rows(tables.lines[0]); row++) {
		unsigned long long same = 0, args, ppid = 0;
		char *comm =
			strdup(json_event__text(tables.lines[0], json_table__path(row, "comm")));

		args = json_table__number(tables.lines[0], (int)row, "args_bytes");
		for (size_t i = 0; i < events.count; i++) {
			if (strcmp(json_event__text(events.lines[i], "comm"), comm) ||
			    json_event__number(events.lines[i], "args_bytes") != args)
				continue;
			same++;
			if (json_event__number(events.lines[i], "ppid") > ppid)
				ppid = json_event__number(events.lines[i], "ppid");
		}
		ck_assert_uint_eq(json_table__number(tables.lines[0], (int)row, "count"), same);
		ck_assert_uint_eq(json_table__number(tables.lines[0], (int)row, "max"), ppid);
		free(comm);
	}
	json_lines__free(&tables);
	json_lines__free(&events);
	command__free(&count);
	command__free(&replay);
	unlink(path);
}
END_TEST

static unsigned long long total(const char *const *argv)
{
	unsigned long long sum = 0;
	struct command peat;
	struct json_lines tables = lines_of(&peat, argv);

	for (size_t i = 0; i < tables.count; i++)
		sum += json_table__total(tables.lines[i]);
	json_lines__free(&tables);
	command__free(&peat);
	return sum;
}

/* Every way to select events selects the same ones as peat replay. */
START_TEST(test_count_of_selected_events)
{
	const char *path = process__program();
	size_t all;

	record(path);
	all = count_matching(
		path, REPLAY("-j", "-q", "x.data", "--where", "filename ~ \"/tmp/run-*-of-peat\""));
	ck_assert_uint_eq(total(ARGV(PEAT, "count", "x.data", "-j", "--where",
				     "filename ~ \"/tmp/run-*-of-peat\"")),
			  all);
	ck_assert_uint_eq(total(ARGV(PEAT, "count", "x.data", "peat:e*", "-j", "-i", "1ms",
				     "--where", "filename ~ \"/tmp/run-*-of-peat\"")),
			  all);
	ck_assert_uint_eq(total(ARGV(PEAT, "top", "x.data", "-j", "--where",
				     "filename ~ \"/tmp/run-*-of-peat\"")),
			  all);
	ck_assert_uint_eq(total(ARGV("/bin/sh", "-c",
				     "\"$0\" count - -j --where 'args_bytes > 5' "
				     "<x.data; \"$0\" count - -j "
				     "--where 'args_bytes <= 5' <x.data",
				     PEAT)),
			  total(ARGV(PEAT, "count", "./x.data", "-j")));
	ck_assert_uint_eq(total(ARGV(PEAT, "count", "x.data", "-j", "-p", "1")), 0);
	unlink(path);
}
END_TEST

/* ---- messages -------------------------------------------------------------------------------- */

static void check_refused(int status, const char *const *argv, const char *word)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == status, "%s: status %d: %s", word, peat.status, peat.err_text);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_msg(strstr(peat.err_text, word), "'%s' does not say '%s'", peat.err_text, word);
	ck_assert_ptr_null(strstr(peat.err_text, "loaded"));
	command__free(&peat);
}

START_TEST(test_errors_have_places)
{
	const char *path = process__program();

	record(path);
	check_refused(64, ARGV(PEAT, "trace", "exec", "-v", "--where", "args_bytes >"),
		      "\n  args_bytes >\n              ^\n");
	check_refused(64, ARGV(PEAT, "count", "exec", "-v", "--where", "(uid == 1"), "^\n");
	check_refused(64, REPLAY("x.data", "--where", "uid === 1"), "^\n");
	check_refused(64, REPLAY("x.data", "--stats", "--where", "uid"), "--where");
	check_refused(1, REPLAY("x.data", "--where", "nothing == 1"), "nothing");
	check_refused(1, ARGV(PEAT, "trace", "exec", "--where", "nothing == 1"), "nothing");
	check_refused(1, ARGV(PEAT, "trace", "exec", "--where", "uid == \"root\""), "uid");
	check_refused(1, ARGV(PEAT, "count", "x.data", "--by", "nothing"), "nothing");
	check_refused(64, ARGV(PEAT, "count", "x.data", "-d", "1"), "recording");
	check_refused(64, ARGV(PEAT, "count", "x.data", "--", "true"), "recording");
	check_refused(64, ARGV(PEAT, "count", "x.data", "@nothing"), "@nothing");
	check_refused(1, ARGV(PEAT, "count", "/etc/passwd"), "/etc/passwd");
	unlink(path);
}
END_TEST

static Suite *expressions_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("expressions", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, NULL);
	tcase_add_test(tests, test_trace_where);
	tcase_add_test(tests, test_kernel_records);
	tcase_add_test(tests, test_record_where);
	tcase_add_test(tests, test_replay_where);
	tcase_add_test(tests, test_convert_where);
	tcase_add_test(tests, test_count_matches_replay);
	tcase_add_test(tests, test_count_of_selected_events);
	tcase_add_test(tests, test_errors_have_places);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { expressions_suite };

	return harness__main(argc, argv, suites, 1);
}
