// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_column.c: the values of a field, as a block of a page has them. */
#include "page/column.h"
#include "unit/page/page_reader.h"
#include "unit/suite.h"

static struct page_block put(struct page_column *column, struct strbuf *out)
{
	strbuf__cut(out, 0);
	page_column__put(column, out);
	ck_assert(!out->failed);
	return (struct page_block){ .bytes = (uint8_t *)out->bytes, .count = out->count };
}

START_TEST(test_numbers_are_read_again)
{
	static const uint64_t values[] = { 0, 1, 127, 128, 1ULL << 53, UINT64_MAX };
	struct page_column column = { 0 };
	struct strbuf out = { 0 };
	struct page_block block;

	for (size_t i = 0; i < 6; i++)
		page_column__add_number(&column, values[i], false);
	block = put(&column, &out);
	ck_assert_uint_eq(page_reader__number(&block), 0); /* missing */
	ck_assert_uint_eq(page_reader__number(&block), 0); /* texts */
	for (size_t i = 0; i < 6; i++)
		ck_assert_uint_eq(page_reader__number(&block), values[i]);
	ck_assert_uint_eq(block.at, block.count);
	page_column__add_number(&column, (uint64_t)INT64_MIN, true);
	page_column__add_number(&column, (uint64_t)-1, true);
	block = put(&column, &out);
	block.at = 2;
	ck_assert_int_eq(page_reader__signed(&block), INT64_MIN);
	ck_assert_int_eq(page_reader__signed(&block), -1);
	page_column__free(&column);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_missing_values)
{
	struct page_column column = { 0 };
	struct strbuf out = { 0 };
	struct page_block block;

	page_column__add_missing(&column);
	page_column__add_number(&column, 5, false);
	page_column__add_missing(&column);
	page_column__add_missing(&column);
	block = put(&column, &out);
	ck_assert_uint_eq(page_reader__number(&block), 3);
	ck_assert_uint_eq(page_reader__number(&block), 0); /* row 0 */
	ck_assert_uint_eq(page_reader__number(&block), 2); /* row 2 */
	ck_assert_uint_eq(page_reader__number(&block), 1); /* row 3 */
	ck_assert_uint_eq(page_reader__number(&block), 0);
	ck_assert_uint_eq(page_reader__number(&block), 0);
	ck_assert_uint_eq(page_reader__number(&block), 5);
	page_column__free(&column);
	strbuf__free(&out);
}
END_TEST

/* Each text is in the block once; the next block begins anew. */
START_TEST(test_texts_are_stored_once)
{
	struct page_column column = { .is_text = true };
	struct strbuf out = { 0 };
	struct page_block block;

	for (int round = 0; round < 2; round++) {
		page_column__add_text(&column, "one", 3);
		page_column__add_text(&column, "", 0);
		page_column__add_text(&column, "one", 3);
		block = put(&column, &out);
		ck_assert_uint_eq(page_reader__number(&block), 0);
		ck_assert_uint_eq(page_reader__number(&block), 2);
		page_reader__check_text(&block, "one");
		page_reader__check_text(&block, "");
		ck_assert_uint_eq(page_reader__number(&block), 0);
		ck_assert_uint_eq(page_reader__number(&block), 1);
		ck_assert_uint_eq(page_reader__number(&block), 0);
		ck_assert_uint_eq(block.at, block.count);
	}
	page_column__free(&column);
	strbuf__free(&out);
}
END_TEST

/* Bytes that have a text need none again; a missing value in between changes nothing. */
START_TEST(test_same_bytes)
{
	struct page_column column = { .is_text = true };
	struct strbuf out = { 0 };
	struct page_block block;

	ck_assert(!page_column__add_same(&column, "\1", 1));
	page_column__add_text(&column, "one", 3);
	ck_assert(!page_column__add_same(&column, "\2", 1));
	page_column__add_text(&column, "two", 3);
	ck_assert(page_column__add_same(&column, "\1", 1));
	ck_assert(!page_column__add_same(&column, "\3", 1));
	page_column__add_text(&column, "one", 3);
	ck_assert(page_column__add_same(&column, "\3", 1));
	block = put(&column, &out);
	block.at = 1;
	ck_assert_uint_eq(page_reader__number(&block), 2);
	page_reader__check_text(&block, "one");
	page_reader__check_text(&block, "two");
	ck_assert_uint_eq(page_reader__number(&block), 0);
	ck_assert_uint_eq(page_reader__number(&block), 1);
	ck_assert_uint_eq(page_reader__number(&block), 0);
	ck_assert_uint_eq(page_reader__number(&block), 0);
	ck_assert_uint_eq(page_reader__number(&block), 0);
	ck_assert(!page_column__add_same(&column, "\1", 1));
	page_column__free(&column);
	strbuf__free(&out);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_numbers_are_read_again);
	tcase_add_test(tests, test_missing_values);
	tcase_add_test(tests, test_texts_are_stored_once);
	tcase_add_test(tests, test_same_bytes);
}
