// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_progress.c: the line of progress of commands that take longer than a second. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/machine/pty.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)

#define ERASE "\r\033[K"

/* Parts of a recording, one after each PART_US: several seconds in all. */
#define PARTS	30
#define PART_US 100000

static const char *const variables[] = { "TERM=xterm", NULL };
static struct pty pty;

/* Records many events to x.data, in the layout of a pipe, and makes a FIFO. */
static void begin(void)
{
	static struct flood_run flood;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 0, 100);
	flood_run__start(&flood);
	free(stock_perf__shellf("$PEAT record flood.bpf.o --set %s --set %s --set %s -n 100000 "
				"-o - 2>err | cat >x.data; mkfifo fifo",
				flood.sets[0], flood.sets[1], flood.sets[2]));
	flood_run__kill(&flood);
}

/* ---- slow input and output ------------------------------------------------------------------- */

static size_t size_of_part(void)
{
	struct stat status;

	ck_assert_int_eq(stat("x.data", &status), 0);
	return (size_t)status.st_size / PARTS + 1;
}

/* In a child. */
static int feed(void *arg)
{
	size_t room = size_of_part();
	char *part = malloc(room);
	int from = open("x.data", O_RDONLY), to = open("fifo", O_WRONLY);
	ssize_t bytes;

	(void)arg;
	while (part && (bytes = read(from, part, room)) > 0) {
		if (write(to, part, (size_t)bytes) != bytes)
			return 1;
		usleep(PART_US);
	}
	return 0;
}

static int read_slowly(void *arg)
{
	static char part[1 << 17];
	int from = open("fifo", O_RDONLY);

	(void)arg;
	while (read(from, part, sizeof(part)) > 0)
		usleep(PART_US / 10);
	return 0;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void start(const char *const *argv)
{
	pty__start(&pty, 80, variables, argv);
}

/* The last line of progress is erased before anything else is printed. */
static void check_erased(const char *text)
{
	const char *last = pty__last(&pty, text), *end = strstr(last, ERASE);

	ck_assert_msg(end, "not erased: %s", last);
	ck_assert_uint_lt(strcspn(last, "\r"), 80);
	ck_assert_ptr_eq(last + strcspn(last, "\r"), end);
}

static void check_no_progress(const char *text)
{
	ck_assert_msg(!strstr(text, ERASE) && !strstr(text, "reading"), "%s", text);
}

/* ---- recordings ------------------------------------------------------------------------------ */

/* The size of a pipe is unknown. */
START_TEST(test_count_of_slow_pipe)
{
	pid_t feeder;

	begin();
	feeder = process__start(feed, NULL);
	start(ARGV(recorded_run__peat(), "count", "fifo"));
	pty__expect(&pty, ERASE "reading fifo: ");
	pty__expect(&pty, " in ");
	ck_assert_int_eq(pty__finish(&pty), 0);
	ck_assert_int_eq(process__wait(feeder), 0);
	check_erased("reading fifo: ");
	ck_assert_ptr_nonnull(strstr(pty__last(&pty, ERASE), "COUNT"));
	ck_assert_ptr_nonnull(strstr(pty__last(&pty, ERASE), "peat: 100000 events"));
}
END_TEST

START_TEST(test_quiet_count_of_slow_pipe)
{
	pid_t feeder;

	begin();
	feeder = process__start(feed, NULL);
	start(ARGV(recorded_run__peat(), "count", "-q", "fifo"));
	ck_assert_int_eq(pty__finish(&pty), 0);
	ck_assert_int_eq(process__wait(feeder), 0);
	check_no_progress(pty.text);
}
END_TEST

START_TEST(test_messages_to_pipe_have_no_progress)
{
	struct command peat;
	pid_t feeder;

	begin();
	feeder = process__start(feed, NULL);
	command__run(&peat, ALL_CAPS, ARGV(recorded_run__peat(), "count", "fifo"));
	ck_assert_int_eq(process__wait(feeder), 0);
	ck_assert_int_eq(peat.status, 0);
	check_no_progress(peat.err_text);
	check_no_progress(peat.out_text);
	command__free(&peat);
}
END_TEST

/* The events are printed to the terminal: they show how far it is. */
START_TEST(test_replay_to_terminal_has_no_progress)
{
	begin();
	free(stock_perf__shellf("$PEAT replay x.data -n 100 -o text 2>err"));
	start(ARGV("sh", "-c", "(cat x.data; sleep 1.5) | \"$0\" replay -n 100 -",
		   recorded_run__peat()));
	ck_assert_int_eq(pty__finish(&pty), 0);
	check_no_progress(pty.text);
}
END_TEST

/* ---- conversion ------------------------------------------------------------------------------ */

START_TEST(test_convert_to_slow_pipe)
{
	pid_t reader;

	begin();
	reader = process__start(read_slowly, NULL);
	start(ARGV(recorded_run__peat(), "convert", "x.data", "--to", "perf", "-o", "fifo"));
	pty__expect(&pty, ERASE "converting x.data: ");
	pty__expect(&pty, "% of ");
	ck_assert_int_eq(pty__finish(&pty), 0);
	ck_assert_int_eq(process__wait(reader), 0);
	check_erased("converting x.data: ");
}
END_TEST

/* Ctrl-C ends the conversion, and the line. */
START_TEST(test_interrupted_convert)
{
	pid_t reader;

	begin();
	reader = process__start(read_slowly, NULL);
	start(ARGV(recorded_run__peat(), "convert", "x.data", "--to", "perf", "-o", "fifo"));
	pty__expect(&pty, ERASE "converting x.data: ");
	pty__type(&pty, "\3");
	ck_assert_int_eq(pty__finish(&pty), 128 + SIGINT);
	ck_assert_int_eq(process__wait(reader), 0);
	ck_assert_msg(!strcmp(pty__last(&pty, ERASE), ERASE), "%s", pty__last(&pty, ERASE));
}
END_TEST

/* ---- live events ----------------------------------------------------------------------------- */

START_TEST(test_time_left_of_count)
{
	start(ARGV(recorded_run__peat(), "count", "-d", "5", "exec"));
	pty__expect(&pty, ERASE "counting: ");
	pty__expect(&pty, " s left, ");
	pty__expect(&pty, " lost");
	ck_assert_int_eq(pty__finish(&pty), 0);
	check_erased("counting: ");
	pty__start(&pty, 80, variables,
		   ARGV(recorded_run__peat(), "count", "-q", "-d", "2", "exec"));
	ck_assert_int_eq(pty__finish(&pty), 0);
	ck_assert(!strstr(pty.text, "counting"));
}
END_TEST

START_TEST(test_record_reports_rates)
{
	start(ARGV(recorded_run__peat(), "record", "-d", "5", "-o", "y.data", "exec"));
	pty__expect(&pty, " events/s, ");
	ck_assert_int_eq(pty__finish(&pty), 0);
	check_erased(" events/s, ");
}
END_TEST

static Suite *progress_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("progress", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_count_of_slow_pipe);
	tcase_add_test(tests, test_quiet_count_of_slow_pipe);
	tcase_add_test(tests, test_messages_to_pipe_have_no_progress);
	tcase_add_test(tests, test_replay_to_terminal_has_no_progress);
	tcase_add_test(tests, test_convert_to_slow_pipe);
	tcase_add_test(tests, test_interrupted_convert);
	tcase_add_test(tests, test_time_left_of_count);
	tcase_add_test(tests, test_record_reports_rates);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { progress_suite };

	return harness__main(argc, argv, suites, 1);
}
