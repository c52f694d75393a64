// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * unit.c: the tests that need neither root nor a kernel: a suite for each file of user/lib.
 *
 * usage: unit [--list | ROOM | ROOM/FILE]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/symbols.h>

#include "suite.h"
#include "symbols/liar.h"

static struct unit_suite *suites;

/* Sorted by name.  Constructors call this before main(). */
void unit__register(struct unit_suite *suite)
{
	const char *file = strstr(suite->file, "tests/unit/") + strlen("tests/unit/");
	const char *base = strstr(file, "test_");
	struct unit_suite **at = &suites;

	snprintf(suite->name, sizeof(suite->name), "%.*s%.*s", (int)(base - file), file,
		 (int)(strlen(base + 5) - 2), base + 5);
	while (*at && strcmp((*at)->name, suite->name) < 0)
		at = &(*at)->next;
	suite->next = *at;
	*at = suite;
}

static bool is_wanted(const struct unit_suite *suite, const char *only)
{
	size_t bytes = only ? strlen(only) : 0;

	return !only || (!strncmp(suite->name, only, bytes) &&
			 (!suite->name[bytes] || suite->name[bytes] == '/'));
}

/* Children that read files, and one that lies. */
static int run_child(int argc, char **argv)
{
	return strcmp(argv[0], LIAR) != 0 ? peat_namer__main(argc, argv) : liar__main(argc, argv);
}

#if defined(__SANITIZE_ADDRESS__)
#define FORKS_ARE_SLOW true
#elif defined(__has_feature)
#define FORKS_ARE_SLOW __has_feature(address_sanitizer)
#else
#define FORKS_ARE_SLOW false
#endif

static int run(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	bool list = only && !strcmp(only, "--list"), is_forked = !FORKS_ARE_SLOW;
	SRunner *runner = harness__runner();
	TCase *tests;

	for (struct unit_suite *suite = suites; suite; suite = suite->next) {
		if (list) {
			printf("%s\n", suite->name);
		} else if (is_wanted(suite, only)) {
			srunner_add_suite(runner,
					  harness__suite(suite->name, suite->seconds, &tests));
			suite->add_tests(tests);
			is_forked |= suite->is_forked;
		}
	}
	if (!is_forked)
		srunner_set_fork_status(runner, CK_NOFORK);
	if (!list)
		return harness__run(runner, NULL);
	srunner_free(runner);
	return EXIT_SUCCESS;
}

/*
 * No test finds perf's copies of files in ~/.debug, which others write meanwhile.  Nobody can make
 * a directory in /proc, not even ccache, if that is the compiler.
 */
static void leave_home(void)
{
	if (setenv("HOME", "/proc/no/such/home", 1) || setenv("CCACHE_DISABLE", "1", 1))
		abort();
}

int main(int argc, char **argv)
{
	leave_home();
	if (!strcmp(argv[0], "peat-namer") || !strcmp(argv[0], LIAR))
		return run_child(argc, argv);
	return run(argc, argv);
}
