// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_spare_buffers.c: large buffers are kept for others, within a limit; small ones are not. */
#include "batch/spare_buffers.h"
#include "unit/suite.h"

#define LARGE (256u << 10)

/* Other tests leave some. */
static void free_all(void)
{
	struct strbuf buffer = { 0 };

	while (spare_buffers__take(&buffer, LARGE / 2))
		strbuf__free(&buffer);
}

static void fill(struct strbuf *buffer, size_t bytes)
{
	strbuf__fill(buffer, 'x', bytes);
	ck_assert(!buffer->failed);
}

START_TEST(test_buffer_is_used_again)
{
	struct strbuf buffer = { 0 }, next = { 0 };
	const char *bytes;

	ck_assert(!spare_buffers__take(&next, LARGE));
	fill(&buffer, LARGE);
	bytes = buffer.bytes;
	spare_buffers__give(&buffer);
	ck_assert_ptr_null(buffer.bytes);
	ck_assert(!spare_buffers__take(&next, buffer.room + 4 * LARGE));
	ck_assert(spare_buffers__take(&next, LARGE));
	ck_assert_ptr_eq(next.bytes, bytes);
	ck_assert_uint_eq(next.count, 0);
	ck_assert_uint_gt(next.room, LARGE);
	fill(&next, LARGE);
	ck_assert_ptr_eq(next.bytes, bytes);
	ck_assert(!spare_buffers__take(&buffer, LARGE));
	strbuf__free(&next);
}
END_TEST

START_TEST(test_other_sizes_are_freed)
{
	static const size_t sizes[] = { 1000, 4 * LARGE };
	struct strbuf buffer = { 0 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		fill(&buffer, sizes[i]);
		spare_buffers__give(&buffer);
		ck_assert_ptr_null(buffer.bytes);
		ck_assert(!spare_buffers__take(&buffer, sizes[i]));
	}
	spare_buffers__give(&buffer); /* none */
	ck_assert(!spare_buffers__take(&buffer, 0));
}
END_TEST

START_TEST(test_number_is_limited)
{
	struct strbuf buffers[100] = { 0 };
	unsigned count = 0;

	for (unsigned i = 0; i < 100; i++)
		fill(&buffers[i], LARGE);
	for (unsigned i = 0; i < 100; i++)
		spare_buffers__give(&buffers[i]);
	while (count < 100 && spare_buffers__take(&buffers[count], LARGE))
		count++;
	ck_assert_uint_eq(count, 16);
	while (count--)
		strbuf__free(&buffers[count]);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, free_all, free_all);
	tcase_add_test(tests, test_buffer_is_used_again);
	tcase_add_test(tests, test_other_sizes_are_freed);
	tcase_add_test(tests, test_number_is_limited);
}
