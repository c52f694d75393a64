// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_convert_where.c: recordings with some of the samples of another one, as stock perf reads
 * them.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

/* Runs a line, which may use $PEAT. */
#define shell stock_perf__shellf

#define SORTED " 2>/dev/null | sed 's/ *$//' | sort"

static void check_same(char *text, char *wanted)
{
	ck_assert_msg(*wanted && !strcmp(text, wanted), "%.2000s\nwanted: %.2000s", text, wanted);
	free(text);
	free(wanted);
}

static void record(const char *options)
{
	free(shell("perf record -q --no-bpf-event %s -o file -- sh -c 'ls / >/dev/null; true'",
		   options));
}

/* The samples that have the name, with all their fields, are those that perf finds by it. */
static void check_samples_of_ls(void)
{
	free(shell("$PEAT convert -q file --where 'comm == ls' -o part"));
	check_same(shell("perf script -F comm,tid,time,event,ip,sym -i part" SORTED),
		   shell("perf script -F comm,tid,time,event,ip,sym -i file --comms ls" SORTED));
}

START_TEST(test_samples_of_a_name)
{
	need_perf();
	record("-e page-faults -c 1");
	check_samples_of_ls();
	record("-e page-faults -c 1 -z");
	check_samples_of_ls();
	free(shell("perf record -q --no-bpf-event -e page-faults -c 1 -o - -- "
		   "sh -c 'ls / >/dev/null; true' >file"));
	check_samples_of_ls();
}
END_TEST

/* All intact samples of a damaged recording are tested. */
START_TEST(test_samples_of_a_cut_file)
{
	need_perf();
	record("-e page-faults -c 1");
	free(shell("head -c $(($(stat -c %%s file) * 2 / 3)) file > cut; "
		   "! $PEAT convert -q cut --where 'comm == ls' -o part 2> messages; "
		   "grep -q 'cut is cut at byte' messages"));
	check_same(shell("$PEAT replay -q -j part"),
		   shell("$PEAT replay -q -j cut --where 'comm == ls' 2> messages || true"));
}
END_TEST

static char *stats(const char *path)
{
	return shell("$PEAT replay --stats %s | sed -n '/^samples/q; /SAMPLE\\|ROUND/d; p'", path);
}

/* Records of tasks and mappings stay. */
START_TEST(test_other_records_stay)
{
	need_perf();
	record("-e page-faults -c 1");
	free(shell("$PEAT convert -q file --where 'comm == ls' -o part"));
	check_same(stats("part"), stats("file"));
}
END_TEST

START_TEST(test_counts_are_printed)
{
	unsigned long all, of_ls;
	char *text, wanted[80];

	need_perf();
	record("-e page-faults -c 1");
	text = shell("perf script -i file 2>/dev/null | wc -l; "
		     "perf script -i file --comms ls 2>/dev/null | wc -l");
	ck_assert_int_eq(sscanf(text, "%lu %lu", &all, &of_ls), 2);
	free(text);
	snprintf(wanted, sizeof(wanted), "%lu events written, %lu filtered\n", of_ls, all - of_ls);
	text = shell("$PEAT convert file --where 'comm == ls' -o part 2>&1");
	ck_assert_msg(strstr(text, wanted), "%s: not %s", text, wanted);
	free(text);
}
END_TEST

/* Fields of peat's own events, and words that perf sampled. */
START_TEST(test_fields_of_samples)
{
	need_perf();
	free(shell(
		"$PEAT record -q exec -o file -- sh -c 'ls / >/dev/null; true; ls / >/dev/null'"));
	free(shell("$PEAT convert -q file --where 'filename ~ \"*/ls\"' -o part"));
	check_same(shell("$PEAT replay -q -j part"),
		   shell("$PEAT replay -q -j file --where 'filename ~ \"*/ls\"'"));
	check_same(shell("perf script -i part 2>/dev/null | grep -c peat:exec"), shell("echo 2"));
	record("-e page-faults -c 3");
	free(shell("$PEAT convert -q file --where 'period == 3' -o part"));
	check_same(shell("perf script -i part" SORTED), shell("perf script -i file" SORTED));
}
END_TEST

static void refused(const char *line, const char *message)
{
	char *text = shell("%s && echo done || true", line);

	ck_assert_msg(strstr(text, message) && !strstr(text, "done"), "%s: %s", line, text);
	free(text);
}

START_TEST(test_mistakes_write_nothing)
{
	struct stat info;

	need_perf();
	record("-e page-faults -c 1");
	refused("$PEAT convert file --where 'nothing == 1' -o part 2>&1", "no field \"nothing\"");
	refused("cat file | $PEAT convert - --where 'cpu == 1' -o part 2>&1",
		"standard input: that reads it twice: save it to a file, and name the file");
	ck_assert_int_eq(stat("part", &info), -1);
}
END_TEST

static Suite *convert_where_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("convert_where", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_samples_of_a_name);
	tcase_add_test(tests, test_samples_of_a_cut_file);
	tcase_add_test(tests, test_other_records_stay);
	tcase_add_test(tests, test_counts_are_printed);
	tcase_add_test(tests, test_fields_of_samples);
	tcase_add_test(tests, test_mistakes_write_nothing);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { convert_where_suite };

	return harness__main(argc, argv, suites, 1);
}
