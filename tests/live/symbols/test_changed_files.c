// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_changed_files.c: recordings whose programs were stripped, replaced or removed since.  Frames
 * keep module and offset; names of other files are never taken.
 *
 * The programs are in zoo/.
 */
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/log.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"
#include "support/symbols/named_stacks.h"

#define shell stock_perf__shellf

static unsigned warnings;
static char warning[1000];

static void keep_warning(enum peat_log_level level, const char *text)
{
	if (level > PEAT_LOG_WARN || !strstr(text, "program"))
		return;
	warnings++;
	snprintf(warning, sizeof(warning), "%s", text);
}

/* Nothing is found in perf's cache, $HOME/.debug. */
static void setup(void)
{
	char self[PATH_MAX] = "", zoo[PATH_MAX], home[PATH_MAX];

	ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
	ck_assert_int_lt(snprintf(zoo, sizeof(zoo), "%s/zoo", dirname(self)), PATH_MAX);
	recorded_run__setup();
	setenv("ZOO", zoo, 1);
	ck_assert_ptr_nonnull(getcwd(home, sizeof(home)));
	setenv("HOME", home, 1);
	setenv("PEAT", recorded_run__peat(), 1);
	peat_set_print(keep_warning);
}

static bool has_zoo(void)
{
	char *text = shell("test -x $ZOO/frames || echo missing");
	bool has = !*text;

	free(text);
	return has;
}

#define need_zoo()                                                                                 \
	do {                                                                                       \
		if (!has_zoo())                                                                    \
			skip("no programs of tests/live/symbols/zoo beside this test");            \
	} while (0)

#define BY_PEAT "$PEAT record -q -F 2000 -e cpu-clock -g"
#define BY_PERF "perf record -q -F 2000 -e cpu-clock -g --no-bpf-event -N"

/* Records ./program, a copy of a program of the zoo. */
static void record(const char *recorder, const char *name)
{
	free(shell("cp --remove-destination $ZOO/%s program; %s -o recording -- ./program 200 "
		   "$ZOO/libbranch.so",
		   name, recorder));
}

/* ---- frames of the program ------------------------------------------------------------------- */

static bool is_of_program(const struct named_frame *frame)
{
	const char *end = strrchr(frame->module, '/');

	return end && !strcmp(end + 1, "program");
}

struct count {
	unsigned frames, named;
};

static struct count count_frames(const struct named_stacks *stacks)
{
	struct count count = { 0 };

	for (size_t i = 0; i < stacks->count; i++)
		for (unsigned n = 0; n < stacks->stacks[i].count; n++) {
			const struct named_frame *frame = &stacks->stacks[i].frames[n];

			if (!is_of_program(frame))
				continue;
			ck_assert_uint_ne(frame->module_offset, 0);
			count.frames++;
			count.named += *frame->symbol != '\0';
		}
	return count;
}

static struct count read_names(struct named_stacks *stacks)
{
	warnings = 0;
	named_stacks__read(stacks, "recording", NULL);
	return count_frames(stacks);
}

/* Reads the recording; no frame of the program may have a name. */
static void check_unnamed(const char *what)
{
	struct named_stacks stacks;
	struct count count = read_names(&stacks);

	ck_assert_msg(count.frames > 100, "%s: %u frames", what, count.frames);
	ck_assert_msg(!count.named, "%s: %u of %u frames have a name", what, count.named,
		      count.frames);
	ck_assert_msg(warnings == 1, "%s: %u warnings, the last one: %s", what, warnings, warning);
	named_stacks__free(&stacks);
}

static void check_named(const char *what)
{
	struct named_stacks stacks;
	struct count count = read_names(&stacks);

	ck_assert_msg(count.frames > 100 && 100 * count.named >= 99 * count.frames,
		      "%s: %u of %u frames have a name", what, count.named, count.frames);
	ck_assert_msg(!warnings, "%s: %u warnings: %s", what, warnings, warning);
	named_stacks__free(&stacks);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_replaced_program_is_unnamed)
{
	need_zoo();
	record(BY_PEAT, "frames");
	check_named("unchanged");
	free(shell("cp --remove-destination $ZOO/plain program"));
	check_unnamed("replaced");
	free(shell("cat $ZOO/frames >program"));
	check_named("restored");
	free(shell("cat $ZOO/plain >program"));
	check_unnamed("overwritten");
	free(shell("rm program"));
	check_unnamed("removed");
	free(shell("mkdir program"));
	check_unnamed("replaced by a directory");
	free(shell("rmdir program; mkfifo program"));
	check_unnamed("replaced by a fifo");
}
END_TEST

/* Build-ids in the records of mappings, and at the end of the file. */
START_TEST(test_replaced_since_perf)
{
	static const char *const options[] = { "--buildid-mmap", "" };

	need_zoo();
	need_perf();
	for (size_t i = 0; i < 2; i++) {
		char recorder[200];

		snprintf(recorder, sizeof(recorder), BY_PERF " %s", options[i]);
		record(recorder, "frames");
		check_named("unchanged");
		free(shell("cp --remove-destination $ZOO/plain program"));
		check_unnamed(*options[i] ? "replaced, ids with mappings" : "replaced");
	}
}
END_TEST

/* Without build-ids, the inode is the same after a file was overwritten: its time tells. */
START_TEST(test_overwritten_without_ids)
{
	need_zoo();
	need_perf();
	record(BY_PERF " -B", "frames");
	check_named("unchanged");
	free(shell("cat $ZOO/plain >program"));
	check_unnamed("overwritten");
}
END_TEST

/* Without build-ids, the files of another machine may be others; with them, they are known. */
START_TEST(test_other_host)
{
	need_zoo();
	need_perf();
	ck_assert_int_eq(unshare(CLONE_NEWUTS), 0);
	record(BY_PERF " -B", "frames");
	ck_assert_int_eq(sethostname("elsewhere", 9), 0);
	check_unnamed("without ids");
	ck_assert_ptr_nonnull(strstr(warning, "another machine"));
	record(BY_PEAT, "frames");
	ck_assert_int_eq(sethostname("here", 4), 0);
	check_named("with ids");
}
END_TEST

/* Of several stripped files, only the first one is warned about; the rest are information. */
static void keep_information(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_INFO && strstr(text, "/program have no names: stripped"))
		keep_warning(PEAT_LOG_WARN, text);
	else
		keep_warning(level, text);
}

/* Without symbols, the names that remain are those of the whole file, which has the same id. */
START_TEST(test_stripped_program_keeps_names)
{
	struct named_stacks stripped, whole;
	struct count count;

	need_zoo();
	peat_set_print(keep_information);
	record(BY_PEAT, "stripped");
	count = read_names(&stripped);
	ck_assert_uint_gt(count.frames, 100);
	ck_assert_uint_lt(count.named, count.frames / 2);
	ck_assert_msg(warnings == 1, "%u warnings, the last one: %s", warnings, warning);
	free(shell("cp --remove-destination $ZOO/frames program"));
	count = read_names(&whole);
	ck_assert_uint_ge(100 * count.named, 99 * count.frames);
	ck_assert_uint_eq(stripped.count, whole.count);
	for (size_t i = 0; i < whole.count; i++)
		for (unsigned n = 0; n < whole.stacks[i].count; n++) {
			const char *name = stripped.stacks[i].frames[n].symbol;

			ck_assert_msg(!*name || !strcmp(name, whole.stacks[i].frames[n].symbol),
				      "%s, not %s", name, whole.stacks[i].frames[n].symbol);
		}
	named_stacks__free(&stripped);
	named_stacks__free(&whole);
}
END_TEST

static Suite *changed_files_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("changed_files", 60, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_replaced_program_is_unnamed);
	tcase_add_test(tests, test_replaced_since_perf);
	tcase_add_test(tests, test_overwritten_without_ids);
	tcase_add_test(tests, test_other_host);
	tcase_add_test(tests, test_stripped_program_keeps_names);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { changed_files_suite };

	return harness__main(argc, argv, suites, 1);
}
