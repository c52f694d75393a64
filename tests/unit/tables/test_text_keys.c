// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_text_keys.c: bytes that are taken for text. */
#include "tables/text_keys.h"
#include "unit/suite.h"

START_TEST(test_texts_are_padded_by_zeros)
{
	ck_assert(text_keys__is_text("sh\0\0\0", 5));
	ck_assert(text_keys__is_text("a b/c", 5));
	ck_assert(text_keys__is_text("\xc3\xa9\0\0\0", 5));
}
END_TEST

START_TEST(test_other_bytes_are_no_text)
{
	ck_assert(!text_keys__is_text("\0\0\0\0\0", 5)); /* perhaps the number 0 */
	ck_assert(!text_keys__is_text("\0sh\0\0", 5));
	ck_assert(!text_keys__is_text("sh\0\0a", 5));
	ck_assert(!text_keys__is_text("s\n\0\0\0", 5));
	ck_assert(!text_keys__is_text("s\x7f\0\0\0", 5));
	ck_assert(!text_keys__is_text("", 0));
}
END_TEST

START_TEST(test_keys_of_no_map)
{
	ck_assert(!text_keys__has(-1, 16));
	ck_assert(!text_keys__has(-1, 8)); /* by its size a number */
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_texts_are_padded_by_zeros);
	tcase_add_test(tests, test_other_bytes_are_no_text);
	tcase_add_test(tests, test_keys_of_no_map);
}
