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

/*
 * Opens the same files at each run, of short, long and strange names.  No other process has the
 * name.
 */
#define COMMAND                                                                                    \
	"--comm", "where-verbs", "--", "sh", "-c",                                                 \
		"printf where-verbs > /proc/$$/comm; for path; do true < \"$path\"; done 2> "      \
		"/dev/null",                                                                       \
		"sh", "/etc/passwd", "/etc/hostname", "/etc/nothing", "/etc/pass", "/", "a b", "", \
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

/* ---- counts ---------------------------------------------------------------------------------- */

static unsigned long missed; /* runs that the kernel skipped */

/* Without --where, judged by the test. */
static unsigned long long count_matching(int expression)
{
	struct command peat;
	struct json_lines events;
	unsigned long long count = 0;

	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "open", "-v", "-j", COMMAND));
	missed += command__missed(&peat);
	events = json_lines__split(peat.out_text);
	for (size_t i = 0; i < events.count; i++) {
		struct opened opened = {
			.path = json_event__text(events.lines[i], "path"),
			.is_missing =
				!strcmp(json_event__text(events.lines[i], "result"), "ENOENT"),
		};
		char path[256];

		snprintf(path, sizeof(path), "%s", opened.path);
		opened.path = path;
		opened.size = 16 + strlen(path) + 1;
		count += expressions[expression].matches(&opened);
	}
	ck_assert_uint_ge(events.count, 8); /* one of each file */
	json_lines__free(&events);
	command__free(&peat);
	return count;
}

/* The events that the verb printed or counted. */
static unsigned long long count_printed(const char *const *argv, bool is_table)
{
	struct command peat;
	struct json_lines lines;
	unsigned long long count = 0;

	command__run(&peat, ALL_CAPS, argv);
	missed += command__missed(&peat);
	lines = json_lines__split(peat.out_text);
	for (size_t i = 0; is_table && i < lines.count; i++)
		count += json_table__total(lines.lines[i]);
	if (!is_table)
		count = lines.count;
	json_lines__free(&lines);
	command__free(&peat);
	return count;
}

#define LIVE(verb, ...)                                                                            \
	ARGV(command__peat(), verb, "open", ##__VA_ARGS__, "-v", "-j", "--where", text, COMMAND)
#define RECORDED(verb, path, ...) ARGV(command__peat(), verb, path, ##__VA_ARGS__, "-v", "-j")

static void record(const char *path, const char *text)
{
	struct command peat;

	if (text)
		command__run(&peat, ALL_CAPS,
			     ARGV(command__peat(), "record", "open", "-o", path, "--where", text,
				  COMMAND));
	else
		command__run(&peat, ALL_CAPS,
			     ARGV(command__peat(), "record", "open", "-o", path, COMMAND));
	command__free(&peat);
}

/* ---- tests ----------------------------------------------------------------------------------- */

#define CHECK(argv, is_table)                                                                      \
	do {                                                                                       \
		unsigned long long count = count_printed(argv, is_table);                          \
                                                                                                   \
		if (missed)                                                                        \
			skip("the kernel skipped runs of the program");                            \
		ck_assert_msg(count == expected, "%s, %s: %llu of %llu", #argv, text, count,       \
			      expected);                                                           \
	} while (0)

START_TEST(test_live_verbs)
{
	const char *text = expressions[_i].text;
	unsigned long long expected = count_matching(_i);

	CHECK(LIVE("trace"), false);
	CHECK(LIVE("count"), true);
	CHECK(LIVE("count", "--by", "comm,result"), true);
	CHECK(LIVE("count", "--by", "path"), true);
	CHECK(LIVE("hist", "result"), true);
	CHECK(LIVE("top", "--by", "result"), true);
}
END_TEST

START_TEST(test_recordings)
{
	const char *text = expressions[_i].text, *path = scratch__path("x.data");
	unsigned long long expected = count_matching(_i);

	record(path, text);
	CHECK(RECORDED("replay", path), false);
	CHECK(RECORDED("count", path), true);
	record(path, NULL);
	CHECK(RECORDED("replay", path, "--where", text), false);
	CHECK(RECORDED("count", path, "--where", text), true);
	CHECK(RECORDED("hist", path, "result", "--where", text), true);
}
END_TEST

static Suite *where_verbs_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("where_verbs", 60, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_loop_test(tests, test_live_verbs, 0, EXPRESSIONS);
	tcase_add_loop_test(tests, test_recordings, 0, RECORDED_EXPRESSIONS);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { where_verbs_suite };

	return harness__main(argc, argv, suites, 1);
}
