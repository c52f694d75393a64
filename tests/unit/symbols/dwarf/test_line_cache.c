// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_line_cache.c: lines of addresses, with each text once. */
#include <string.h>

#include "symbols/dwarf/line_cache.h"
#include "unit/suite.h"

static const struct source_frame first[] = {
	{ NULL, "_Z5innerv", "file.cc", 7 },
	{ NULL, NULL, "file.cc", 9 },
};

START_TEST(test_shared_texts)
{
	const struct source_frame *one, *other;
	struct line_cache cache;
	char file[] = "file.cc";
	const struct source_frame copy = { NULL, NULL, file, 3 };
	size_t bytes;
	int count;

	line_cache__init(&cache, false);
	ck_assert_int_eq(line_cache__add(&cache, 1, first, 2), 0);
	ck_assert_int_eq(line_cache__add(&cache, 2, &copy, 1), 0);
	file[0] = 'x';
	ck_assert(line_cache__find(&cache, 1, &one, &count));
	ck_assert(line_cache__find(&cache, 2, &other, &count));
	ck_assert_int_eq(count, 1);
	ck_assert_ptr_eq(one[0].file, one[1].file);
	ck_assert_ptr_eq(one[0].file, other[0].file);
	ck_assert_str_eq(other[0].file, "file.cc");
	ck_assert_str_eq(one[0].name, "inner");
	bytes = cache.bytes;
	ck_assert_uint_gt(bytes, 100);
	ck_assert_int_eq(line_cache__add(&cache, 1, &copy, 1), 0); /* stays as it was */
	ck_assert_uint_eq(cache.bytes, bytes);
	ck_assert(line_cache__find(&cache, 1, &other, &count));
	ck_assert_ptr_eq(one, other);
	line_cache__free(&cache);
	ck_assert_uint_eq(cache.bytes, 0);
}
END_TEST

START_TEST(test_no_demangle)
{
	const struct source_frame *frames;
	struct line_cache cache;
	int count;

	line_cache__init(&cache, true);
	ck_assert_int_eq(line_cache__add(&cache, 1, first, 2), 0);
	ck_assert(line_cache__find(&cache, 1, &frames, &count));
	ck_assert_str_eq(frames[0].name, "_Z5innerv");
	line_cache__free(&cache);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_shared_texts);
	tcase_add_test(tests, test_no_demangle);
}
