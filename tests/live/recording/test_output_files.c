// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_output_files.c: the files that each verb creates: permissions, and files of other users. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

/* ---- permissions ----------------------------------------------------------------------------- */

static mode_t mode_of(const char *path)
{
	struct stat status;

	ck_assert_msg(!stat(path, &status), "%s: %s", path, strerror(errno));
	return status.st_mode & 07777;
}

/* Runs "peat ARGUMENTS", which writes the file `out`, with a umask that forbids nothing. */
static void check_private(const char *arguments)
{
	unlink("out");
	free(stock_perf__shellf("umask 0; $PEAT %s 2>err", arguments));
	ck_assert_msg(mode_of("out") == 0600, "%s: %o", arguments, mode_of("out"));
}

START_TEST(test_only_the_owner_reads_events)
{
	static const char *const commands[] = {
		"trace exec -o out -- true",
		"trace exec -j -o out -- true",
		"trace packet --if lo --to pcapng -o out -d 0.1",
		"record exec -o out -- true",
		"profile -o out --to folded -- true",
		"stat -e task-clock -o out -- true",
		"replay -o out x.data",
		"convert x.data -o out",
		"convert x.data --to json -o out",
		"convert samples.data --to folded -o out",
		"convert samples.data --to flamegraph -o out",
		"convert samples.data --to pprof -o out",
		"convert packets.data --to pcapng -o out",
	};

	free(stock_perf__shell("$PEAT record exec -o x.data -- true 2>err && chmod 644 x.data && "
			       "$PEAT record -g -e cpu-clock -o samples.data -- true 2>err && "
			       "$PEAT record packet --if lo -d 0.1 -o packets.data 2>err"));
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		check_private(commands[i]);
}
END_TEST

/* Others can read the output no longer than the recording. */
START_TEST(test_existing_output_of_a_conversion)
{
	static const char *const formats[] = { "json", "perf", "folded" };

	free(stock_perf__shell("$PEAT record -g -e cpu-clock -o x.data -- true 2>err"));
	for (size_t i = 0; i < 3; i++) {
		free(stock_perf__shellf("echo before >out; chmod 644 out; "
					"$PEAT convert x.data --to %s -o out 2>err",
					formats[i]));
		ck_assert_uint_eq(mode_of("out"), 0600);
	}
	free(stock_perf__shell("chmod 640 x.data; echo before >out; chmod 644 out; "
			       "$PEAT convert x.data --to json -o out 2>err"));
	ck_assert_uint_eq(mode_of("out"), 0640);
}
END_TEST

/* ---- refused command lines --------------------------------------------------------------------
 */

/* Runs "peat ARGUMENTS", which is refused; the file `out` keeps its contents. */
static void check_kept(const char *arguments)
{
	char *text;

	free(stock_perf__shell("echo precious >out"));
	text = stock_perf__shellf("if $PEAT %s 2>err; then echo accepted; fi; cat out", arguments);
	ck_assert_msg(!strcmp(text, "precious\n"), "%s: %s", arguments, text);
	free(text);
}

START_TEST(test_refused_command_lines_empty_no_file)
{
	static const char *const commands[] = {
		"trace open -o out --where 'result <' -- true",
		"trace open -o out --where 'nothing == 1' -- true",
		"trace open -o out --fields pid,nothing -- true",
		"trace open -o out --fields pid,, -- true",
		"trace open exec -o out --fields pid,nothing -- true",
		"trace open exec -o out --fields pid, -- true",
		"trace open -j -o out --fields nothing -- true",
		"trace nothing -o out -- true",
		"trace open,nothing=1 -o out -- true",
		"trace exec --to pcapng -o out -- true",
		"trace exec -p 99999999 -o out",
		"trace @comm --stacks -o out -- true",
		"profile --where 'nothing == 1' -o out --to folded -- true",
		"record open -o out --where 'nothing == 1' -- true",
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		check_kept(commands[i]);
}
END_TEST

/* ---- other users ----------------------------------------------------------------------------- */

static void make_shared(void)
{
	ck_assert_int_eq(mkdir("shared", 0), 0);
	ck_assert_int_eq(chmod("shared", 01777), 0);
	ck_assert_int_eq(chmod(".", 0755), 0);
}

static void check_refused(const char *arguments, const char *message)
{
	struct command run;
	char line[256];

	snprintf(line, sizeof(line), "$PEAT %s", arguments);
	command__run(&run, ALL_CAPS, ARGV("sh", "-c", line));
	ck_assert_msg(run.status == 1, "%s: %d: %s", line, run.status, run.err_text);
	ck_assert_msg(strstr(run.err_text, message), "%s: %s", line, run.err_text);
	command__free(&run);
}

/* Peat writes to no file that another user placed in a shared directory such as /tmp. */
START_TEST(test_files_of_strangers)
{
	char *text;

	make_shared();
	free(stock_perf__shell("echo precious >precious; : >shared/file; chmod 666 shared/file; "
			       "mkfifo -m 666 shared/fifo; ln -s ../precious shared/link; "
			       "ln -s ../absent shared/dangling; ln precious shared/second; "
			       "ln -s file shared/two; "
			       "chown -h 65534 shared/file shared/fifo shared/link "
			       "shared/dangling"));
	check_refused("trace exec -o shared/file -- true", "another user");
	check_refused("trace exec -o shared/fifo -- true", "another user");
	check_refused("trace exec -o shared/link -- true", "another user");
	check_refused("trace exec -o shared/dangling -- true", "another user");
	check_refused("trace exec -o shared/second -- true", "another name");
	check_refused("trace exec -o shared/two -- true", "another user");
	check_refused("record exec -o shared/dangling -- true", "another user");
	check_refused("stat -e task-clock -o shared/link -- true", "another user");
	/* With fs.protected_symlinks, peat cannot see the recording behind the link. */
	free(stock_perf__shell("if $PEAT record exec -o shared/link -- true 2>err; "
			       "then test -h shared/link.old; test ! -h shared/link; "
			       "else grep -q 'another user' err; fi"));
	text = stock_perf__shell("cat precious; test ! -e absent; test ! -s shared/file");
	ck_assert_str_eq(text, "precious\n");
	free(text);
}
END_TEST

/* In a directory of one's own, links are followed wherever they come from. */
START_TEST(test_links_elsewhere)
{
	free(stock_perf__shell("mkdir own; ln -s ../target own/link; chown -h 65534 own/link; "
			       "$PEAT trace exec -o own/link -- true 2>err"));
	ck_assert_uint_eq(mode_of("target"), 0600);
}
END_TEST

START_TEST(test_fifo_without_a_reader)
{
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	check_refused("trace exec -o fifo -- true", "no process reads this FIFO");
}
END_TEST

static Suite *output_files_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("output_files", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_only_the_owner_reads_events);
	tcase_add_test(tests, test_existing_output_of_a_conversion);
	tcase_add_test(tests, test_refused_command_lines_empty_no_file);
	tcase_add_test(tests, test_files_of_strangers);
	tcase_add_test(tests, test_links_elsewhere);
	tcase_add_test(tests, test_fifo_without_a_reader);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { output_files_suite };

	return harness__main(argc, argv, suites, 1);
}
