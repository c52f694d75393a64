// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_columns.c: the output of peat trace and replay, as wide as a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/machine/pty.h"

#define TRACE(...) ARGV(command__peat(), "trace", ##__VA_ARGS__)
/* Only the programs that this test runs. */
#define EXEC(...) TRACE("exec", "--where", is_program, ##__VA_ARGS__)

static struct pty terminal;
static const char *program;
static char is_program[100];

static void setup(void)
{
	program = process__program();
	snprintf(is_program, sizeof(is_program), "filename == \"%s\"", program);
}

static void teardown(void)
{
	unlink(program);
}

/* Copies a line with one blank for several, and none at its ends. */
static void copy_words(char *words, size_t room, const char *line, size_t bytes)
{
	size_t count = 0;

	for (size_t i = 0; i < bytes && count + 2 < room; i++) {
		if (line[i] == ' ' || line[i] == '\r')
			continue;
		if (count && i && line[i - 1] == ' ')
			words[count++] = ' ';
		words[count++] = line[i];
	}
	words[count] = 0;
}

/* Expects a line of these words. */
static void expect_words(const char *wanted)
{
	const char *blank = strrchr(wanted, ' ');
	char last[64], words[256];
	size_t start;

	snprintf(last, sizeof(last), "%s\r\n", blank);
	pty__expect(&terminal, last);
	start = terminal.seen - 2;
	while (start && terminal.text[start - 1] != '\n')
		start--;
	copy_words(words, sizeof(words), terminal.text + start, terminal.seen - 1 - start);
	ck_assert_str_eq(words, wanted);
}

static void run_programs(void)
{
	for (int i = 0; i < 3; i++)
		process__run(program, ARGV("t"));
}

static void start(unsigned short columns, const char *variable, const char *const *argv)
{
	pty__start(&terminal, columns, ARGV("TERM=xterm", variable), argv);
	pty__expect(&terminal, "tracing; press Ctrl-C to stop");
}

static void check_hidden(const char *names)
{
	char text[128];

	snprintf(text, sizeof(text), "peat: no room for %s: --wide prints all columns", names);
	ck_assert_msg(strstr(terminal.text, text), "no '%s' in: %s", text, terminal.text);
}

static void replay(unsigned short columns, const char *path, const char *option)
{
	pty__start(&terminal, columns, ARGV("TERM=xterm"),
		   ARGV(command__peat(), "replay", path, option));
	ck_assert_int_eq(pty__finish(&terminal), 0);
}

static void stop(void)
{
	pty__type(&terminal, "\x03");
	pty__expect(&terminal, " lost\r\n");
	ck_assert_int_eq(pty__finish(&terminal), 0);
}

#define ALL_WORDS    "PID COMM CPU PPID UID ARGS_BYTES FILENAME ARGS"
#define NARROW_WORDS "PID COMM PPID ARGS"

/* The first field stays, the others need more room. */
START_TEST(test_narrow_terminal_has_few_columns)
{
	start(50, "NO_COLOR=", EXEC());
	run_programs();
	expect_words(NARROW_WORDS);
	pty__expect(&terminal, " t\r\n");
	stop();
	check_hidden("CPU, UID, ARGS_BYTES, FILENAME");
	start(160, "NO_COLOR=", EXEC());
	run_programs();
	expect_words(ALL_WORDS);
	stop();
	ck_assert_ptr_null(strstr(terminal.text, "no room"));
}
END_TEST

START_TEST(test_wide_has_all_columns)
{
	start(50, "NO_COLOR=", EXEC("--wide"));
	run_programs();
	expect_words(ALL_WORDS);
	stop();
}
END_TEST

/* Its message would be in the middle of a line of peat's, at times. */
#define QUIET_CAT "sh", "-c", "exec cat /no/such/file 2>/dev/null"

#define OPEN(probe) TRACE(probe, "--where", "path == \"/no/such/file\"", "--", QUIET_CAT)

/* The latency is measured only if it is asked for. */
START_TEST(test_values_that_are_not_measured)
{
	start(120, "NO_COLOR=", OPEN("open"));
	expect_words("PID COMM CPU RESULT FLAGS PATH");
	pty__expect(&terminal, " lost\r\n");
	pty__finish(&terminal);
	start(120, "NO_COLOR=", OPEN("open,slow=1ns"));
	expect_words("PID COMM CPU RESULT FLAGS LATENCY PATH");
	pty__expect(&terminal, " lost\r\n");
	pty__finish(&terminal);
}
END_TEST

START_TEST(test_chosen_columns_are_printed)
{
	start(50, "NO_COLOR=", EXEC("--fields", "filename,ppid"));
	run_programs();
	expect_words("FILENAME PPID");
	pty__expect(&terminal, "\n/tmp/run-");
	stop();
}
END_TEST

/* A change of the size applies to the next event, under a heading of its own. */
START_TEST(test_resize_prints_new_heading)
{
	start(50, "NO_COLOR=", EXEC());
	run_programs();
	expect_words(NARROW_WORDS);
	pty__resize(&terminal, 160);
	run_programs();
	expect_words(ALL_WORDS);
	pty__resize(&terminal, 50);
	run_programs();
	expect_words(NARROW_WORDS);
	stop();
}
END_TEST

/* Errors are red, but not without colours. */
START_TEST(test_colours_on_terminals)
{
	static const char *const variables[] = { "NO_COLOR=", "NO_COLOR=1", "TERM=dumb", "TERM=" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		start(80, variables[i],
		      TRACE("open,failed", "--where", "path == \"/no/such/file\"", "--",
			    QUIET_CAT));
		pty__expect(&terminal, " lost\r\n");
		pty__finish(&terminal);
		ck_assert_ptr_nonnull(strstr(terminal.text, "ENOENT"));
		ck_assert_int_eq(!!strstr(terminal.text, "\x1b[31mENOENT\x1b[0m"), !i);
		ck_assert_int_eq(!!strstr(terminal.text, "\x1b["), !i);
	}
}
END_TEST

/* Scripts get all columns, and names that they can rely on. */
START_TEST(test_no_terminal)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     EXEC("-n", "1", "--fields", "args,uid,time", "-j", "--", program, "x y"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\"args\":[\""));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "\"x y\"],\"uid\":0,\"time_ns\":"));
	ck_assert_ptr_null(strstr(peat.out_text, "comm"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, EXEC("-n", "1", "--", program));
	ck_assert_ptr_nonnull(strstr(peat.out_text, " CPU "));
	ck_assert_ptr_nonnull(strstr(peat.out_text, " ARGS_BYTES "));
	ck_assert_ptr_null(strstr(peat.out_text, "\x1b"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, TRACE("exec", "open", "--fields", "pid,resul", "-d", "1"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "no event has a field 'resul'"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, TRACE("open", "--fields", "pid,resul", "-d", "1"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "did you mean \"result\"?"));
	command__free(&peat);
}
END_TEST

/* Recordings have the types of their events, with the minor members. */
START_TEST(test_columns_of_recordings)
{
	char path[] = "/tmp/peat-columns-XXXXXX";
	struct command peat;

	close(mkstemp(path));
	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "record", "exec", "-o", path, "-q", "--", program));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
	pty__start(&terminal, 64, ARGV("TERM=xterm"), ARGV(command__peat(), "replay", path));
	expect_words("TIME PID COMM PPID ARGS");
	ck_assert_int_eq(pty__finish(&terminal), 0);
	check_hidden("CPU, UID, ARGS_BYTES, FILENAME");
	replay(200, path, NULL);
	ck_assert_ptr_null(strstr(terminal.text, "no room"));
	replay(64, path, "--wide");
	ck_assert_ptr_null(strstr(terminal.text, "no room"));
	replay(64, path, "-q");
	ck_assert_ptr_null(strstr(terminal.text, "no room"));
	command__run(&peat, 0, ARGV(command__peat(), "replay", path, "--fields", "args,pid"));
	ck_assert_int_eq(strncmp(peat.out_text, "ARGS  ", 6), 0);
	ck_assert_ptr_nonnull(strstr(peat.out_text, "     PID\n"));
	command__free(&peat);
	unlink(path);
}
END_TEST

static Suite *columns_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("columns", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_narrow_terminal_has_few_columns);
	tcase_add_test(tests, test_wide_has_all_columns);
	tcase_add_test(tests, test_values_that_are_not_measured);
	tcase_add_test(tests, test_chosen_columns_are_printed);
	tcase_add_test(tests, test_resize_prints_new_heading);
	tcase_add_test(tests, test_colours_on_terminals);
	tcase_add_test(tests, test_no_terminal);
	tcase_add_test(tests, test_columns_of_recordings);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { columns_suite };

	return harness__main(argc, argv, suites, 1);
}
