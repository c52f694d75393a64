// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_progress.c: the line of progress on a terminal, drawn, erased, and left out. */
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "unit/suite.h"

#define ERASE	   "\r\033[K"
#define LONGER_US  1300000 /* than the second in which nothing is drawn */
#define REDRAWN_US 500000

static char printed[4096];

/* Runs the function in a child whose terminal has these columns.  Returns its status. */
static int run_on_terminal(unsigned short columns, void (*function)(void))
{
	const struct winsize size = { .ws_row = 24, .ws_col = columns };
	size_t count = 0;
	ssize_t bytes;
	int fd, status;
	pid_t pid = forkpty(&fd, NULL, NULL, &size);

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		setenv("TERM", "xterm", 1);
		function();
		_exit(0);
	}
	memset(printed, 0, sizeof(printed));
	while ((bytes = read(fd, printed + count, sizeof(printed) - 1 - count)) > 0)
		count += (size_t)bytes;
	close(fd);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	return status;
}

static void check_ends(const char *text)
{
	size_t bytes = strlen(text), all = strlen(printed);

	ck_assert_msg(all >= bytes && !strcmp(printed + all - bytes, text),
		      "no '%s' at the end: %s", text, printed);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report(void)
{
	struct progress progress = { .verb = "reading", .name = "it" };

	progress__report(&progress);
}

static void report_at_once(void)
{
	progress__begin(false);
	report();
	progress__end();
}

START_TEST(test_short_run_draws_nothing)
{
	ck_assert_int_eq(run_on_terminal(80, report_at_once), 0);
	ck_assert_str_eq(printed, "");
}
END_TEST

static void report_later(void)
{
	progress__begin(false);
	usleep(LONGER_US);
	report();
	report(); /* not due */
	progress__end();
	report();
}

START_TEST(test_line_is_drawn_once_and_erased)
{
	ck_assert_int_eq(run_on_terminal(80, report_later), 0);
	ck_assert_str_eq(printed, ERASE "reading it: 1 s" ERASE);
	ck_assert_int_eq(run_on_terminal(11, report_later), 0);
	ck_assert_str_eq(printed, ERASE "reading it" ERASE);
}
END_TEST

static void report_quietly(void)
{
	progress__begin(true);
	usleep(LONGER_US);
	report();
	progress__show("shown");
	progress__end();
}

START_TEST(test_quiet_draws_nothing)
{
	ck_assert_int_eq(run_on_terminal(80, report_quietly), 0);
	ck_assert_str_eq(printed, "");
}
END_TEST

static void report_to_simple_terminal(void)
{
	setenv("TERM", "dumb", 1);
	progress__begin(false);
	progress__show("shown");
	progress__end();
}

START_TEST(test_terminal_that_cannot_erase)
{
	ck_assert_int_eq(run_on_terminal(80, report_to_simple_terminal), 0);
	ck_assert_str_eq(printed, "");
}
END_TEST

/* ---- other output ---------------------------------------------------------------------------- */

static void show_and_print(void)
{
	progress__begin(false);
	progress__show("a line that is cut");
	messages__print("text");
	messages__print("more");
	progress__end();
}

START_TEST(test_message_erases_line)
{
	ck_assert_int_eq(run_on_terminal(7, show_and_print), 0);
	ck_assert_str_eq(printed, ERASE "a line" ERASE "peat: text\r\npeat: more\r\n");
}
END_TEST

/* libcheck has handlers of its own. */
static void show_and_die(void)
{
	signal(SIGTERM, SIG_DFL);
	progress__begin(false);
	progress__show("shown");
	raise(SIGTERM);
}

START_TEST(test_signal_erases_line)
{
	int status = run_on_terminal(80, show_and_die);

	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	ck_assert_str_eq(printed, ERASE "shown" ERASE);
}
END_TEST

static void ignore_and_die(void)
{
	signal(SIGTERM, SIG_IGN);
	progress__begin(false);
	progress__show("shown");
	raise(SIGTERM);
	progress__end();
	raise(SIGTERM);
}

START_TEST(test_ignored_signals_stay_ignored)
{
	ck_assert_int_eq(run_on_terminal(80, ignore_and_die), 0);
	ck_assert_str_eq(printed, ERASE "shown" ERASE);
}
END_TEST

/* ---- waits ----------------------------------------------------------------------------------- */

static void wait_long(void)
{
	progress__begin_wait(false, "loading", "x");
	usleep(LONGER_US);
	messages__print("text");
	usleep(REDRAWN_US);
	progress__end_wait();
	messages__print("end");
}

START_TEST(test_wait_draws_and_erases)
{
	ck_assert_int_eq(run_on_terminal(80, wait_long), 0);
	ck_assert_msg(!strncmp(printed, ERASE "loading x: 1 s", 18), "%s", printed);
	ck_assert_ptr_nonnull(strstr(printed, ERASE "peat: text\r\n" ERASE "loading x: "));
	check_ends(ERASE "peat: end\r\n");
}
END_TEST

static void wait_twice_for_nothing(void)
{
	progress__begin_wait(false, "loading", "x");
	progress__end_wait();
	progress__begin_wait(true, "loading", "x");
	usleep(LONGER_US);
	progress__end_wait();
}

START_TEST(test_short_and_quiet_waits)
{
	ck_assert_int_eq(run_on_terminal(80, wait_twice_for_nothing), 0);
	ck_assert_str_eq(printed, "");
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_short_run_draws_nothing);
	tcase_add_test(tests, test_line_is_drawn_once_and_erased);
	tcase_add_test(tests, test_quiet_draws_nothing);
	tcase_add_test(tests, test_terminal_that_cannot_erase);
	tcase_add_test(tests, test_message_erases_line);
	tcase_add_test(tests, test_signal_erases_line);
	tcase_add_test(tests, test_ignored_signals_stay_ignored);
	tcase_add_test(tests, test_wait_draws_and_erases);
	tcase_add_test(tests, test_short_and_quiet_waits);
}
