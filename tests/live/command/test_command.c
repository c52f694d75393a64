// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_command.c: the command after "--": its children, and the terminal it runs on. */
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"

#define PEAT command__peat()

/* ---- children -------------------------------------------------------------------------------- */

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The children hold the pipe of standard output: it ends with the last of them. */
static void check_children_end(const char *const *argv, int status)
{
	double before = now();
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == status, "%d: %s", peat.status, peat.err_text);
	ck_assert_msg(now() - before < 15, "the children were left: %s", peat.out_text);
	command__free(&peat);
}

START_TEST(test_duration_ends_the_children)
{
	check_children_end(ARGV(PEAT, "trace", "@comm", "-q", "-d", "300ms", "--", "sh", "-c",
				"sleep 30 & sleep 30 & wait"),
			   0);
}
END_TEST

START_TEST(test_duration_ends_a_stopped_command)
{
	check_children_end(ARGV(PEAT, "trace", "@comm", "-q", "-d", "500ms", "--", "sh", "-c",
				"kill -STOP $$; sleep 30"),
			   0);
}
END_TEST

START_TEST(test_signals_end_the_children)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const char *const *argv = ARGV(PEAT, "trace", "@comm", "-q", "-o", "/dev/null", "--", "sh",
				       "-c", "echo ready; sleep 30 & wait");

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		double before = now();
		struct command peat;

		command__start(&peat, ALL_CAPS, argv);
		command__expect(peat.out, "ready");
		kill(peat.pid, signals[i]);
		command__finish(&peat);
		ck_assert_msg(now() - before < 15, "signal %d: the children were left", signals[i]);
		command__free(&peat);
	}
}
END_TEST

/* A command that ends by itself may leave programs, such as a daemon that it started. */
START_TEST(test_a_command_may_leave_children)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(PEAT, "trace", "@comm", "-q", "-o", "/dev/null", "--", "sh", "-c",
			  "(sleep 1; echo left) & exit 5"));
	ck_assert_int_eq(peat.status, 5);
	ck_assert_str_eq(peat.out_text, "left\n");
	command__free(&peat);
}
END_TEST

/* ---- a terminal ------------------------------------------------------------------------------ */

/* A shell with job control on a terminal of its own. */
struct terminal {
	int keys; /* writes keys, reads the screen */
	pid_t shell;
	char screen[4096];
	size_t count;
};

/* $peat has options that keep its own output from the terminal. */
static void open_terminal(struct terminal *terminal, const char *script)
{
	char line[1024];

	snprintf(line, sizeof(line),
		 "ulimit -c 0; set -m; peat='%s trace @comm -q -o /dev/null'; %s", PEAT, script);
	*terminal = (struct terminal){ 0 };
	terminal->shell = forkpty(&terminal->keys, NULL, NULL, NULL);
	ck_assert_int_ge(terminal->shell, 0);
	if (terminal->shell)
		return;
	execlp("sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

static void read_screen(struct terminal *terminal, const char *text)
{
	ssize_t bytes = read(terminal->keys, terminal->screen + terminal->count,
			     sizeof(terminal->screen) - 1 - terminal->count);

	ck_assert_msg(bytes > 0, "no '%s' in '%s'", text, terminal->screen);
	terminal->count += (size_t)bytes;
	terminal->screen[terminal->count] = '\0';
}

/* Waits, as long as the test may take, until `text` appears.  Returns and drops the text up to it.
 */
static const char *expect(struct terminal *terminal, const char *text)
{
	static char before[sizeof(terminal->screen)];
	char *found;

	while (!(found = strstr(terminal->screen, text)))
		read_screen(terminal, text);
	found += strlen(text);
	snprintf(before, sizeof(before), "%.*s", (int)(found - terminal->screen), terminal->screen);
	terminal->count -= (size_t)(found - terminal->screen);
	memmove(terminal->screen, found, terminal->count + 1);
	return before;
}

static void press(const struct terminal *terminal, const char *keys)
{
	ck_assert_int_eq(write(terminal->keys, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static void close_terminal(struct terminal *terminal)
{
	int status;

	expect(terminal, "shell ends");
	ck_assert_int_eq(waitpid(terminal->shell, &status, 0), terminal->shell);
	ck_assert_int_eq(status, 0);
	close(terminal->keys);
}

#define INTERRUPT "\003"
#define QUIT	  "\034"
#define SUSPEND	  "\032"

/* It repeats the lines it reads. */
#define REPEAT "sh -c 'echo ready; while read line; do echo got-$line; done'"

START_TEST(test_command_reads_the_terminal)
{
	struct terminal terminal;

	open_terminal(&terminal, "$peat -- " REPEAT "; echo status=$?; read a; echo \"shell $a\"");
	expect(&terminal, "ready");
	press(&terminal, "one\n");
	expect(&terminal, "got-one");
	press(&terminal, INTERRUPT);
	expect(&terminal, "status=130");
	press(&terminal, "ends\n");
	expect(&terminal, "ends"); /* the terminal's own echo */
	close_terminal(&terminal);
}
END_TEST

/* The command reads a line, and the key ends it. */
static void check_line_and_interrupt(const char *script)
{
	struct terminal terminal;

	open_terminal(&terminal, script);
	expect(&terminal, "ready");
	press(&terminal, "one\n");
	expect(&terminal, "got-one");
	press(&terminal, INTERRUPT);
	close_terminal(&terminal);
}

/* In a pipeline another program, such as a pager, may have the terminal until it is needed. */
START_TEST(test_command_in_a_pipeline_reads_the_terminal)
{
	check_line_and_interrupt("$peat -- " REPEAT " | cat; echo shell ends");
}
END_TEST

/* Reads the terminal although the command runs. */
#define PAGER "sh -c 'trap \"\" INT; read a </dev/tty; echo pager-$a; cat'"

START_TEST(test_pager_reads_the_terminal)
{
	struct terminal terminal;

	open_terminal(&terminal,
		      "$peat -- sh -c 'echo ready; exec sleep 30' | " PAGER "; echo shell ends");
	press(&terminal, "one\n");
	expect(&terminal, "pager-one");
	expect(&terminal, "ready");
	press(&terminal, INTERRUPT); /* for peat, which passes it on */
	close_terminal(&terminal);
}
END_TEST

static void check_stop_and_continue(const char *pipeline)
{
	char script[256];
	struct terminal terminal;

	snprintf(script, sizeof(script),
		 "$peat -- " REPEAT "%s; echo stopped=$?; fg >/dev/null; echo shell ends",
		 pipeline);
	open_terminal(&terminal, script);
	expect(&terminal, "ready");
	press(&terminal, "one\n");
	expect(&terminal, "got-one");
	press(&terminal, SUSPEND);
	expect(&terminal, "stopped=148");
	press(&terminal, "two\n");
	expect(&terminal, "got-two");
	press(&terminal, INTERRUPT);
	close_terminal(&terminal);
}

START_TEST(test_command_stops_and_continues)
{
	check_stop_and_continue("");
}
END_TEST

START_TEST(test_command_in_a_pipeline_stops_and_continues)
{
	check_stop_and_continue(" | cat");
}
END_TEST

/*
 * The key's signals are for peat: the command is in the background, and prints ticks.  The shell
 * lets programs ignore SIGTSTP until they run, so both have to print before the key is pressed.
 */
START_TEST(test_peat_stops_the_command)
{
	struct terminal terminal;
	const char *ticks;

	open_terminal(&terminal,
		      "$peat -- sh -c 'while :; do echo tick; sleep 0.1; done >/dev/tty' | "
		      "{ echo piped >/dev/tty; cat; }; sleep 0.2; echo stopped; sleep 1; "
		      "echo waited; fg >/dev/null; echo shell ends");
	expect(&terminal, "piped");
	expect(&terminal, "tick");
	press(&terminal, SUSPEND);
	expect(&terminal, "stopped");
	ticks = expect(&terminal, "waited");
	ck_assert_msg(!strstr(ticks, "tick"), "the command was not stopped: %s", ticks);
	expect(&terminal, "tick");
	press(&terminal, QUIT);
	close_terminal(&terminal);
}
END_TEST

/* In the background a command that reads the terminal stops the job, as without peat. */
START_TEST(test_background_job_stops_for_the_terminal)
{
	check_line_and_interrupt("$peat -- " REPEAT " & sleep 1; fg >/dev/null; echo shell ends");
}
END_TEST

static Suite *command_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("command", 60, &tests);

	tcase_add_test(tests, test_duration_ends_the_children);
	tcase_add_test(tests, test_duration_ends_a_stopped_command);
	tcase_add_test(tests, test_signals_end_the_children);
	tcase_add_test(tests, test_a_command_may_leave_children);
	tcase_add_test(tests, test_command_reads_the_terminal);
	tcase_add_test(tests, test_command_in_a_pipeline_reads_the_terminal);
	tcase_add_test(tests, test_pager_reads_the_terminal);
	tcase_add_test(tests, test_command_stops_and_continues);
	tcase_add_test(tests, test_command_in_a_pipeline_stops_and_continues);
	tcase_add_test(tests, test_peat_stops_the_command);
	tcase_add_test(tests, test_background_job_stops_for_the_terminal);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { command_suite };

	return harness__main(argc, argv, suites, 1);
}
