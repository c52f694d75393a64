// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flat_lines.c: source lines as bytes, and bytes that are no lines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/namer/flat_lines.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static const struct source_frame inlined[] = {
	{ NULL, "_Z5innerv", "/src/inner.cc", 7 },
	{ NULL, NULL, "/src/outer.cc", 9 },
};
static const struct source_frame unnamed = { NULL, NULL, NULL, 0 };

static struct strbuf flat;
static struct line_cache cache;

/* Three addresses: the second one has no lines. */
static void setup(void)
{
	flat_lines__begin(&flat, 3);
	flat_lines__append(&flat, 0x1000, inlined, 2);
	flat_lines__append(&flat, 0x2000, NULL, 0);
	flat_lines__append(&flat, 0x3000, &unnamed, 1);
	ck_assert(!flat.failed);
	line_cache__init(&cache, false);
}

static void teardown(void)
{
	line_cache__free(&cache);
	strbuf__free(&flat);
}

START_TEST(test_round_trip)
{
	const struct source_frame *frames;
	int count;

	ck_assert_int_eq(flat_lines__take_over(&cache, flat.bytes, flat.count), 0);
	ck_assert(line_cache__find(&cache, 0x1000, &frames, &count));
	ck_assert_int_eq(count, 2);
	ck_assert_str_eq(frames[0].name, "inner");
	ck_assert_str_eq(frames[0].raw_name, "_Z5innerv");
	ck_assert_str_eq(frames[0].file, "/src/inner.cc");
	ck_assert_uint_eq(frames[0].line, 7);
	ck_assert_ptr_null(frames[1].name);
	ck_assert_str_eq(frames[1].file, "/src/outer.cc");
	ck_assert_uint_eq(frames[1].line, 9);
	ck_assert(line_cache__find(&cache, 0x2000, &frames, &count));
	ck_assert_int_eq(count, 0);
	ck_assert(line_cache__find(&cache, 0x3000, &frames, &count));
	ck_assert_int_eq(count, 1);
	ck_assert_ptr_null(frames[0].file);
	ck_assert(!line_cache__find(&cache, 0x4000, &frames, &count));
}
END_TEST

/* Texts that are too long are cut. */
START_TEST(test_long_texts)
{
	static char name[2 * BUDGET_NAME_BYTES];
	const struct source_frame long_one[] = { { NULL, name, name, 1 }, unnamed };
	const struct source_frame *frames;
	int count;

	memset(name, 'n', sizeof(name) - 1);
	flat.count = 0;
	flat_lines__begin(&flat, 1);
	flat_lines__append(&flat, 0x1000, long_one, 2);
	ck_assert_int_eq(flat_lines__take_over(&cache, flat.bytes, flat.count), 0);
	ck_assert(line_cache__find(&cache, 0x1000, &frames, &count));
	ck_assert_uint_eq(strlen(frames[0].name), BUDGET_NAME_BYTES - 1);
	ck_assert_uint_eq(strlen(frames[0].file), BUDGET_NAME_BYTES - 1);
}
END_TEST

static void refuse(size_t bytes)
{
	struct line_cache none;

	line_cache__init(&none, false);
	ck_assert_int_eq(flat_lines__take_over(&none, flat.bytes, bytes), -EBADMSG);
	line_cache__free(&none);
}

START_TEST(test_any_length)
{
	for (size_t bytes = 0; bytes < flat.count; bytes++)
		refuse(bytes);
	strbuf__char(&flat, 'x');
	refuse(flat.count);
}
END_TEST

/* Overwrites a number, sees it refused, and puts it back. */
static void refuse_u32(size_t at, uint32_t value)
{
	uint32_t before;

	memcpy(&before, flat.bytes + at, sizeof(before));
	memcpy(flat.bytes + at, &value, sizeof(value));
	refuse(flat.count);
	memcpy(flat.bytes + at, &before, sizeof(before));
}

/* The layout, as the comment in flat_lines.h describes it. */
#define FRAMES_AT 12 /* the number of frames of the first address */
#define FILE_AT	  20 /* the bytes of the file of its first frame; then those of the name */
#define TEXTS_AT  28

START_TEST(test_lies_are_refused)
{
	refuse_u32(0, 4);
	refuse_u32(0, 2);
	refuse_u32(0, LINE_ADDRESSES_MAX + 1);
	refuse_u32(0, UINT32_MAX);
	refuse_u32(FRAMES_AT, 1); /* its last frame has a name */
	refuse_u32(FRAMES_AT, SOURCE_FRAMES_MAX + 1);
	refuse_u32(FRAMES_AT, UINT32_MAX);
	refuse_u32(FILE_AT, 0);
	refuse_u32(FILE_AT, 1);
	refuse_u32(FILE_AT, BUDGET_NAME_BYTES + 1);
	refuse_u32(FILE_AT, UINT32_MAX);
	refuse_u32(FILE_AT + 4, 0); /* no name of an inlined function */
	flat.bytes[TEXTS_AT + 3] = '\0';
	refuse(flat.count);
	flat.bytes[TEXTS_AT + 3] = 'c';
	flat.bytes[TEXTS_AT + strlen("/src/inner.cc")] = 'x';
	refuse(flat.count);
}
END_TEST

START_TEST(test_no_memory)
{
	long blocks = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		struct line_cache filled;
		int err;

		line_cache__init(&filled, true);
		fail_alloc__begin(nth);
		err = flat_lines__take_over(&filled, flat.bytes, flat.count);
		line_cache__free(&filled);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
	}
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_round_trip);
	tcase_add_test(tests, test_long_texts);
	tcase_add_test(tests, test_any_length);
	tcase_add_test(tests, test_lies_are_refused);
	tcase_add_test(tests, test_no_memory);
}
