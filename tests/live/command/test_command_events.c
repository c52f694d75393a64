// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_command_events.c: the events of COMMAND are those of its process and its descendants. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"

EMBED_OBJECT(older)
EMBED_OBJECT(renames)

/* A program of the command's tree and its runs: by a child, by grandchildren, and by a daemon. */
#define TREE	  "tree"
#define TREE_RUNS 4
#define NOISE	  "noise" /* the program of another process */

#define RENAME(name) "sh -c 'printf " name " > /proc/self/comm'; "

/* Each reader of `beat` waits for it: two of them see that the other process has run once more. */
static const char noisy[] =
	"while :; do ./" NOISE " 2> /dev/null; " RENAME("peat#2") "echo > beat; done";

static const char command[] =
	"./" TREE "; (./" TREE "; (./" TREE
	"; :); :); " RENAME("peat#1") "cat beat beat > /dev/null; "
				      "setsid sh -c 'sh -c \"./" TREE
				      "; echo > done\" &'; cat done > /dev/null";

#define COMMAND "--", "sh", "-c", command

static pid_t noise;

static int make_noise(void *arg)
{
	(void)arg;
	execl("/bin/sh", "sh", "-c", noisy, NULL);
	return 1;
}

static void setup(void)
{
	recorded_run__setup();
	free(stock_perf__shell("mkfifo beat done; ln -s /bin/true " TREE
			       "; ln -s /bin/true " NOISE));
	noise = process__start(make_noise, NULL);
}

static void teardown(void)
{
	kill(noise, SIGKILL);
	process__wait(noise);
	stock_perf__teardown();
}

static void run_peat(struct command *peat, const char *const *argv)
{
	command__run(peat, ALL_CAPS, argv);
	ck_assert_msg(!peat->status, "%d: %s", peat->status, peat->err_text);
}

/* Counts the lines whose member is `text`. */
static unsigned count_lines(const struct json_lines *lines, const char *member, const char *text)
{
	unsigned count = 0;

	for (size_t i = 0; i < lines->count; i++) {
		const char *value = json_lines__text(lines->lines[i], member);

		count += value && !strcmp(value, text);
	}
	return count;
}

static void check_lines(char *text, const char *member, bool is_all)
{
	struct json_lines lines = json_lines__split(text);

	ck_assert_uint_eq(count_lines(&lines, member, TREE), TREE_RUNS);
	ck_assert_uint_eq(count_lines(&lines, member, NOISE) != 0, is_all);
	json_lines__free(&lines);
}

/* A number of the ledger that -v prints. */
static unsigned long ledger(const struct command *peat, const char *name)
{
	const char *at = strstr(peat->err_text, name);

	ck_assert_msg(at, "no '%s': %s", name, peat->err_text);
	return strtoul(at + strlen(name), NULL, 10);
}

static void trace(const char *source, const char *member)
{
	const char *peat_path = recorded_run__peat();
	struct command peat;

	run_peat(&peat, ARGV(peat_path, "trace", "-j", source, COMMAND));
	check_lines(peat.out_text, member, false);
	command__free(&peat);
	run_peat(&peat, ARGV(peat_path, "trace", "-j", "-a", source, COMMAND));
	check_lines(peat.out_text, member, true);
	command__free(&peat);
}

START_TEST(test_trace_follows_descendants)
{
	trace("exec", "comm");
}
END_TEST

START_TEST(test_kernel_records_follow_descendants)
{
	trace("@comm", "name");
}
END_TEST

/* Programs filter: what they emit is what is printed. */
START_TEST(test_programs_filter)
{
	struct command peat;
	struct json_lines lines;

	run_peat(&peat, ARGV(recorded_run__peat(), "trace", "-j", "-v", "exec", "exit", COMMAND));
	lines = json_lines__split(peat.out_text);
	ck_assert_uint_eq(ledger(&peat, "emitted"), lines.count);
	ck_assert_uint_eq(ledger(&peat, "= delivered"), lines.count);
	ck_assert_uint_eq(count_lines(&lines, "comm", TREE), 2 * TREE_RUNS);
	json_lines__free(&lines);
	command__free(&peat);
}
END_TEST

START_TEST(test_recording_follows_descendants)
{
	char *output;
	struct command peat;

	run_peat(&peat, ARGV(recorded_run__peat(), "record", "-o", "file", "exec", COMMAND));
	command__free(&peat);
	output = recorded_run__replay("file");
	check_lines(output, "comm", false);
	free(output);
}
END_TEST

static void check_counts(const char *verb, const char *source, const char *by)
{
	struct command peat;
	int row;

	run_peat(&peat, ARGV(recorded_run__peat(), verb, "-j", source, "--by", by, COMMAND));
	row = json_table__find(peat.out_text, by, TREE);
	ck_assert_int_ge(row, 0);
	ck_assert_uint_eq(json_table__number(peat.out_text, row, "count"), TREE_RUNS);
	ck_assert_int_lt(json_table__find(peat.out_text, by, NOISE), 0);
	command__free(&peat);
}

START_TEST(test_counts_follow_descendants)
{
	check_counts("count", "exec", "comm");
	check_counts("count", "@comm", "name");
	check_counts("top", "exec", "comm");
}
END_TEST

/* "peat#1" and "peat#2" as JSON has bytes. */
#define TREE_BYTES  "706561742331"
#define NOISE_BYTES "706561742332"

/* Programs without peat.bpf.h send the events of all tasks, so the reader filters. */
START_TEST(test_other_objects_follow_descendants)
{
	const char *object = "renames.bpf.o";
	struct command peat;

	recorded_run__put(&renames_object);
	run_peat(&peat, ARGV(recorded_run__peat(), "trace", "-j", object, COMMAND));
	ck_assert_uint_eq(recorded_run__count(peat.out_text, TREE_BYTES), 1);
	ck_assert_uint_eq(recorded_run__count(peat.out_text, NOISE_BYTES), 0);
	command__free(&peat);
	run_peat(&peat, ARGV(recorded_run__peat(), "trace", "-j", "-a", object, COMMAND));
	ck_assert_uint_eq(recorded_run__count(peat.out_text, TREE_BYTES), 1);
	ck_assert_uint_gt(recorded_run__count(peat.out_text, NOISE_BYTES), 0);
	command__free(&peat);
	run_peat(&peat, ARGV(recorded_run__peat(), "count", "-j", object, COMMAND));
	ck_assert_uint_eq(json_table__total(peat.out_text), 1);
	command__free(&peat);
}
END_TEST

/* Without the map of descendants, the events of all tasks are shown. */
START_TEST(test_older_object_warns)
{
	struct command peat;

	recorded_run__put(&older_object);
	run_peat(&peat, ARGV(recorded_run__peat(), "trace", "-j", "older.bpf.o", COMMAND));
	recorded_run__check_has(peat.err_text, "the events of all tasks are returned");
	check_lines(peat.out_text, "comm", true);
	command__free(&peat);
}
END_TEST

/* A process that is named by an option is another one than the command's: that only sets the time.
 */
START_TEST(test_option_selects_other_tasks)
{
	char pid[16];
	struct command peat;

	snprintf(pid, sizeof(pid), "%d", (int)noise);
	run_peat(&peat, ARGV(recorded_run__peat(), "count", "-j", "@task", "--by", "comm", "-p",
			     pid, COMMAND));
	ck_assert_int_ge(json_table__find(peat.out_text, "comm", "sh"), 0);
	ck_assert_uint_eq(json_table__rows(peat.out_text), 1);
	command__free(&peat);
	command__run(&peat, ALL_CAPS,
		     ARGV(recorded_run__peat(), "trace", "exec", "-a", "-p", pid, COMMAND));
	ck_assert_int_eq(peat.status, 64);
	recorded_run__check_has(peat.err_text, "-a cannot be used with -p");
	command__free(&peat);
}
END_TEST

/* "-a" is proposed to those only whom it helps. */
START_TEST(test_missing_capabilities)
{
	struct command peat;

	command__run(&peat, 0, ARGV(recorded_run__peat(), "trace", "exec", COMMAND));
	ck_assert_int_eq(peat.status, 1);
	recorded_run__check_has(peat.err_text, "CAP_BPF and CAP_PERFMON are missing");
	ck_assert_msg(!strstr(peat.err_text, "peat -a"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

#define INSIDE(...)                                                                                \
	ARGV("unshare", "--pid", "--mount-proc", "--fork", recorded_run__peat(), __VA_ARGS__)

/* In a pid namespace, events of programs and the kernel's records have different ids. */
START_TEST(test_pid_namespace)
{
	struct command peat;

	run_peat(&peat, INSIDE("trace", "-j", "exec", COMMAND));
	check_lines(peat.out_text, "comm", false);
	command__free(&peat);
	run_peat(&peat, INSIDE("trace", "-j", "@comm", COMMAND));
	check_lines(peat.out_text, "name", false);
	command__free(&peat);
}
END_TEST

static Suite *command_events_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("command_events", 120, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_trace_follows_descendants);
	tcase_add_test(tests, test_kernel_records_follow_descendants);
	tcase_add_test(tests, test_programs_filter);
	tcase_add_test(tests, test_recording_follows_descendants);
	tcase_add_test(tests, test_counts_follow_descendants);
	tcase_add_test(tests, test_other_objects_follow_descendants);
	tcase_add_test(tests, test_older_object_warns);
	tcase_add_test(tests, test_option_selects_other_tasks);
	tcase_add_test(tests, test_missing_capabilities);
	tcase_add_test(tests, test_pid_namespace);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { command_events_suite };

	return harness__main(argc, argv, suites, 1);
}
