// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flat_frames.c: call frame information as bytes, and bytes that are none. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/namer/flat_frames.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

/* The layout, as the comment in flat_frames.h describes it. */
#define TRAMPOLINES_AT 6
#define KINDS_AT       40
#define SECTIONS_AT    48
#define SECTION_BYTES  48 /* its bytes, and the number of its entries, are first */
#define INDEX_AT       (SECTIONS_AT + 2 * SECTION_BYTES)
#define INDEX_BYTES    16
#define INDEX_OFFSET   12 /* in an entry */

static struct call_frames own;
static uint8_t *flat;
static size_t bytes;

static void setup(void)
{
	static const char path[] = "/proc/self/exe";
	struct elf_file *elf;

	ck_assert_int_eq(elf_file__open(&elf, open(path, O_RDONLY | O_CLOEXEC), path), 0);
	ck_assert_int_eq(call_frames__read(&own, elf), 0);
	elf_file__free(elf);
	own.trampolines = (struct trampolines){ { 0x1234 }, { 1 }, 1 };
	bytes = flat_frames__bytes(&own);
	flat = malloc(bytes);
	ck_assert_ptr_nonnull(flat);
	flat_frames__write(&own, flat);
}

static void teardown(void)
{
	call_frames__free(&own);
	free(flat);
}

static void check_equal(const struct cfi_section *a, const struct cfi_section *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert(!a->count || !memcmp(a->bytes, b->bytes, a->count));
	ck_assert_uint_eq(a->index_count, b->index_count);
	ck_assert(!a->index_count ||
		  !memcmp(a->index, b->index, a->index_count * sizeof(*a->index)));
	ck_assert_uint_eq(a->vaddr, b->vaddr);
	ck_assert_uint_eq(a->text_vaddr, b->text_vaddr);
	ck_assert_uint_eq(a->data_vaddr, b->data_vaddr);
	ck_assert_uint_eq(a->is_eh, b->is_eh);
	ck_assert_uint_eq(a->is_64, b->is_64);
	ck_assert_uint_eq(a->swapped, b->swapped);
	ck_assert_uint_eq(a->has_signal, b->has_signal);
}

START_TEST(test_round_trip)
{
	struct call_frames taken;

	ck_assert_uint_gt(own.eh_frame.index_count, 1000);
	ck_assert_int_eq(flat_frames__take_over(&taken, flat, bytes), 0);
	ck_assert_uint_eq(taken.machine, own.machine);
	ck_assert_uint_eq(taken.trampolines.count, 1);
	ck_assert_int_eq(trampolines__find(&taken.trampolines, 0x1234), 1);
	check_equal(&taken.eh_frame, &own.eh_frame);
	check_equal(&taken.debug_frame, &own.debug_frame);
	call_frames__free(&taken);
}
END_TEST

static void refuse(void)
{
	struct call_frames taken;
	long blocks = fail_alloc__blocks();

	ck_assert_int_eq(flat_frames__take_over(&taken, flat, bytes), -EBADMSG);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

START_TEST(test_any_length)
{
	const size_t whole = bytes;

	for (bytes = 0; bytes < INDEX_AT + 10 * INDEX_BYTES; bytes++)
		refuse();
	for (bytes = whole - 100; bytes < whole; bytes++)
		refuse();
	flat = realloc(flat, whole + 1);
	flat[whole] = 0;
	bytes = whole + 1;
	refuse();
}
END_TEST

static void refuse_with(size_t at, const void *value, size_t count)
{
	uint8_t before[8];

	memcpy(before, flat + at, count);
	memcpy(flat + at, value, count);
	refuse();
	memcpy(flat + at, before, count);
}

static void refuse_u64(size_t at, uint64_t value)
{
	refuse_with(at, &value, sizeof(value));
}

START_TEST(test_lies_are_refused)
{
	const uint16_t many = TRAMPOLINES_MAX + 1;
	const uint32_t after = (uint32_t)own.eh_frame.count;
	struct call_frames taken;

	refuse_with(0, "none", 4);
	refuse_with(TRAMPOLINES_AT, &many, sizeof(many));
	refuse_with(KINDS_AT, "\xff", 1);
	for (size_t section = 0; section < 2; section++) {
		const size_t at = SECTIONS_AT + section * SECTION_BYTES;

		refuse_u64(at, UINT64_MAX);
		refuse_u64(at, 0);
		refuse_u64(at + 8, UINT64_MAX);
		refuse_u64(at + 8, UINT64_MAX / INDEX_BYTES + 2); /* wraps */
	}
	refuse_with(INDEX_AT + INDEX_OFFSET, &after, sizeof(after));
	refuse_u64(INDEX_AT, UINT64_MAX); /* not sorted */
	ck_assert_int_eq(flat_frames__take_over(&taken, flat, bytes), 0);
	call_frames__free(&taken);
}
END_TEST

START_TEST(test_no_memory)
{
	struct call_frames taken;
	long blocks = fail_alloc__blocks();
	int err;

	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		err = flat_frames__take_over(&taken, flat, bytes);
		if (!fail_alloc__end()) {
			call_frames__free(&taken);
			break;
		}
		ck_assert_int_eq(err, -ENOMEM);
	}
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_round_trip);
	tcase_add_test(tests, test_any_length);
	tcase_add_test(tests, test_lies_are_refused);
	tcase_add_test(tests, test_no_memory);
}
