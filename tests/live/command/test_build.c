// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_build.c: the line of progress of peat build, beside the messages of a slow clang. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/pty.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

#define ERASE "\r\033[K"
#define LINE  "compiling x.bpf.c: "

static struct pty pty;

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
	recorded_run__setup();
	ck_assert_int_eq(mkdir("peat", 0755), 0);
	write_file("peat/peat.bpf.h", "");
	write_file("vmlinux.h", "");
	write_file("x.bpf.c", "");
}

/* Starts peat build with these lines of sh as clang; the last word is the object. */
static void start(const char *lines, const char *no_color, const char *option)
{
	const char *const variables[] = { "TERM=xterm", "CLANG=./clang", "PEAT_INCLUDE=.", no_color,
					  NULL };
	char script[512];

	snprintf(script, sizeof(script), "#!/bin/sh\nfor object; do :; done\n%s\n", lines);
	write_file("clang", script);
	ck_assert_int_eq(chmod("clang", 0755), 0);
	pty__start(&pty, 80, variables, ARGV(recorded_run__peat(), "build", "x.bpf.c", option));
}

/* The text that follows the line of progress, which is erased and not drawn again. */
static void check_after_line(const char *text)
{
	const char *line = pty__last(&pty, ERASE LINE), *erased = pty__last(&pty, ERASE);

	ck_assert_ptr_eq(strchr(line + strlen(ERASE), '\r'), erased);
	erased += strlen(ERASE);
	ck_assert_msg(!strncmp(erased, text, strlen(text)), "no '%.100s' in: %.1000s", text,
		      erased);
}

START_TEST(test_slow_clang)
{
	start("sleep 2; : >\"$object\"", "NO_COLOR=", NULL);
	pty__expect(&pty, ERASE LINE "1 s");
	ck_assert_int_eq(pty__finish(&pty), 0);
	check_after_line("peat: built x.bpf.o;");
}
END_TEST

START_TEST(test_quick_clang)
{
	start(": >\"$object\"", "NO_COLOR=", NULL);
	ck_assert_int_eq(pty__finish(&pty), 0);
	ck_assert_ptr_null(strstr(pty.text, ERASE));
}
END_TEST

/* No line of progress cuts a message. */
START_TEST(test_messages_after_line)
{
	start("sleep 2; printf 'x.c: ' >&2; sleep 2; echo warning >&2; echo note; exit 3",
	      "NO_COLOR=", NULL);
	ck_assert_int_eq(pty__finish(&pty), 1);
	check_after_line("x.c: warning\r\nnote\r\npeat: ");
	pty__last(&pty, "peat: cannot build x.bpf.o: clang ended with status 3\r\n");
}
END_TEST

/* More than a pipe holds, until the end. */
START_TEST(test_many_messages)
{
	static char text[1 << 18];
	size_t bytes = 0;

	for (int i = 1; i <= 20000; i++)
		bytes += (size_t)snprintf(text + bytes, sizeof(text) - bytes, "%d\r\n", i);
	start("sleep 2; seq 20000 >&2; : >\"$object\"", "NO_COLOR=", NULL);
	ck_assert_int_eq(pty__finish(&pty), 0);
	check_after_line(text);
	ck_assert_int_eq(strncmp(pty__last(&pty, "\r\n20000\r\n"), "\r\n20000\r\npeat: built", 20),
			 0);
}
END_TEST

/* A process that clang leaves behind delays no end, and may keep the pipe. */
START_TEST(test_end_of_clang)
{
	start("sleep 200 & sleep 2; : >\"$object\"; echo end >&2", "NO_COLOR=", NULL);
	ck_assert_int_eq(pty__finish(&pty), 0);
	check_after_line("end\r\npeat: built x.bpf.o;");
}
END_TEST

/* ---- signals --------------------------------------------------------------------------------- */

START_TEST(test_interrupted_clang)
{
	start("sleep 200", "NO_COLOR=", NULL);
	pty__expect(&pty, ERASE LINE);
	pty__type(&pty, "\3");
	ck_assert_int_eq(pty__finish(&pty), 1);
	check_after_line("peat: ");
	pty__last(&pty, "clang ended with signal ");
	ck_assert(access("x.bpf.o", F_OK));
}
END_TEST

/* Only peat gets the signal. */
START_TEST(test_terminated_peat)
{
	start("sleep 200", "NO_COLOR=", NULL);
	pty__expect(&pty, ERASE LINE);
	ck_assert_int_eq(kill(pty.pid, SIGTERM), 0);
	ck_assert_int_eq(pty__finish(&pty), 1);
	check_after_line("peat: ");
	pty__last(&pty, "clang ended with signal 15\r\n");
}
END_TEST

/* ---- without a line, and colors -------------------------------------------------------------- */

#define PRINT_OPTIONS "test -t 2 && echo terminal >&2; echo \"got $*\" >&2; : >\"$object\""

/* Clang's own test of the terminal fails.  The printed command line is for files, too. */
START_TEST(test_colors_through_pipe)
{
	const char *color;

	start(PRINT_OPTIONS, "NO_COLOR=", NULL);
	ck_assert_int_eq(pty__finish(&pty), 0);
	color = strstr(pty.text, " -fcolor-diagnostics ");
	ck_assert_ptr_eq(color, pty__last(&pty, " -fcolor-diagnostics "));
	ck_assert(color > pty__last(&pty, "got "));
	start(PRINT_OPTIONS, "NO_COLOR=1", NULL);
	ck_assert_int_eq(pty__finish(&pty), 0);
	ck_assert_ptr_null(strstr(pty.text, "color"));
}
END_TEST

START_TEST(test_quiet_build)
{
	start("sleep 2; " PRINT_OPTIONS, "NO_COLOR=", "-q");
	ck_assert_int_eq(pty__finish(&pty), 0);
	ck_assert_ptr_null(strstr(pty.text, ERASE));
	ck_assert_ptr_null(strstr(pty.text, "color"));
	ck_assert_ptr_nonnull(strstr(pty.text, "\nterminal\r\n"));
}
END_TEST

static Suite *build_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("build", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_slow_clang);
	tcase_add_test(tests, test_quick_clang);
	tcase_add_test(tests, test_messages_after_line);
	tcase_add_test(tests, test_many_messages);
	tcase_add_test(tests, test_end_of_clang);
	tcase_add_test(tests, test_interrupted_clang);
	tcase_add_test(tests, test_terminated_peat);
	tcase_add_test(tests, test_colors_through_pipe);
	tcase_add_test(tests, test_quiet_build);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { build_suite };

	return harness__main(argc, argv, suites, 1);
}
