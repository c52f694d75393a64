// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_replay_filters.c: which events peat replay prints, where to, and when it ends. */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/machine/json_event.h"

static char program[PATH_MAX];

static void setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	ck_assert_int_eq(setenv("PEAT", program, 1), 0);
	stock_perf__setup();
}

/* Records several events, processes and CPUs. */
static void record(void)
{
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e cpu-clock,page-faults -a -o recording -- sh -c "
		"'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; ls / >list; "
		"true'"));
}

#define REPLAY(...) ARGV(program, "replay", "-q", "-j", "--no-symbols", ##__VA_ARGS__)

static struct json_lines replay(struct command *peat, const char *const *argv)
{
	command__run(peat, ALL_CAPS, argv);
	ck_assert_msg(peat->status == 0 && !*peat->err_text, "status %d: %s", peat->status,
		      peat->err_text);
	return json_lines__split(peat->out_text);
}

/* Compares long texts: prints only the place where they differ. */
static void check_same(const char *got, const char *wanted)
{
	size_t same = 0;

	while (got[same] && got[same] == wanted[same])
		same++;
	ck_assert_msg(got[same] == wanted[same], "other from byte %zu on: '%.200s', not '%.200s'",
		      same, got + same, wanted + same);
}

/* Checks that a single line is logged, except for a hint at help. */
static void refused(int status, const char *says, const char *const *argv)
{
	struct command peat;
	size_t lines = 0;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == status, "status %d, not %d: %s", peat.status, status,
		      peat.err_text);
	ck_assert_msg(strstr(peat.err_text, says), "no '%s' in: %s", says, peat.err_text);
	for (const char *at = peat.err_text; (at = strchr(at, '\n')); at++)
		lines++;
	ck_assert_msg(lines == 1 || (status == 64 && lines == 2), "%zu lines: %s", lines,
		      peat.err_text);
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
}

/* ---- filters --------------------------------------------------------------------------------- */

/* Checks that exactly the events whose member has this value are printed, in the same order. */
static size_t check_filter(const char *member, const char *raw, const char *const *argv)
{
	struct command all, some;
	struct json_lines every = replay(&all, REPLAY("recording")), filtered = replay(&some, argv);
	size_t next = 0;

	for (size_t i = 0; i < every.count; i++)
		if (json_lines__is(every.lines[i], member, raw)) {
			ck_assert_msg(next < filtered.count, "no %s", every.lines[i]);
			ck_assert_str_eq(filtered.lines[next++], every.lines[i]);
		}
	ck_assert_msg(next == filtered.count, "too much: %s", filtered.lines[next]);
	ck_assert_uint_gt(next, 0);
	ck_assert_uint_lt(next, every.count);
	json_lines__free(&every);
	json_lines__free(&filtered);
	command__free(&all);
	command__free(&some);
	return next;
}

/* The value of this member in a sample of `ls`. */
static char *value_of_ls(const char *member)
{
	struct command peat;
	struct json_lines events = replay(&peat, REPLAY("recording"));
	char *value = NULL;

	for (size_t i = 0; i < events.count && !value; i++)
		if (json_lines__is(events.lines[i], "comm", "\"ls\""))
			value = strdup(json_lines__raw(events.lines[i], member));
	ck_assert_ptr_nonnull(value);
	json_lines__free(&events);
	command__free(&peat);
	return value;
}

START_TEST(test_filters_by_tasks)
{
	char *pid, *tid;

	need_perf();
	record();
	pid = value_of_ls("pid");
	tid = value_of_ls("tid");
	check_filter("pid", pid, REPLAY("-p", pid, "recording"));
	check_filter("tid", tid, REPLAY("-t", tid, "recording"));
	check_filter("comm", "\"ls\"", REPLAY("--comm", "ls", "recording"));
	free(pid);
	free(tid);
}
END_TEST

START_TEST(test_filters_by_cpus)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	need_perf();
	if (cpus < 2)
		skip("one CPU alone");
	record();
	check_filter("cpu", "1", REPLAY("-C", "1", "recording"));
	check_filter("cpu", "0", REPLAY("-C", "0", "recording"));
}
END_TEST

/* The span from the tenth event to the twentieth. */
START_TEST(test_filters_by_time)
{
	struct command all, some;
	struct json_lines every, filtered;
	char span[64];
	size_t next = 0;
	double from, to;

	need_perf();
	record();
	every = replay(&all, REPLAY("recording"));
	ck_assert_uint_gt(every.count, 20);
	from = strtod(json_lines__raw(every.lines[10], "time_ns"), NULL) / 1e9;
	to = strtod(json_lines__raw(every.lines[20], "time_ns"), NULL) / 1e9;
	snprintf(span, sizeof(span), "%.9f,%.9f", from, to);
	filtered = replay(&some, REPLAY("--time", span, "recording"));
	for (size_t i = 0; i < every.count; i++) {
		double time = strtod(json_lines__raw(every.lines[i], "time_ns"), NULL) / 1e9;

		if (time >= from && time <= to)
			ck_assert_str_eq(filtered.lines[next++], every.lines[i]);
	}
	ck_assert_uint_eq(next, filtered.count);
	ck_assert_uint_ge(next, 11);
	json_lines__free(&every);
	json_lines__free(&filtered);
	command__free(&all);
	command__free(&some);
}
END_TEST

/* The message is that of peat trace. */
START_TEST(test_no_cpus)
{
	need_perf();
	record();
	refused(1, "'x' is not a list of CPUs", REPLAY("-C", "x", "recording"));
}
END_TEST

START_TEST(test_filters_by_event_names)
{
	need_perf();
	record();
	check_filter("type", "\"cpu-clock\"", REPLAY("recording", "cpu-clock"));
	check_filter("type", "\"page-faults\"", REPLAY("recording", "page-*"));
	check_filter("type", "\"page-faults\"", REPLAY("recording", "*-[f]aults"));
}
END_TEST

START_TEST(test_names_of_tracepoints)
{
	need_perf();
	mounts__need_tracefs();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e 'sched:sched_switch,sched:sched_process_exit' "
		"-e cpu-clock -o recording -- sh -c 'ls / >list; sleep 0.01'"));
	check_filter("type", "\"sched:sched_switch\"", REPLAY("recording", "sched:sched_switch"));
	check_filter("type", "\"sched:sched_process_exit\"", REPLAY("recording", "sched:*exit"));
}
END_TEST

/* A name that no event has is reported, but is no error: its event may have no samples. */
START_TEST(test_unknown_name)
{
	struct command peat;

	need_perf();
	record();
	command__run(&peat, ALL_CAPS, ARGV(program, "replay", "recording", "no-such"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_str_eq(peat.out_text, "");
	ck_assert_ptr_nonnull(strstr(peat.err_text, "'no-such'"));
	command__free(&peat);
}
END_TEST

/* perf counts as many records of each kind. */
START_TEST(test_filters_by_kinds)
{
	static const struct {
		const char *kind, *of_perf, *types[3];
	} kinds[] = {
		{ "@comm", "COMM", { "@comm" } },
		{ "@mmap", "MMAP2\\?", { "@mmap" } },
		{ "@task", "\\(FORK\\|EXIT\\)", { "@fork", "@exit" } },
		{ "@switch", "SWITCH_CPU_WIDE", { "@switch" } },
		{ "@tool",
		  "\\(ID_INDEX\\|FINISHED_ROUND\\|EVENT_UPDATE\\|THREAD_MAP\\|CPU_MAP\\|"
		  "FINISHED_INIT\\|TIME_CONV\\)",
		  { NULL } },
		{ "@sample", "SAMPLE", { "cpu-clock" } },
	};

	need_perf();
	free(stock_perf__shell("perf record -q --no-bpf-event -e cpu-clock -a --switch-events -o "
			       "recording -- ls / "
			       ">list"));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct command peat;
		struct json_lines events = replay(&peat, REPLAY("recording", kinds[i].kind));
		char line[400], *wanted;

		snprintf(line, sizeof(line),
			 "perf script -D -F event -i recording 2>/dev/null | "
			 "grep -ac ': PERF_RECORD_%s\\([^A-Z0-9_]\\|$\\)'",
			 kinds[i].of_perf);
		wanted = stock_perf__shell(line);
		ck_assert_msg(events.count == strtoul(wanted, NULL, 10), "%zu of %s, not %s",
			      events.count, kinds[i].kind, wanted);
		for (size_t j = 0; *kinds[i].types && j < events.count; j++) {
			const char *type = json_event__text(events.lines[j], "type");

			ck_assert_msg(!strcmp(type, kinds[i].types[0]) ||
					      !strcmp(type, kinds[i].types[1] ?: ""),
				      "%s is none of %s", type, kinds[i].kind);
		}
		free(wanted);
		json_lines__free(&events);
		command__free(&peat);
	}
}
END_TEST

/* Lost events are printed between the counted events, but not counted. */
START_TEST(test_count_bounds_events)
{
	struct command all, some;
	struct json_lines every, first;
	size_t events = 0;

	need_perf();
	record();
	every = replay(&all, REPLAY("recording"));
	first = replay(&some, REPLAY("-n", "17", "recording"));
	for (size_t i = 0; i < first.count; i++) {
		ck_assert_str_eq(first.lines[i], every.lines[i]);
		events += strcmp(json_event__text(first.lines[i], "type"), "lost") != 0;
	}
	ck_assert_uint_eq(events, 17);
	json_lines__free(&every);
	json_lines__free(&first);
	command__free(&all);
	command__free(&some);
}
END_TEST

/* ---- order ----------------------------------------------------------------------------------- */

/*
 * By default and with --ordered, events are printed by time; the file has the same events in
 * another order.  There, an event may come before the records that its names are made from.
 */
START_TEST(test_events_are_in_order)
{
	char *by_time, *as_asked, *sorted, *as_stored, *stored;

	need_perf();
	record();
	by_time = stock_perf__shell("$PEAT replay -q -j recording @all");
	as_asked = stock_perf__shell("$PEAT replay -q -j --ordered recording @all");
	as_stored = stock_perf__shell("$PEAT replay -q -j --unordered recording @all");
	check_same(by_time, as_asked);
	ck_assert(strcmp(by_time, as_stored));
	sorted = stock_perf__shell("$PEAT replay -q -j --no-symbols recording | "
				   "sed 's/\"comm\":[^,]*//' | sort");
	stored = stock_perf__shell("$PEAT replay -q -j --no-symbols --unordered recording | "
				   "sed 's/\"comm\":[^,]*//' | sort");
	check_same(sorted, stored);
	free(by_time);
	free(as_asked);
	free(as_stored);
	free(sorted);
	free(stored);
}
END_TEST

/*
 * perf script -D prints events by time, with their offsets in the file: sorted by these, they are
 * in the order of --unordered.
 */
START_TEST(test_unordered_is_file_order)
{
	struct command peat;
	struct json_lines events;
	char *times, *save = NULL, *line;

	need_perf();
	record();
	times = stock_perf__shell(
		"perf script -D -F event -i recording 2>/dev/null | "
		"sed -n 's/^[0-9]* \\([0-9]*\\) \\(0x[0-9a-f]*\\) .*PERF_RECORD_"
		"SAMPLE.*/\\2 \\1/p' | while read at time; do echo $((at)) $time; "
		"done | sort -n");
	events = replay(&peat, REPLAY("--unordered", "recording"));
	line = strtok_r(times, "\n", &save);
	for (size_t i = 0; i < events.count; i++, line = strtok_r(NULL, "\n", &save)) {
		ck_assert_ptr_nonnull(line);
		json_event__check(events.lines[i], "time_ns",
				  strtoull(strchr(line, ' '), NULL, 10));
	}
	ck_assert_ptr_null(line);
	json_lines__free(&events);
	command__free(&peat);
	free(times);
}
END_TEST

/* ---- output ---------------------------------------------------------------------------------- */

START_TEST(test_output_is_a_file)
{
	char *printed, *written;

	need_perf();
	record();
	printed = stock_perf__shell("$PEAT replay -q -j recording");
	written = stock_perf__shell("echo what was there before >file; "
				    "$PEAT replay -q -j -o file recording; cat file");
	check_same(written, printed);
	free(printed);
	free(written);
	printed = stock_perf__shell("$PEAT replay recording 2>&1 >/dev/null");
	ck_assert_ptr_nonnull(strstr(printed, " events, 0 lost\n"));
	free(printed);
	printed = stock_perf__shell("$PEAT replay -q recording 2>&1 >/dev/null");
	ck_assert_str_eq(printed, "");
	free(printed);
}
END_TEST

/* The reader of the output closes it: peat ends without an error or a message. */
START_TEST(test_closed_output)
{
	struct command peat;

	need_perf();
	record();
	command__run(
		&peat, ALL_CAPS,
		ARGV("sh", "-c", "{ $PEAT replay -q recording @all; echo $? >status; } | head -1"));
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_str_ne(peat.out_text, "");
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV("cat", "status"));
	ck_assert_str_eq(peat.out_text, "0\n");
	command__free(&peat);
}
END_TEST

START_TEST(test_full_output)
{
	struct command peat;

	need_perf();
	record();
	command__run(&peat, ALL_CAPS, REPLAY("-o", "/dev/full", "recording"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "cannot write to /dev/full"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, REPLAY("-o", "no/such/file", "recording"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "cannot write to no/such/file"));
	command__free(&peat);
}
END_TEST

/* Tables are read again when they are needed. */
START_TEST(test_symbol_memory)
{
	char *whole, *small, *dropped;

	need_perf();
	record();
	whole = stock_perf__shell("$PEAT replay -q recording");
	small = stock_perf__shell("$PEAT replay -q --symbol-memory 64K recording");
	check_same(small, whole);
	dropped = stock_perf__shell("$PEAT replay -v --symbol-memory 64K recording 2>&1 >events | "
				    "sed -n 's/.* read, \\([0-9]*\\) dropped.*/\\1/p'");
	ck_assert_int_gt(atoi(dropped), 0);
	refused(64, "cannot be used with", REPLAY("--symbol-memory", "1M", "recording"));
	refused(64, "'0' is not an amount of memory",
		ARGV(program, "replay", "--symbol-memory", "0", "recording"));
	free(whole);
	free(small);
	free(dropped);
}
END_TEST

/* ---- ends ------------------------------------------------------------------------------------ */

/*
 * The pipe stays open.  On a signal, everything that was read is printed, though older events could
 * still follow.
 */
START_TEST(test_stopped_while_idle)
{
	static const int signals[] = { SIGINT, SIGTERM };
	char *whole;

	need_perf();
	free(stock_perf__shell("perf record -q --no-bpf-event -e cpu-clock -F 10000 -m 1 -o - -- "
			       "sh -c 'i=0; while [ $i -lt "
			       "40000 ]; do i=$((i+1)); done' >recording"));
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	whole = stock_perf__shell("$PEAT replay -q -j recording");
	for (size_t i = 0; i < 2; i++) {
		struct command writer, peat;
		char *events;

		command__start(&writer, ALL_CAPS,
			       ARGV("sh", "-c",
				    "exec 3>&1 >fifo; cat recording; echo written >&3; "
				    "exec sleep 60"));
		command__start(&peat, ALL_CAPS,
			       ARGV("sh", "-c", "exec $PEAT replay -q -j -o events - <fifo"));
		command__expect(writer.out, "written");
		process__wait_until_idle(peat.pid);
		ck_assert(command__is_running(&peat));
		ck_assert_int_eq(kill(peat.pid, signals[i]), 0);
		command__finish(&peat);
		ck_assert_int_eq(peat.status, 0);
		ck_assert_str_eq(peat.err_text, "");
		events = stock_perf__shell("cat events");
		check_same(events, whole);
		free(events);
		kill(writer.pid, SIGKILL);
		command__finish(&writer);
		command__free(&writer);
		command__free(&peat);
	}
	free(whole);
}
END_TEST

/* The reader of the output closes it while no event arrives. */
START_TEST(test_closed_while_idle)
{
	struct command peat;

	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e page-faults -c 1 -o - -- ls / >recording"));
	command__run(&peat, ALL_CAPS,
		     ARGV("sh", "-c",
			  "{ head -c 100000 recording; sleep 0.3; tail -c +100001 recording; } | "
			  "{ $PEAT replay -q -j -; echo $? >status; } | head -1 >/dev/null; "
			  "cat status"));
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_str_eq(peat.out_text, "0\n");
	command__free(&peat);
}
END_TEST

/* ---- without a file -------------------------------------------------------------------------- */

static void check_default(const char *event)
{
	free(stock_perf__shellf("%1$s replay -q -j %2$s > ours && "
				"%1$s replay -q -j perf.data %2$s > theirs && "
				"test -s ours && cmp ours theirs",
				program, event));
}

/* An event, a pattern or @KIND stands for those of perf.data; an existing file is a file. */
START_TEST(test_no_file)
{
	need_perf();
	record();
	free(stock_perf__shellf("mv recording perf.data"));
	check_default("@all");
	check_default("'cpu-*'");
	check_default("page-faults @comm");
	refused(1, "'recording' is neither a file nor an event of perf.data", REPLAY("recording"));
	refused(1, "cannot read recording", REPLAY("recording", "--stats"));
	free(stock_perf__shellf("mv perf.data page-faults"));
	free(stock_perf__shellf("%s replay -q page-faults @all | grep -q @comm", program));
	refused(1, "cannot read @all", REPLAY("@all"));
}
END_TEST

/* ---- refused arguments ----------------------------------------------------------------------- */

START_TEST(test_bad_arguments)
{
	refused(64, "no recording, and no perf.data here: use peat replay", REPLAY());
	refused(64, "unknown kind of records '@nothing'", REPLAY("recording", "@nothing"));
	refused(64, "'x' is not a process id", REPLAY("-p", "x", "recording"));
	refused(64, "'-1' is not a process id", REPLAY("-t", "-1", "recording"));
	refused(64, "'5' is not a span of seconds", REPLAY("--time", "5", "recording"));
	refused(64, "'6,5' is not a span of seconds", REPLAY("--time", "6,5", "recording"));
	refused(64, "'5s,6s' is not a span", REPLAY("--time", "5s,6s", "recording"));
	refused(64, "--time '6,7': give one span of time",
		REPLAY("--time", "5,6", "--time", "6,7", "recording"));
	refused(64, "--time is for peat replay", ARGV(program, "trace", "exec", "--time", "5,6"));
	refused(64, "'0' is not a number of events", REPLAY("-n", "0", "recording"));
	refused(64, "'x' is not an amount of memory", REPLAY("--memory", "x", "recording"));
	refused(64, "unrecognized option '--latency=5'", REPLAY("--latency=5", "recording"));
	refused(64, "unrecognized option '--no-such'", REPLAY("--no-such", "recording"));
}
END_TEST

/* Without arguments, as stock perf. */
START_TEST(test_default_recording)
{
	struct command with, without;

	need_perf();
	record();
	command__run(&with, ALL_CAPS, REPLAY("recording"));
	free(stock_perf__shell("mv recording perf.data"));
	command__run(&without, ALL_CAPS, REPLAY());
	ck_assert_int_eq(without.status, 0);
	check_same(without.out_text, with.out_text);
	command__free(&with);
	command__free(&without);
}
END_TEST

START_TEST(test_no_recordings)
{
	free(stock_perf__shell("mkdir directory; : >empty; echo PERFILE >short; "
			       "head -c 100000 /dev/zero >zeroes; ln -s loop loop"));
	refused(1, "cannot read nothing: No such file", REPLAY("nothing"));
	refused(1, "cannot read directory: ", REPLAY("directory"));
	refused(1, "cannot read empty: ", REPLAY("empty"));
	refused(1, "cannot read short: ", REPLAY("short"));
	refused(1, "cannot read zeroes: ", REPLAY("zeroes"));
	refused(1, "cannot read loop: ", REPLAY("loop"));
	refused(1, "cannot read /etc/passwd: it is no perf.data", REPLAY("/etc/passwd"));
	refused(1, "cannot read /dev/null: ", REPLAY("/dev/null"));
	refused(1, "cannot read standard input: ",
		ARGV("sh", "-c", "exec $PEAT replay -q - </dev/null"));
	refused(1, "cannot read standard input: ", ARGV("sh", "-c", "exec $PEAT replay -q - <&-"));
}
END_TEST

static Suite *filters_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("replay_filters", 60, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_filters_by_tasks);
	tcase_add_test(tests, test_filters_by_cpus);
	tcase_add_test(tests, test_filters_by_time);
	tcase_add_test(tests, test_no_cpus);
	tcase_add_test(tests, test_filters_by_event_names);
	tcase_add_test(tests, test_names_of_tracepoints);
	tcase_add_test(tests, test_unknown_name);
	tcase_add_test(tests, test_filters_by_kinds);
	tcase_add_test(tests, test_count_bounds_events);
	tcase_add_test(tests, test_events_are_in_order);
	tcase_add_test(tests, test_unordered_is_file_order);
	tcase_add_test(tests, test_output_is_a_file);
	tcase_add_test(tests, test_symbol_memory);
	tcase_add_test(tests, test_closed_output);
	tcase_add_test(tests, test_full_output);
	tcase_add_test(tests, test_stopped_while_idle);
	tcase_add_test(tests, test_closed_while_idle);
	tcase_add_test(tests, test_no_file);
	tcase_add_test(tests, test_bad_arguments);
	tcase_add_test(tests, test_default_recording);
	tcase_add_test(tests, test_no_recordings);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { filters_suite };

	return harness__main(argc, argv, suites, 1);
}
