// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_recorded_command.c: the command line in a recording's header. */
#include "convert/recorded_command.h"
#include "unit/perf_data/read/perf_maker.h"
#include "unit/suite.h"

/* Words are padded by NULs, as perf writes them. */
static void make_word(struct maker *m, const char *word)
{
	make(m, 64, 4);
	make_bytes(m, word, strlen(word));
	make_zeroes(m, 64 - strlen(word));
}

START_TEST(test_decodes_words)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct maker m = { .swapped = swapped };
		char *text;

		make(&m, 3, 4);
		make_word(&m, "perf");
		make_word(&m, "record");
		make_word(&m, "a b");
		text = recorded_command__decode(m.at, m.len, swapped);
		ck_assert_str_eq(text, "perf record a b");
		free(text);
		for (size_t cut = 0; cut < m.len; cut++)
			ck_assert_ptr_null(recorded_command__decode(m.at, cut, swapped));
		free(m.at);
	}
}
END_TEST

START_TEST(test_lies_about_lengths_fail)
{
	static const uint8_t none[4] = { 0 };
	struct maker m = { 0 };

	ck_assert_ptr_null(recorded_command__decode(none, 4, false));
	make(&m, UINT32_MAX, 4);
	make_word(&m, "perf");
	ck_assert_ptr_null(recorded_command__decode(m.at, m.len, false));
	make_over(&m, 0, 1, 4);
	make_over(&m, 4, UINT32_MAX, 4);
	ck_assert_ptr_null(recorded_command__decode(m.at, m.len, false));
	free(m.at);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_decodes_words);
	tcase_add_test(tests, test_lies_about_lengths_fail);
}
