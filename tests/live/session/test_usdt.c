// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_usdt.c: statically defined tracepoints of programs as sources.
 *
 * The traced command is this program, with "probes" or "texts" as its argument.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/own_program.h"
#include "support/machine/waiting_uprobes.h"
#include "support/machine/tracing.h"
#include "support/machine/unused_texts.h"
#include "support/machine/usdt_probe.h"

#define CALLS 1000
#define TEXTS 100

/* ---- the workload ---------------------------------------------------------------------------- */

__attribute__((noinline)) static void run_probes(void)
{
	static const char word[] = "some text";

	for (long i = 0; i < CALLS; i++) {
		USDT_PROBE("numbers", "8@%0 -4@%1", "r"(i), "r"((long)(unsigned)-3));
		USDT_PROBE("several", "8@%0 8@%1", "r"(word), "r"(i));
		USDT_PROBE("several", "8@%0 8@%1", "r"(word), "r"(-i));
		USDT_PROBE("nothing", "");
	}
}

static int run_texts(void)
{
	if (!unused_texts__make(TEXTS))
		return EXIT_FAILURE;
	for (long i = 0; i < TEXTS; i++)
		USDT_PROBE("text", "8@%0 8@%1", "r"(i), "r"(unused_texts__at((int)i)));
	return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static const char *source_of(const char *name)
{
	char probe[64];

	snprintf(probe, sizeof(probe), "peat_tests:%s", name);
	return own_program__source("usdt", probe);
}

/* Linux 5.15 */
static bool has_cookies(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) == 1;
}

/* This program is position-independent. */
#define NEED_COOKIES()                                                                             \
	do {                                                                                       \
		if (!has_cookies())                                                                \
			skip("this kernel has no cookies of attachments (Linux 5.15)");            \
	} while (0)

static void trace_probes(struct tracing *tracing, const char *const *argv)
{
	tracing__start(tracing, argv);
	tracing__finish(tracing);
}

START_TEST(test_all_arguments_are_shown)
{
	struct tracing tracing;

	NEED_COOKIES();
	trace_probes(&tracing,
		     TRACE(source_of("numbers"), "--ordered", "--", own_program__path(), "probes"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < CALLS; i++) {
		const char *event = tracing.events.lines[i];

		expect_text(event, "type", "numbers");
		json_event__check(event, "arg1", i);
		json_event__check(event, "arg2", (unsigned long long)-3);
		ck_assert(!json_event__has(event, "arg3"));
	}
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_probe_without_arguments)
{
	struct tracing tracing;

	NEED_COOKIES();
	trace_probes(&tracing, TRACE(source_of("nothing"), "--", own_program__path(), "probes"));
	ck_assert_uint_eq(tracing.events.count, CALLS);
	ck_assert(!json_event__has(tracing.events.lines[0], "arg1"));
	tracing__free(&tracing);
}
END_TEST

/* A probe in two places has events of both. */
START_TEST(test_several_places_and_texts)
{
	struct tracing tracing;

	NEED_COOKIES();
	trace_probes(&tracing, TRACE(source_of("several"), "--ordered", "--fields",
				     "arg1.text,arg2", "--", own_program__path(), "probes"));
	ck_assert_uint_eq(tracing.events.count, 2 * CALLS);
	for (size_t i = 0; i < CALLS; i++) {
		ck_assert_ptr_nonnull(
			strstr(tracing.events.lines[2 * i], "\"arg1.text\":\"some text\""));
		json_event__check(tracing.events.lines[2 * i], "arg2", i);
		json_event__check(tracing.events.lines[2 * i + 1], "arg2", -i);
	}
	tracing__free(&tracing);
}
END_TEST

/* Before Linux 6.10, they are absent. */
START_TEST(test_texts_in_unused_memory)
{
	bool are_read = waiting_uprobes__are_possible();
	struct tracing tracing;

	NEED_COOKIES();
	trace_probes(&tracing, TRACE(source_of("text"), "--ordered", "--fields", "arg2.text", "--",
				     own_program__path(), "texts"));
	ck_assert_uint_eq(tracing.events.count, TEXTS);
	for (int i = 0; i < TEXTS; i++) {
		char text[UNUSED_TEXT_BYTES], wanted[128];

		unused_texts__write(text, i);
		snprintf(wanted, sizeof(wanted), "\"arg2.text\":%s%s%s", are_read ? "\"" : "",
			 are_read ? text : "null", are_read ? "\"" : "");
		ck_assert_msg(strstr(tracing.events.lines[i], wanted), "no %s in %s", wanted,
			      tracing.events.lines[i]);
	}
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_glob_of_probes)
{
	struct tracing tracing;
	size_t numbers = 0;

	NEED_COOKIES();
	trace_probes(&tracing, TRACE(source_of("n*"), "--", own_program__path(), "probes"));
	ck_assert_uint_eq(tracing.events.count, 2 * CALLS);
	for (size_t i = 0; i < tracing.events.count; i++)
		numbers += !strcmp(json_event__text(tracing.events.lines[i], "event"), "numbers");
	ck_assert_uint_eq(numbers, CALLS);
	tracing__free(&tracing);
}
END_TEST

static void check_fails(const char *const *argv, const char *wanted)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_int_ne(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, wanted), "%s", peat.err_text);
	command__free(&peat);
}

START_TEST(test_refusal_without_cookies)
{
	if (has_cookies())
		skip("this kernel has cookies of attachments");
	check_fails(ARGV(command__peat(), "trace", source_of("numbers"), "--", own_program__path(),
			 "probes"),
		    "before Linux 5.15, USDT can be probed in programs at a fixed address only");
}
END_TEST

START_TEST(test_missing_arguments_are_refused)
{
	check_fails(ARGV(command__peat(), "trace", source_of("numbers"), "--fields", "arg3", "--",
			 own_program__path(), "probes"),
		    "it has 2 arguments");
}
END_TEST

START_TEST(test_list_has_arguments)
{
	char wanted[PATH_MAX + 128];
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "list", source_of("n*")));
	ck_assert_msg(!peat.status, "%s", peat.err_text);
	snprintf(wanted, sizeof(wanted), "%s  8@", source_of("numbers"));
	ck_assert_msg(strstr(peat.out_text, wanted), "%s", peat.out_text);
	snprintf(wanted, sizeof(wanted), "%s\n", source_of("nothing"));
	ck_assert_msg(strstr(peat.out_text, wanted), "%s", peat.out_text);
	command__free(&peat);
}
END_TEST

static Suite *usdt_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("usdt", 60, &tests);

	tcase_add_test(tests, test_all_arguments_are_shown);
	tcase_add_test(tests, test_probe_without_arguments);
	tcase_add_test(tests, test_several_places_and_texts);
	tcase_add_test(tests, test_texts_in_unused_memory);
	tcase_add_test(tests, test_glob_of_probes);
	tcase_add_test(tests, test_refusal_without_cookies);
	tcase_add_test(tests, test_missing_arguments_are_refused);
	tcase_add_test(tests, test_list_has_arguments);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { usdt_suite };

	if (argc == 2 && !strcmp(argv[1], "probes")) {
		run_probes();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "texts"))
		return run_texts();
	return harness__main(argc, argv, suites, 1);
}
