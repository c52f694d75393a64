// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_progress_text.c: lines of progress: amounts, the time that is left, widths. */
#include <stdlib.h>

#include "cli/base/progress_text.h"
#include "cli/base/size_text.h"
#include "unit/suite.h"

#define MIB (UINT64_C(1) << 20)

static void check_in(uint32_t columns, const struct progress *progress, const char *expected)
{
	char text[256];

	progress_text__format(text, sizeof(text), columns, progress);
	ck_assert_str_eq(text, expected);
}

static void check(const struct progress *progress, const char *expected)
{
	check_in(200, progress, expected);
}

/* ---- amounts --------------------------------------------------------------------------------- */

static struct progress bytes(uint64_t done, uint64_t all, uint64_t elapsed_ms)
{
	return (struct progress){ .verb = "converting",
				  .name = "perf.data",
				  .unit = PROGRESS_BYTES,
				  .done = done,
				  .all = all,
				  .elapsed_ms = elapsed_ms };
}

static void check_bytes(uint64_t done, uint64_t all, uint64_t elapsed_ms, const char *expected)
{
	struct progress progress = bytes(done, all, elapsed_ms);

	check(&progress, expected);
}

START_TEST(test_bytes_and_rest)
{
	check_bytes(25 * MIB, 100 * MIB, 2000, "converting perf.data: 25% of 100.0 MiB, 6 s left");
	check_bytes(100 * MIB, 100 * MIB, 8000,
		    "converting perf.data: 100% of 100.0 MiB, 0 s left");
	check_bytes(MIB, 100 * MIB, 2000, "converting perf.data: 1% of 100.0 MiB, 3 min 18 s left");
	check_bytes(MIB, 10000 * MIB, 2000, "converting perf.data: 0% of 9.8 GiB, 5 h 33 min left");
}
END_TEST

/* Nothing is done yet, or more than all, or all is unknown: no division, no rest. */
START_TEST(test_bytes_without_rest)
{
	check_bytes(0, 100 * MIB, 2000, "converting perf.data: 0% of 100.0 MiB");
	check_bytes(1, UINT64_MAX, UINT64_MAX, "converting perf.data: 0% of 16777216.0 TiB");
	check_bytes(0, 0, 1000, "converting perf.data: 0 B in 1 s");
	check_bytes(3 * MIB / 2, 0, 61000, "converting perf.data: 1.5 MiB in 1 min 1 s");
	check_bytes(101 * MIB, 100 * MIB, 2000, "converting perf.data: 101.0 MiB in 2 s");
}
END_TEST

/* Steps that ended are done; the text has the current one. */
START_TEST(test_steps_and_rest)
{
	struct progress progress = { .verb = "measuring",
				     .name = "rates",
				     .unit = PROGRESS_STEPS,
				     .all = 9,
				     .elapsed_ms = 30000 };

	check(&progress, "measuring rates: 1 of 9");
	progress.done = 3;
	check(&progress, "measuring rates: 4 of 9, 1 min 0 s left");
	progress.done = 9;
	check(&progress, "measuring rates: 9 of 9, 0 s left");
}
END_TEST

/* Seconds are rounded up: "0 s" is the end. */
START_TEST(test_time_left)
{
	struct progress progress = { .verb = "profiling",
				     .notes = "12 events, 0 lost",
				     .unit = PROGRESS_MS,
				     .done = 3500,
				     .all = 10000 };

	check(&progress, "profiling: 7 s left, 12 events, 0 lost");
	progress.done = 10000;
	check(&progress, "profiling: 0 s left, 12 events, 0 lost");
	progress.done = 10001;
	check(&progress, "profiling: 0 s left, 12 events, 0 lost");
	progress.notes = NULL;
	check(&progress, "profiling: 0 s left");
}
END_TEST

START_TEST(test_only_elapsed)
{
	struct progress progress = { .verb = "loading", .name = "x.bpf.o", .elapsed_ms = 3999 };

	check(&progress, "loading x.bpf.o: 3 s");
}
END_TEST

START_TEST(test_sizes_with_units)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = { { 0, "0 B" },
		      { 1023, "1023 B" },
		      { 1024, "1.0 KiB" },
		      { 1536, "1.5 KiB" },
		      { MIB, "1.0 MiB" },
		      { 1024 * MIB, "1.0 GiB" },
		      { MIB * MIB, "1.0 TiB" },
		      { 2048 * MIB * MIB, "2048.0 TiB" } };
	char text[16];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		size_text__format(text, sizeof(text), sizes[i].bytes);
		ck_assert_str_eq(text, sizes[i].text);
	}
}
END_TEST

/* ---- widths ---------------------------------------------------------------------------------- */

START_TEST(test_cut_to_columns)
{
	struct progress progress = bytes(0, 0, 1000);

	check_in(33, &progress, "converting perf.data: 0 B in 1 s");
	check_in(31, &progress, "converting perf.data: 0 B in 1 ");
	check_in(10, &progress, "converting");
	check_in(1, &progress, "c");
	check_in(0, &progress, "");
}
END_TEST

/* A character of several bytes is one column, and is not cut. */
START_TEST(test_cut_between_characters)
{
	struct progress progress = { .verb = "reading",
				     .name = "\u00e4\u00f6",
				     .unit = PROGRESS_NONE };

	check_in(9, &progress, "reading \u00e4");
	check_in(10, &progress, "reading \u00e4\u00f6");
}
END_TEST

/* A name cannot act on the terminal.  One that is longer than the memory is left out. */
START_TEST(test_names_of_anybody)
{
	struct progress progress = { .verb = "reading", .name = "a\033[2Jb" };
	char text[40];

	check(&progress, "reading a\\x1b[2Jb: 0 s");
	progress.name = "a-name-that-is-longer-than-the-memory-for-it";
	progress_text__format(text, sizeof(text), 200, &progress);
	ck_assert_str_eq(text, "reading: 0 s");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_bytes_and_rest);
	tcase_add_test(tests, test_bytes_without_rest);
	tcase_add_test(tests, test_steps_and_rest);
	tcase_add_test(tests, test_time_left);
	tcase_add_test(tests, test_only_elapsed);
	tcase_add_test(tests, test_sizes_with_units);
	tcase_add_test(tests, test_cut_to_columns);
	tcase_add_test(tests, test_cut_between_characters);
	tcase_add_test(tests, test_names_of_anybody);
}
