// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_perfetto.c: timelines for Perfetto, read by protoc and by a reader of the tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"

#define do_shell(...) free(stock_perf__shellf(__VA_ARGS__))

static char program[4096], checker[4096], messages[4096];

static void setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	ck_assert(realpath("tests/live/recording/timeline_check.js", checker));
	ck_assert(realpath("tests/live/recording", messages));
	stock_perf__setup();
}

#define need_node() need_program("node")

/*
 * protoc reads x.pftrace.  Fields that perfetto.proto lacks are printed as numbers.  The caller
 * frees the numbers of slices, instants, switches and samples.
 */
static char *read_by_protoc(void)
{
	return stock_perf__shellf(
		"protoc --decode=Trace -I%s perfetto.proto <x.pftrace | awk '"
		"/^ *[0-9]+[:{ ]/ { print \"FAILED: unknown field \" $0; exit }"
		"/type: TYPE_SLICE_BEGIN/ { slices++ }"
		"/type: TYPE_SLICE_END/ { ends++ }"
		"/type: TYPE_INSTANT/ { instants++ }"
		"/^ *sched_switch [{]/ { switches++ }"
		"/^ *sched_waking [{]/ { wakings++ }"
		"/^ *perf_sample [{]/ { samples++ }"
		"END { if (slices != ends) print \"FAILED: ends\"; "
		"printf \"%%d slices, %%d instants, %%d switches, %%d wakings, "
		"%%d samples\\n\", slices, instants, switches, wakings, samples }'",
		messages);
}

/* Both readers of x.pftrace find this. */
static void check_timeline(const char *counts, const char *wanted)
{
	char *found = stock_perf__shellf("node %s x.pftrace %s", checker, counts);

	ck_assert_msg(!strcmp(found, wanted), "%s, not %s", found, wanted);
	free(found);
	if (!command__exists("protoc"))
		skip("no protoc on this machine");
	found = read_by_protoc();
	ck_assert_msg(!strcmp(found, wanted), "protoc: %s, not %s", found, wanted);
	free(found);
}

static unsigned long count_of(const char *what)
{
	char *text = stock_perf__shellf("%s count -q %s || true", program, what);
	unsigned long count = strtoul(text, NULL, 10);

	free(text);
	return count;
}

/* Losses of x.data: of its records, none is chosen. */
static unsigned long count_losses(void)
{
	char *text = stock_perf__shellf("%s replay -q -j x.data @textpoke | grep -c '\"lost\"' || "
					"true",
					program);
	unsigned long count = strtoul(text, NULL, 10);

	free(text);
	return count;
}

/* Three processes have two system calls a byte. */
START_TEST(test_calls_are_slices)
{
	char wanted[128];
	unsigned long bytes = amount__of("PEAT_TEST_EVENTS", 100000) / 6, events, losses;

	need_node();
	do_shell("%s record -q syscall,min=0,counts=false -o x.data -- sh -c 'for i in 1 2 3; do "
		 "dd if=/dev/zero of=/dev/null bs=1 count=%lu 2>/dev/null & done; wait'",
		 program, bytes);
	do_shell("%s convert -q x.data -o x.pftrace 2>/dev/null", program);
	do_shell("%s count -q x.data --by tid >counts", program);
	events = count_of("x.data");
	ck_assert_uint_gt(events, 6 * bytes - 1);
	printf("%lu events\n", events);
	losses = count_losses();
	snprintf(wanted, sizeof(wanted),
		 "%lu slices, %lu instants, 0 switches, 0 wakings, 0 samples\n",
		 count_of("x.data --where 'latency > 0'"),
		 count_of("x.data --where 'latency == 0'") + losses);
	check_timeline("counts", wanted);
}
END_TEST

START_TEST(test_recording_of_perf)
{
	char wanted[128];

	need_perf();
	need_node();
	do_shell("perf record -q -a --no-bpf-event -e sched:sched_switch,sched:sched_waking,"
		 "sched:sched_process_exec -e cpu-clock -g -o x.data -- sh -c 'ls -lR "
		 "/usr/share/doc "
		 ">/dev/null'");
	do_shell("%s convert -q x.data -o x.pftrace 2>/dev/null", program);
	/* Tracepoints have stacks, too. */
	snprintf(wanted, sizeof(wanted),
		 "0 slices, %lu instants, %lu switches, %lu wakings, %lu samples\n",
		 count_of("x.data sched:sched_process_exec"), count_of("x.data sched:sched_switch"),
		 count_of("x.data sched:sched_waking"),
		 count_of("x.data sched:sched_process_exec") + count_of("x.data cpu-clock"));
	ck_assert_uint_gt(count_of("x.data cpu-clock"), 0);
	check_timeline("", wanted);
}
END_TEST

START_TEST(test_samples_by_thread)
{
	char wanted[128];

	need_perf();
	need_node();
	do_shell("perf record -q --no-bpf-event -e cpu-clock -o x.data -- sh -c 'for i in 1 2 3; "
		 "do ls "
		 "-lR /usr/share/doc >/dev/null; done'");
	do_shell("%s convert -q x.data -o x.pftrace 2>/dev/null", program);
	do_shell("%s count -q x.data --by tid >counts", program);
	snprintf(wanted, sizeof(wanted),
		 "0 slices, 0 instants, 0 switches, 0 wakings, %lu samples\n", count_of("x.data"));
	check_timeline("counts samples", wanted);
}
END_TEST

START_TEST(test_records_fill_lanes)
{
	char *found;
	unsigned long switches;

	need_perf();
	need_node();
	do_shell("perf record -q -a --no-bpf-event --switch-events -e cpu-clock -o x.data -- sleep "
		 "0.3");
	do_shell("%s convert -q x.data -o x.pftrace 2>/dev/null", program);
	found = stock_perf__shellf("node %s x.pftrace", checker);
	ck_assert_int_eq(sscanf(found, "%*u slices, %*u instants, %lu switches", &switches), 1);
	free(found);
	found = stock_perf__shellf("%s replay -q x.data @switch | grep -c direction=out", program);
	/* Each switch has two records: a task comes, the other goes. */
	ck_assert_uint_gt(switches, 0);
	ck_assert_uint_ge(switches, strtoul(found, NULL, 10));
	free(found);
}
END_TEST

/* `line` has the verb, and what follows -o. */
static void check_live(const char *line)
{
	char *found;

	do_shell("%s %s >live.log 2>&1", program, line);
	found = stock_perf__shellf("node %s x.pftrace", checker);
	ck_assert_msg(!strncmp(found, "0 slices, 2 instants,", 21), "%s: %s", line, found);
	free(found);
	found = stock_perf__shell("cat live.log");
	ck_assert_msg(strstr(found, "timeline in x.pftrace: 2 instants"), "%s: %s", line, found);
	free(found);
	unlink("x.pftrace");
}

START_TEST(test_live_timelines)
{
	need_node();
	check_live("trace exec -o x.pftrace -- sh -c 'true; ls'");
	check_live("record exec -o x.pftrace -- sh -c 'true; ls'");
	do_shell("%s record -q exec -o x.data -- sh -c 'true; ls'", program);
	check_live("replay x.data -o x.pftrace");
	check_live("replay x.data exec --to perfetto -o x.pftrace");
	check_live("convert x.data --to perfetto -o x.pftrace");
	do_shell("%s trace -q exec --to perfetto -- sh -c 'true; ls >live.log' >x.pftrace",
		 program);
	do_shell("node %s x.pftrace | grep -q ' 2 instants,'", checker);
}
END_TEST

/* The sums of a timeline's counters are the counts, and all end at 0. */
START_TEST(test_tables_are_counters)
{
	need_node();
	do_shell("%s record -q exec exit -o x.data -- sh -c 'for i in 1 2 3; do ls; sleep 0.1; cat "
		 "/dev/null; done'",
		 program);
	do_shell("%s count -q x.data --by comm | awk '{ print $1 \" \" $2 }' | sort >wanted",
		 program);
	do_shell("%s count -q x.data --by comm -i 50ms -o x.pftrace", program);
	do_shell("node %s x.pftrace counters | tee counters | sed -n 's/^events \\(.*\\): count "
		 "\\(.*\\) 0$/\\1 \\2/p' | sort >found; cmp wanted found",
		 checker);
	do_shell("%s hist -q x.data exit duration --by comm -i 50ms -o h.pftrace; test $(node %s "
		 "h.pftrace counters | awk '{ sum += $(NF - 1) } END { print sum }') = $(%s count "
		 "-q x.data exit)",
		 program, checker, program);
	if (command__exists("protoc"))
		do_shell("protoc --decode=Trace -I%s perfetto.proto <x.pftrace | grep -q "
			 "'counter_value: [1-9]'",
			 messages);
	do_shell("%s count exec --by comm -i 50ms -o x.pftrace -- sh -c 'ls; ls' >live.log 2>&1; "
		 "grep -q 'timeline in x.pftrace: 2 counters' live.log; "
		 "node %s x.pftrace counters | grep -q '^exec ls: count 2 0$'",
		 program, checker);
}
END_TEST

/* An error of the disk is named, live and of a recording. */
START_TEST(test_full_disk_is_reported)
{
	do_shell("%s record -q exec -o x.data -- true; ln -s /dev/full full.pftrace", program);
	do_shell("%s count x.data -i 50ms -o full.pftrace 2>full.log && exit 1; "
		 "grep -q 'cannot write to full.pftrace: No space left' full.log",
		 program);
	do_shell("%s count exec -i 50ms -o full.pftrace -- true 2>full.log && exit 1; "
		 "grep -q 'cannot write to full.pftrace: No space left' full.log",
		 program);
}
END_TEST

static void check_refused(const char *line, const char *why)
{
	do_shell("%s %s >refused 2>&1 || test $? = 64; grep -q -- '%s' refused", program, line,
		 why);
}

START_TEST(test_options_are_refused)
{
	do_shell("%s record -q exec -o x.data -- true", program);
	check_refused("trace exec -j -o x.pftrace", "-j cannot be used with perfetto");
	check_refused("record exec -z -o x.pftrace", "need a perf.data");
	check_refused("record exec --max-size 1M -o x.pftrace", "need a perf.data");
	check_refused("convert x.data -z -o x.pftrace", "-z needs --to perf");
	check_refused("convert x.data --to pftrace -o x", "html or perfetto");
	check_refused("count x.data -o x.pftrace", "use -i TIME");
	check_refused("count x.data -i 1 -o x.txt", "use -o FILE.pftrace");
	check_refused("count x.data -i 1 -j -o x.pftrace", "-j cannot be used");
	check_refused("convert x.data --weight latency -o x.pftrace", "--weight needs");
	ck_assert_int_ne(access("x.pftrace", F_OK), 0);
}
END_TEST

/* All intact events are written, and the status is 1. */
START_TEST(test_cut_recording)
{
	need_node();
	do_shell("%s record -q exec open -o x.data -- sh -c 'for i in 1 2 3 4 5 6 7 8; do ls /; "
		 "done'",
		 program);
	do_shell("head -c $(($(stat -c %%s x.data) * 2 / 3)) x.data >cut.data");
	do_shell("%s convert -q cut.data -o x.pftrace 2>cut.log || test $? = 1", program);
	do_shell("node %s x.pftrace", checker);
}
END_TEST

static Suite *perfetto_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perfetto", 600, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_calls_are_slices);
	tcase_add_test(tests, test_recording_of_perf);
	tcase_add_test(tests, test_samples_by_thread);
	tcase_add_test(tests, test_records_fill_lanes);
	tcase_add_test(tests, test_live_timelines);
	tcase_add_test(tests, test_tables_are_counters);
	tcase_add_test(tests, test_full_disk_is_reported);
	tcase_add_test(tests, test_options_are_refused);
	tcase_add_test(tests, test_cut_recording);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { perfetto_suite };

	return harness__main(argc, argv, suites, 1);
}
