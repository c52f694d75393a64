// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_where_verbs.c: --where selects the same events, whichever verb has it. */
#include <stdlib.h>
#include <string.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

#define LONG_PATH "/a/rather/long/path/that/does/not/fit/into/all/terms/of/a/program/at/once/x"

/* Opens the same files at each run, of short, long and strange names, with a name of its own. */
#define COMMAND(name)                                                                              \
	"--comm", name, "--", "sh", "-c",                                                          \
		"printf %s \"$0\" > /proc/$$/comm; for path; do true < \"$path\"; done 2> "        \
		"/dev/null",                                                                       \
		name, "/etc/passwd", "/etc/hostname", "/etc/nothing", "/etc/pass", "/", "a b", "", \
		LONG_PATH

/* ---- expressions, and their meaning ---------------------------------------------------------- */

/* An event of the probe open. */
struct opened {
	const char *path;
	bool is_missing; /* the result is ENOENT */
	size_t size;
};

static bool is(const struct opened *opened, const char *path)
{
	return !strcmp(opened->path, path);
}

static bool begins(const struct opened *opened, const char *text)
{
	return !strncmp(opened->path, text, strlen(text));
}

static bool is_passwd(const struct opened *opened)
{
	return is(opened, "/etc/passwd");
}

static bool is_not_passwd(const struct opened *opened)
{
	return !is(opened, "/etc/passwd");
}

static bool is_in_etc(const struct opened *opened)
{
	return begins(opened, "/etc/");
}

static bool is_found_pass(const struct opened *opened)
{
	return begins(opened, "/etc/pass") && !opened->is_missing;
}

static bool is_outside_or_pass(const struct opened *opened)
{
	return !begins(opened, "/etc/") || is(opened, "/etc/pass");
}

static bool is_one_of_three(const struct opened *opened)
{
	return is(opened, "/") || is(opened, "a b") || is(opened, "/etc/hostname");
}

static bool is_empty_or_a(const struct opened *opened)
{
	return is(opened, "") || begins(opened, "a");
}

static bool is_set(const struct opened *opened)
{
	return *opened->path;
}

static bool is_long(const struct opened *opened)
{
	return is(opened, LONG_PATH);
}

static bool is_library(const struct opened *opened)
{
	return strstr(opened->path, ".so");
}

static bool is_missing_other(const struct opened *opened)
{
	return opened->is_missing && !is(opened, "/etc/nothing");
}

static bool is_of_size(const struct opened *opened)
{
	return opened->size == 28 || opened->size < 20;
}

static const struct {
	const char *text;
	bool (*matches)(const struct opened *opened);
} expressions[] = {
	{ "path == \"/etc/passwd\"", is_passwd },
	{ "path != \"/etc/passwd\"", is_not_passwd },
	{ "path ~ \"/etc/*\"", is_in_etc },
	{ "path ~ \"/etc/pass*\" && result != ENOENT", is_found_pass },
	{ "path !~ \"/etc/*\" || path == \"/etc/pass\"", is_outside_or_pass },
	{ "path in (\"/\", \"a b\", \"/etc/hostname\")", is_one_of_three },
	{ "path == \"\" || path ~ \"a*\"", is_empty_or_a },
	{ "path", is_set },
	{ "path == \"" LONG_PATH "\"", is_long },
	{ "path ~ \"*.so*\"", is_library },
	{ "result == ENOENT && !(path == \"/etc/nothing\")", is_missing_other },
	{ "size == 28 || size < 20", is_of_size },
};

#define EXPRESSIONS	     (int)(sizeof(expressions) / sizeof(*expressions))
#define RECORDED_EXPRESSIONS 4 /* not the last: recorded events have other sizes */

/* ---- runs of peat ---------------------------------------------------------------------------- */

/*
 * Most of a run's time is spent waiting for the kernel to attach and detach programs.  So those of
 * an expression run side by side: each sees the events of its own command alone.
 */
#define RUNS_MAX 8

static struct run {
	const char *words;
	struct command peat;
} runs[RUNS_MAX];
static unsigned run_count;
static unsigned long missed; /* runs of programs that the kernel skipped: counts may differ */

static const char *name_of_run(void)
{
	static char names[RUNS_MAX][16];

	ck_assert_uint_lt(run_count, RUNS_MAX);
	snprintf(names[run_count], sizeof(*names), "where-verbs-%u", run_count);
	return names[run_count];
}

static void start(const char *words, const char *const *argv)
{
	struct run *run = &runs[run_count++];

	run->words = words;
	command__start(&run->peat, ALL_CAPS, argv);
}

#define START(...)                                                                                 \
	start(#__VA_ARGS__, ARGV(command__peat(), __VA_ARGS__, "-v", COMMAND(name_of_run())))

static void finish_all(void)
{
	missed = 0;
	for (unsigned i = 0; i < run_count; i++) {
		command__finish(&runs[i].peat);
		missed += command__missed(&runs[i].peat);
	}
}

static void free_all(void)
{
	while (run_count)
		command__free(&runs[--run_count].peat);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static bool matches(int expression, const char *event)
{
	char path[256];
	struct opened opened = {
		.path = path,
		.is_missing = !strcmp(json_event__text(event, "result"), "ENOENT"),
	};

	snprintf(path, sizeof(path), "%s", json_event__text(event, "path"));
	opened.size = 16 + strlen(path) + 1;
	return expressions[expression].matches(&opened);
}

/* Run 0, without --where, judged by the test. */
static unsigned long long count_matching(int expression)
{
	struct json_lines events = json_lines__split(runs[0].peat.out_text);
	unsigned long long count = 0;

	for (size_t i = 0; i < events.count; i++)
		count += matches(expression, events.lines[i]);
	ck_assert_uint_ge(events.count + missed, 8); /* one of each file */
	json_lines__free(&events);
	return count;
}

/* The events that a verb printed, or counted in tables. */
static unsigned long long count_printed(struct command *peat)
{
	struct json_lines lines = json_lines__split(peat->out_text);
	unsigned long long count = 0;

	for (size_t i = 0; i < lines.count; i++)
		count += json_event__has(lines.lines[i], "rows") ? json_table__total(lines.lines[i])
								 : 1;
	json_lines__free(&lines);
	return count;
}

static void check_count(struct command *peat, const char *words, const char *text,
			unsigned long long expected)
{
	unsigned long long count = count_printed(peat);

	ck_assert_msg(count + missed >= expected && count <= expected + missed,
		      "%s, %s: %llu of %llu", words, text, count, expected);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_live_verbs)
{
	const char *text = expressions[_i].text;
	unsigned long long expected;

	START("trace", "open", "-j");
	START("trace", "open", "-j", "--where", text);
	START("count", "open", "-j", "--where", text);
	START("count", "open", "-j", "--where", text, "--by", "comm,result");
	START("count", "open", "-j", "--where", text, "--by", "path");
	START("hist", "open", "-j", "--where", text, "result");
	START("top", "open", "-j", "--where", text, "--by", "result");
	finish_all();
	expected = count_matching(_i);
	for (unsigned i = 1; i < run_count; i++)
		check_count(&runs[i].peat, runs[i].words, text, expected);
	free_all();
}
END_TEST

static void check_replayed(const char *text, unsigned long long expected, const char *const *argv)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	check_count(&peat, argv[1], text, expected);
	command__free(&peat);
}

#define CHECK_REPLAYED(...)                                                                        \
	check_replayed(text, expected, ARGV(command__peat(), __VA_ARGS__, "-v", "-j"))

START_TEST(test_recordings_match_live_events)
{
	const char *text = expressions[_i].text;
	const char *some = scratch__path("some.data"), *all = scratch__path("all.data");
	unsigned long long expected;

	START("trace", "open", "-j");
	START("record", "open", "-o", some, "--where", text);
	START("record", "open", "-o", all);
	finish_all();
	expected = count_matching(_i);
	CHECK_REPLAYED("replay", some);
	CHECK_REPLAYED("count", some);
	CHECK_REPLAYED("replay", all, "--where", text);
	CHECK_REPLAYED("count", all, "--where", text);
	CHECK_REPLAYED("hist", all, "result", "--where", text);
	free_all();
}
END_TEST

static Suite *where_verbs_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("where_verbs", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_loop_test(tests, test_live_verbs, 0, EXPRESSIONS);
	tcase_add_loop_test(tests, test_recordings_match_live_events, 0, RECORDED_EXPRESSIONS);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { where_verbs_suite };

	return harness__main(argc, argv, suites, 1);
}
