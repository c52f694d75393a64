// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_help.c: what --help prints. */
#include <string.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"

static const char *const verbs[] = {
	"trace",   "record",  "count", "hist", "top",	"replay",
	"convert", "profile", "stat",  "list", "build", "bench",
};

/* A heading is an indented line that ends with a colon, with a blank line before it. */
static void check_headings(const char *verb, const char *help)
{
	for (const char *at = help; (at = strstr(at, ":\n")); at += 2) {
		const char *line = at;

		while (line > help && line[-1] != '\n')
			line--;
		if (line - help < 2 || line[-2] != '\n' || *line != ' ')
			continue;
		ck_assert_msg(at[2] == ' ' && strchr(" -", at[4]), "%s: nothing below '%.*s'", verb,
			      (int)(at - line), line);
	}
}

START_TEST(test_headings_have_options)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		struct command peat;

		command__run(&peat, ALL_CAPS, ARGV(command__peat(), verbs[i], "--help"));
		ck_assert_int_eq(peat.status, 0);
		check_headings(verbs[i], peat.out_text);
		command__free(&peat);
	}
}
END_TEST

/* Options of perf events stand below their heading, not among options of BPF programs. */
START_TEST(test_perf_events_have_a_heading)
{
	const char *heading, *option;
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "--help"));
	heading = strstr(peat.out_text, "\n Perf events:\n");
	option = strstr(peat.out_text, "--event=");
	ck_assert_ptr_nonnull(heading);
	ck_assert_ptr_nonnull(option);
	ck_assert(heading < option && option < strstr(peat.out_text, "\n BPF programs:\n"));
	command__free(&peat);
}
END_TEST

static Suite *help_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("help", 60, &tests);

	tcase_add_test(tests, test_headings_have_options);
	tcase_add_test(tests, test_perf_events_have_a_heading);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { help_suite };

	return harness__main(argc, argv, suites, 1);
}
