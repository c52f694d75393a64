// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stop.c: a signal or -d ends peat while events keep arriving and its output blocks. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)

static struct flood_run flood;
static struct command peat;

#define TRACE_FLOOD(...) ARGV(recorded_run__peat(), "trace", "-v", FLOOD(&flood), ##__VA_ARGS__)

/* Starts peat and an endless flood of events.  Nobody reads its output. */
static void start(const char *const *argv)
{
	flood_run__start(&flood);
	recorded_run__start(&peat, argv);
}

static void begin(void)
{
	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 0, 100);
}

/* The test's limit of time is that of a peat that does not end. */
static void await_end(void)
{
	while (command__is_running(&peat))
		usleep(10000);
}

static void finish(int status)
{
	await_end();
	flood_run__kill(&flood);
	command__finish(&peat);
	ck_assert_msg(peat.status == status, "%d: %s", peat.status, peat.err_text);
}

START_TEST(test_duration_and_blocked_output)
{
	begin();
	start(TRACE_FLOOD("-d", "1"));
	finish(1);
	recorded_run__check_has(peat.err_text, "its reader was too slow after the stop");
	recorded_run__check_has(peat.err_text, "  = delivered");
	recorded_run__check_has(peat.err_text, "not read");
	command__free(&peat);
}
END_TEST

START_TEST(test_signal_and_blocked_output)
{
	begin();
	start(TRACE_FLOOD());
	usleep(300 * 1000);
	kill(peat.pid, SIGTERM);
	finish(1);
	recorded_run__check_has(peat.err_text, "its reader was too slow after the stop");
	command__free(&peat);
}
END_TEST

/* timeout(1) sends a signal twice; a person who presses Ctrl-C again wants peat to end at once. */
START_TEST(test_second_signal)
{
	begin();
	start(RECORD(FLOOD(&flood), "-o", "-"));
	usleep(300 * 1000);
	kill(peat.pid, SIGTERM);
	kill(peat.pid, SIGTERM);
	usleep(500 * 1000);
	kill(peat.pid, SIGTERM);
	finish(128 + SIGTERM);
	command__free(&peat);
}
END_TEST

START_TEST(test_signal_sent_twice)
{
	struct command run;

	begin();
	command__run(&run, ALL_CAPS,
		     ARGV("timeout", "1", recorded_run__peat(), "record", FLOOD(&flood), "-o",
			  "x.data"));
	flood_run__kill(&flood);
	ck_assert_int_eq(run.status, 124);
	recorded_run__check_has(run.err_text, "in x.data");
	command__free(&run);
}
END_TEST

/* The writer of the FIFO lives, and the output is full. */
/* The writer of the FIFO lives, and the output is full. */
START_TEST(test_replay_of_an_open_fifo)
{
	begin();
	flood_run__start(&flood);
	free(stock_perf__shellf("$PEAT record flood.bpf.o --set %s --set %s --set %s -n 20000 "
				"-o - >x.data 2>err; mkfifo fifo",
				flood.sets[0], flood.sets[1], flood.sets[2]));
	command__start(&peat, ALL_CAPS,
		       ARGV("sh", "-c",
			    "exec 3<>fifo; cat x.data >&3 & exec \"$0\" replay -j - <fifo",
			    recorded_run__peat()));
	usleep(700 * 1000);
	ck_assert(command__is_running(&peat));
	kill(peat.pid, SIGTERM);
	finish(1);
	recorded_run__check_has(peat.err_text, "its reader was too slow after the stop");
	command__free(&peat);
}
END_TEST

static Suite *stop_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stop", 30, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_duration_and_blocked_output);
	tcase_add_test(tests, test_signal_and_blocked_output);
	tcase_add_test(tests, test_second_signal);
	tcase_add_test(tests, test_signal_sent_twice);
	tcase_add_test(tests, test_replay_of_an_open_fifo);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stop_suite };

	return harness__main(argc, argv, suites, 1);
}
