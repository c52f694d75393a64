// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_stop.c: a signal or -d ends peat while events keep arriving and its output blocks. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/machine/pty.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)

static struct flood_run flood;
static struct command peat;

#define TRACE_FLOOD(...)                                                                           \
	ARGV(recorded_run__peat(), "trace", "-v", "-j", FLOOD(&flood), ##__VA_ARGS__)

static void begin(void)
{
	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 0, 100);
}

/* Starts peat and an endless flood of events.  Nobody reads its output. */
static void start(const char *const *argv)
{
	flood_run__start(&flood);
	recorded_run__start(&peat, argv);
}

static void sleep_ms(unsigned ms)
{
	usleep(ms * 1000);
}

/* The test's limit of time is that of a peat that does not end. */
static void await_end(void)
{
	while (command__is_running(&peat))
		sleep_ms(10);
}

/* Waits until the output is not read, and grows no more. */
static void await_full_pipe(void)
{
	int before, bytes = 0;

	do {
		before = bytes;
		sleep_ms(1000);
		ck_assert_int_eq(ioctl(fileno(peat.out), FIONREAD, &bytes), 0);
	} while (!bytes || bytes != before);
}

static void finish(int status)
{
	await_end();
	flood_run__kill(&flood);
	command__finish(&peat);
	ck_assert_msg(peat.status == status, "%d: %s", peat.status, peat.err_text);
}

/* A number in the messages, which is followed by this text. */
static unsigned long long number_before(const char *text)
{
	const char *at = strstr(peat.err_text, text);

	ck_assert_msg(at, "no '%s' in %s", text, peat.err_text);
	while (at > peat.err_text && strchr("0123456789", at[-1]))
		at--;
	return strtoull(at, NULL, 10);
}

static void check_given_up(void)
{
	ck_assert_uint_gt(number_before(" events, was not written: nobody read it"), 0);
	ck_assert_uint_gt(number_before(" more events arrived, and were left out"), 0);
	recorded_run__check_has(peat.err_text, "  = delivered");
}

/* A person may read what a pager shows: output is not given up.  All of it can be read then. */
START_TEST(test_duration_and_blocked_output)
{
	begin();
	start(TRACE_FLOOD("-d", "500ms"));
	sleep_ms(3000);
	ck_assert(command__is_running(&peat));
	flood_run__kill(&flood);
	command__finish(&peat);
	ck_assert_msg(peat.status == 0, "%d: %s", peat.status, peat.err_text);
	ck_assert_uint_eq(recorded_run__count(peat.out_text, "\"type\":\"flood\""),
			  number_before(" events in "));
	ck_assert(!strstr(peat.err_text, "left out"));
	command__free(&peat);
}
END_TEST

/* The programs do not wait for the reader of the output: no event is newer than -d. */
START_TEST(test_programs_end_at_the_duration)
{
	const char *seconds;

	begin();
	start(TRACE_FLOOD("-d", "500ms"));
	sleep_ms(3000);
	kill(peat.pid, SIGTERM);
	finish(1);
	seconds = strstr(peat.err_text, " events in ");
	ck_assert_ptr_nonnull(seconds);
	ck_assert_double_lt(strtod(seconds + strlen(" events in "), NULL), 2);
	command__free(&peat);
}
END_TEST

START_TEST(test_signal_and_blocked_output)
{
	begin();
	start(TRACE_FLOOD());
	sleep_ms(300);
	kill(peat.pid, _i ? SIGINT : SIGTERM);
	finish(1);
	check_given_up();
	command__free(&peat);
}
END_TEST

/* The first signal after the duration. */
START_TEST(test_duration_and_signal)
{
	begin();
	start(TRACE_FLOOD("-d", "200ms"));
	sleep_ms(1500);
	ck_assert(command__is_running(&peat));
	kill(peat.pid, SIGTERM);
	finish(1);
	check_given_up();
	command__free(&peat);
}
END_TEST

/* Reads a piece of the output now and then, until the end.  The caller frees it. */
static char *read_slowly(void)
{
	char bytes[16384], *text = NULL;
	size_t room;
	FILE *all = open_memstream(&text, &room);
	ssize_t count;

	ck_assert_ptr_nonnull(all);
	while ((count = read(fileno(peat.out), bytes, sizeof(bytes))) > 0) {
		ck_assert_uint_eq(fwrite(bytes, 1, (size_t)count, all), (size_t)count);
		sleep_ms(20);
	}
	ck_assert_int_eq(fclose(all), 0);
	return text;
}

/* A reader that is slow, but reads, gets everything. */
START_TEST(test_signal_and_slow_reader)
{
	char *text;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 1000, 100);
	start(TRACE_FLOOD("--memory", "512K"));
	sleep_ms(300);
	kill(peat.pid, SIGTERM);
	sleep_ms(500);
	text = read_slowly();
	finish(0);
	ck_assert_uint_eq(recorded_run__count(text, "\"type\":\"flood\""),
			  number_before(" events in "));
	ck_assert(!strstr(peat.err_text, "left out"));
	free(text);
	command__free(&peat);
}
END_TEST

/* A recording is not cut as long as its reader may go on: it may be a slow compressor. */
START_TEST(test_signals_and_blocked_recording)
{
	begin();
	start(RECORD(FLOOD(&flood), "-o", "-"));
	sleep_ms(300);
	kill(peat.pid, SIGTERM);
	kill(peat.pid, SIGTERM);
	sleep_ms(2000);
	ck_assert(command__is_running(&peat));
	kill(peat.pid, SIGTERM);
	finish(128 + SIGTERM);
	recorded_run__check_has(peat.err_text, "ended at once");
	command__free(&peat);
}
END_TEST

/* Tables are printed by calls that a first signal must not interrupt. */
START_TEST(test_signal_and_blocked_tables)
{
	begin();
	start(ARGV(recorded_run__peat(), "count", "-v", FLOOD(&flood), "-i", "1ms", "-j"));
	ck_assert_int_ge(fcntl(fileno(peat.out), F_SETPIPE_SZ, 4096), 4096);
	await_full_pipe();
	kill(peat.pid, SIGTERM);
	finish(128 + SIGTERM);
	recorded_run__check_has(peat.err_text, "ended at once");
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
	/* busybox's timeout returns the status of the command. */
	ck_assert_int_eq(run.status, system("timeout --version >/dev/null 2>&1") ? 0 : 124);
	recorded_run__check_has(run.err_text, "in x.data");
	command__free(&run);
}
END_TEST

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT), 0);
	return info.si_pid;
}

/* Ctrl-C reaches a pager as well: the rest of the output waits for it, until Ctrl-C again. */
START_TEST(test_typed_twice)
{
	static const char *const no_variables[] = { NULL };
	static struct pty pty;

	begin();
	flood_run__start(&flood);
	pty__start(&pty, 80, no_variables,
		   ARGV("sh", "-c", "mkfifo out && exec 3<>out && exec \"$@\" >out", "sh",
			recorded_run__peat(), "trace", "-v", FLOOD(&flood)));
	pty__expect(&pty, "attached");
	sleep_ms(300);
	pty__type(&pty, "\3");
	sleep_ms(2500);
	ck_assert(!has_ended(pty.pid));
	pty__type(&pty, "\3");
	pty__expect(&pty, "nobody read it");
	ck_assert_int_eq(pty__finish(&pty), 1);
	flood_run__kill(&flood);
}
END_TEST

/* ---- recordings ------------------------------------------------------------------------------ */

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
	await_full_pipe();
	ck_assert(command__is_running(&peat));
	kill(peat.pid, SIGTERM);
	finish(1);
	recorded_run__check_has(peat.err_text, "nobody read it");
	command__free(&peat);
}
END_TEST

static Suite *stop_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("stop", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_duration_and_blocked_output);
	tcase_add_test(tests, test_programs_end_at_the_duration);
	tcase_add_loop_test(tests, test_signal_and_blocked_output, 0, 2);
	tcase_add_test(tests, test_duration_and_signal);
	tcase_add_test(tests, test_signal_and_slow_reader);
	tcase_add_test(tests, test_signals_and_blocked_recording);
	tcase_add_test(tests, test_signal_and_blocked_tables);
	tcase_add_test(tests, test_signal_sent_twice);
	tcase_add_test(tests, test_typed_twice);
	tcase_add_test(tests, test_replay_of_an_open_fifo);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { stop_suite };

	return harness__main(argc, argv, suites, 1);
}
