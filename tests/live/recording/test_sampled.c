// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_sampled.c: recordings of events that the kernel samples, by peat and by stock perf: perf
 * prints the same of both.
 *
 * The recorded command is this program, with the argument "work".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/own_program.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"
#include "sys/tracefs.h"

#define DEPTH 7
#define CALLS 25

#define NO_TASK (1 << 22) /* ids from here on have no task */

/* The frame address makes the compiler use frame pointers, `below` makes it no loop. */
__attribute__((noinline)) static long call_deep(unsigned depth, int number)
{
	void *volatile frame = __builtin_frame_address(0);
	volatile long below;

	if (!depth)
		return syscall(SYS_getpgid, number) + (frame == NULL);
	below = call_deep(depth - 1, number);
	return below + 1;
}

static int work(void)
{
	for (int i = 0; i < CALLS; i++)
		call_deep(DEPTH, NO_TASK + i);
	return 0;
}

static void setup(void)
{
	recorded_run__setup();
	setenv("SELF", own_program__path(), 1);
}

/* Runs a line, which may use $PEAT and $SELF. */
#define shell stock_perf__shellf

static void check_equal(const char *ours, const char *perfs, const char *what)
{
	ck_assert_msg(!strcmp(ours, perfs), "%s: peat: %.2000s\nperf: %.2000s", what, ours, perfs);
}

static void compare(const char *fields)
{
	char *ours = shell("perf script -F %s -i ours 2>/dev/null", fields);
	char *perfs = shell("perf script -F %s -i perfs 2>/dev/null", fields);

	ck_assert_msg(*ours, "perf script -F %s prints nothing", fields);
	check_equal(ours, perfs, fields);
	free(ours);
	free(perfs);
}

/* Records the work by both, with the same addresses. */
static void record_both(const char *options)
{
	free(shell("perf record -q %s -o perfs -- setarch -R $SELF work", options));
	free(shell("$PEAT record -q %s -o ours -- setarch -R $SELF work", options));
}

static unsigned count_in(const char *part, const char *line)
{
	char *text = stock_perf__shell(line);
	unsigned count = recorded_run__count(text, part);

	free(text);
	return count;
}

#define need_syscalls()                                                                            \
	do {                                                                                       \
		need_perf();                                                                       \
		if (!tracefs__has("events/syscalls/sys_enter_getpgid/id"))                         \
			skip("this kernel has no tracepoints of system calls");                    \
		mounts__need_tracefs();                                                            \
	} while (0)

/* ---- events ---------------------------------------------------------------------------------- */

START_TEST(test_tracepoints_match_perf)
{
	need_syscalls();
	record_both("-e syscalls:sys_enter_getpgid,syscalls:sys_exit_getpgid");
	compare("comm,event,trace");
	compare("event,ip,sym");
	ck_assert_uint_eq(count_in("sys_enter_getpgid:", "perf script -i ours"), CALLS);
	ck_assert_uint_eq(count_in("sys_exit_getpgid:", "perf script -i ours"), CALLS);
	free(shell("$PEAT replay -q ours >/dev/null && $PEAT replay -q perfs >/dev/null"));
}
END_TEST

START_TEST(test_filters_select_samples)
{
	char *ours;

	need_syscalls();
	free(shell("$PEAT record -q -e 'syscalls:sys_enter_getpgid/pid==4194308/' -e "
		   "'syscalls:sys_enter_getpgid/pid>=4194324/' -o ours -- $SELF work"));
	ours = shell("perf script -F event,trace -i ours 2>/dev/null");
	ck_assert_uint_eq(recorded_run__count(ours, "getpgid"), 1 + CALLS - 20);
	ck_assert_uint_eq(recorded_run__count(ours, "pid: 0x00400004"), 1);
	free(ours);
}
END_TEST

/* The chain of each sample, with the names of functions. */
START_TEST(test_call_chains)
{
	need_syscalls();
	record_both("-g -e syscalls:sys_enter_getpgid");
	compare("comm,event,trace");
	ck_assert_uint_ge(count_in("call_deep", "perf script -i ours"), CALLS * DEPTH);
	ck_assert_uint_eq(count_in("call_deep", "perf script -i ours"),
			  count_in("call_deep", "perf script -i perfs"));
}
END_TEST

/* Mappings that exist before the recording: without them, perf has no symbols. */
START_TEST(test_running_process)
{
	need_syscalls();
	free(shell("mkfifo go; exec 3<>go; $SELF wait <go 3>&- & pid=$!; "
		   "until grep -q test_sampled /proc/$pid/comm; do sleep 0.01; done; "
		   "$PEAT record -v -g -e syscalls:sys_enter_getpgid -p $pid -o ours 2>log 3>&- & "
		   "until grep -qs recorded log; do sleep 0.01; done; exec 3>&-; wait"));
	ck_assert_uint_ge(count_in("call_deep", "perf script -i ours"), CALLS * DEPTH);
}
END_TEST

/* ---- attrs ----------------------------------------------------------------------------------- */

/* Fields that differ on purpose: see user/doc/recordings.md. */
static bool is_different(const char *field)
{
	static const char *const names[] = { "sample_type", "read_format", "exclude_guest",
					     "ksymbol",	    "bpf_event",   "build_id",
					     "cgroup",	    "size",	   "precise_ip" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(field, names[i], strlen(names[i])))
			return true;
	return false;
}

static char *evlist(const char *path)
{
	return shell("perf evlist -v -i %s 2>/dev/null | grep -v '^#' | grep -v ^dummy", path);
}

/* Each field of perf's attrs is one of ours. */
static void check_attrs(void)
{
	char *ours = evlist("ours"), *perfs = evlist("perfs"), *ours_at, *perfs_at;
	char *mine = strtok_r(ours, "\n", &ours_at), *line = strtok_r(perfs, "\n", &perfs_at);

	ck_assert_ptr_nonnull(line);
	for (; line; line = strtok_r(NULL, "\n", &perfs_at)) {
		ck_assert_ptr_nonnull(mine);
		for (char *field, *rest = line; (field = strsep(&rest, ","));) {
			field += *field == ' ';
			ck_assert_msg(is_different(field) || strstr(mine, field),
				      "'%s' is not in %s", field, mine);
		}
		mine = strtok_r(NULL, "\n", &ours_at);
	}
	ck_assert_ptr_null(mine);
	free(ours);
	free(perfs);
}

START_TEST(test_attrs_match_perf)
{
	need_syscalls();
	record_both("-e cpu-clock:u,page-faults");
	check_attrs();
	record_both("-c 5 -e page-faults,syscalls:sys_enter_getpgid");
	check_attrs();
	record_both("-F 99 -e '{cpu-clock,page-faults}'");
	check_attrs();
}
END_TEST

/* ---- all tasks ------------------------------------------------------------------------------- */

START_TEST(test_switches_match_replay)
{
	char *script, *replay;

	need_syscalls();
	free(shell("$PEAT record -q -a -e sched:sched_switch,sched:sched_wakeup -o ours -- "
		   "sleep 0.2"));
	script = shell("perf script -i ours 2>/dev/null");
	replay = shell("$PEAT replay -q -j ours");
	ck_assert_uint_gt(recorded_run__count(script, "sched:sched_switch:"), 0);
	ck_assert_uint_eq(recorded_run__count(script, "sched:sched_switch: prev_comm="),
			  recorded_run__count(replay, "\"type\":\"sched:sched_switch\""));
	ck_assert_uint_eq(recorded_run__count(script, "sched:sched_wakeup: comm="),
			  recorded_run__count(replay, "\"type\":\"sched:sched_wakeup\""));
	ck_assert_uint_eq(recorded_run__count(script, " :"), recorded_run__count(script, " :-1"));
	free(script);
	free(replay);
}
END_TEST

START_TEST(test_pipe_and_compressed)
{
	need_syscalls();
	free(shell("$PEAT record -q -z -e syscalls:sys_enter_getpgid -o ours -- $SELF work"));
	ck_assert_uint_eq(count_in("sys_enter_getpgid:", "perf script -i ours"), CALLS);
	free(shell("$PEAT record -q -e syscalls:sys_enter_getpgid -o - -- $SELF work | cat >pipe"));
	ck_assert_uint_eq(count_in("sys_enter_getpgid:", "cat pipe | perf script -i -"), CALLS);
}
END_TEST

static Suite *sampled_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("sampled", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_tracepoints_match_perf);
	tcase_add_test(tests, test_filters_select_samples);
	tcase_add_test(tests, test_call_chains);
	tcase_add_test(tests, test_running_process);
	tcase_add_test(tests, test_attrs_match_perf);
	tcase_add_test(tests, test_switches_match_replay);
	tcase_add_test(tests, test_pipe_and_compressed);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { sampled_suite };
	char byte;

	if (argc > 1 && !strcmp(argv[1], "work"))
		return work();
	if (argc > 1 && !strcmp(argv[1], "wait"))
		return read(STDIN_FILENO, &byte, 1) ? 9 : work();
	return harness__main(argc, argv, suites, 1);
}
