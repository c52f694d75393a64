// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_string_counts.c: a hash table of strings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_counts.h"
#include "unit/suite.h"

START_TEST(test_found_again)
{
	struct string_counts counts = { 0 };
	struct string_count *first = string_counts__add(&counts, "abcd", 3);

	ck_assert_ptr_nonnull(first);
	ck_assert_uint_eq(first->count, 0);
	ck_assert_uint_eq(first->bytes, 3);
	ck_assert_str_eq(first->text, "abc");
	first->count = 7;
	ck_assert_ptr_eq(string_counts__add(&counts, "abc", 3), first);
	ck_assert_ptr_ne(string_counts__add(&counts, "abcd", 4), first);
	ck_assert_ptr_ne(string_counts__add(&counts, "ab", 2), first);
	ck_assert_ptr_ne(string_counts__add(&counts, "", 0), first);
	ck_assert_uint_eq(counts.by_text.count, 4);
	string_counts__free(&counts);
}
END_TEST

/* The table grows; entries stay where they are, and none is lost or doubled. */
START_TEST(test_many_strings_keep_entries)
{
	static struct string_count *entries[5000];
	struct string_counts counts = { 0 };
	const struct string_count **sorted;
	char text[16];

	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < 5000; i++) {
			int bytes = snprintf(text, sizeof(text), "%u", i * 7919 % 5000);
			struct string_count *entry =
				string_counts__add(&counts, text, (size_t)bytes);

			ck_assert_ptr_nonnull(entry);
			if (pass)
				ck_assert_ptr_eq(entry, entries[i]);
			entries[i] = entry;
			entry->count++;
		}
	ck_assert_uint_eq(counts.by_text.count, 5000);
	sorted = string_counts__sorted(&counts);
	ck_assert_ptr_nonnull(sorted);
	for (uint32_t i = 0; i < 5000; i++) {
		ck_assert_uint_eq(sorted[i]->count, 2);
		if (i)
			ck_assert_int_lt(strcmp(sorted[i - 1]->text, sorted[i]->text), 0);
	}
	free(sorted);
	string_counts__free(&counts);
}
END_TEST

START_TEST(test_prefix_sorts_first)
{
	struct string_counts counts = { 0 };
	const struct string_count **sorted;

	string_counts__add(&counts, "ab", 2);
	string_counts__add(&counts, "b", 1);
	string_counts__add(&counts, "a", 1);
	sorted = string_counts__sorted(&counts);
	ck_assert_ptr_nonnull(sorted);
	ck_assert_str_eq(sorted[0]->text, "a");
	ck_assert_str_eq(sorted[1]->text, "ab");
	ck_assert_str_eq(sorted[2]->text, "b");
	free(sorted);
	string_counts__free(&counts);
	string_counts__free(&(struct string_counts){ 0 });
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_found_again);
	tcase_add_test(tests, test_many_strings_keep_entries);
	tcase_add_test(tests, test_prefix_sorts_first);
}
