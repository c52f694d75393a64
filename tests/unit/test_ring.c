// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ring.c: one ring: wrapping, positions that overflow, nonsense, release. */
#include "fake_ring.h"
#include "harness.h"
#include "suites.h"

#define RING_BYTES 4096u

static struct fake_ring fake;
static struct ring ring;

static void begin(uint64_t position)
{
	fake_ring__init(&fake, RING_BYTES, position);
	ring__init(&ring, fake.page, fake.data, RING_BYTES);
}

static void end(void)
{
	fake_ring__free(&fake);
}

/* Every place where a record can begin: in whole, over the edge, and exactly up to it. */
START_TEST(test_wraps_at_every_offset)
{
	static const uint32_t sizes[] = { 8, 16, 40, 1000, 2048, 4088, 4096 };

	for (uint64_t offset = 0; offset < RING_BYTES; offset += 8) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			begin(offset);
			ck_assert(fake_ring__record(&fake, sizes[i], 5));
			ring__look(&ring);
			ck_assert(fake_ring__is(ring__next(&ring), sizes[i], 5));
			ck_assert_ptr_null(ring__next(&ring));
			end();
		}
	}
}
END_TEST

static void run_through(uint64_t position)
{
	unsigned written = 0, seen = 0;

	begin(position);
	for (int look = 0; look < 200; look++) {
		const struct perf_event_header *record;

		while (fake_ring__record(&fake, 8 + 8 * (written % 40), written))
			written++;
		ring__look(&ring);
		while ((record = ring__next(&ring))) {
			ck_assert(fake_ring__is(record, 8 + 8 * (seen % 40), seen));
			seen++;
		}
		ring__release(&ring);
		ck_assert_uint_eq(fake.page->data_tail, fake.page->data_head);
	}
	ck_assert_uint_eq(seen, written);
	ck_assert_uint_gt(written, 200);
	ck_assert_uint_eq(ring.corrupt, 0);
	end();
}

START_TEST(test_positions_pass_2_32_and_2_64)
{
	run_through(0);
	run_through((1ULL << 32) - 3 * RING_BYTES / 2);
	run_through(0ULL - 3 * RING_BYTES / 2);
	run_through(0ULL - 8);
}
END_TEST

START_TEST(test_full_ring_is_whole)
{
	unsigned seen = 0;

	begin(64);
	for (unsigned i = 0; i < RING_BYTES / 32; i++)
		ck_assert(fake_ring__record(&fake, 32, i));
	ck_assert(!fake_ring__record(&fake, 8, 0));
	ring__look(&ring);
	while (fake_ring__is(ring__next(&ring), 32, seen))
		seen++;
	ck_assert_uint_eq(seen, RING_BYTES / 32);
	ck_assert_uint_eq(ring.corrupt, 0);
	end();
}
END_TEST

/* Two records, then `size` as the size of a third: the two arrive, the rest is given up once. */
static void check_nonsense(uint16_t size)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = size };
	unsigned char rest[48] = { 0 };

	begin(RING_BYTES - 64);
	ck_assert(fake_ring__record(&fake, 24, 1));
	ck_assert(fake_ring__record(&fake, 24, 2));
	fake_ring__write(&fake, &header, sizeof(header));
	fake_ring__write(&fake, rest, sizeof(rest));
	ring__look(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 24, 1));
	ck_assert(fake_ring__is(ring__next(&ring), 24, 2));
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 1);
	ring__release(&ring);
	ck_assert_uint_eq(fake.page->data_tail, fake.page->data_head);
	ck_assert(fake_ring__record(&fake, 32, 3));
	ring__look(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 32, 3));
	end();
}

START_TEST(test_nonsense_is_counted_and_skipped)
{
	check_nonsense(0);
	check_nonsense(1);
	check_nonsense(7);
	check_nonsense(12);
	check_nonsense(64);
	check_nonsense(65535);
	check_nonsense(65528);
}
END_TEST

START_TEST(test_head_that_lies_is_no_loop)
{
	begin(0);
	fake.page->data_head = RING_BYTES + 8;
	ring__look(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 1);
	fake.page->data_head -= 16; /* backwards: 2^64 - 16 bytes to read */
	ring__look(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 2);
	fake.page->data_head += 4; /* a piece of a header */
	ring__look(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 3);
	end();
}
END_TEST

START_TEST(test_memory_goes_back_on_release_only)
{
	begin(0);
	ck_assert(fake_ring__record(&fake, 48, 1));
	ck_assert(fake_ring__record(&fake, 64, 2));
	ring__look(&ring);
	ck_assert_ptr_nonnull(ring__next(&ring));
	ck_assert_uint_eq(fake.page->data_tail, 0);
	ck_assert_uint_eq(ring__unreleased(&ring), 48);
	ring__release(&ring);
	ck_assert_uint_eq(fake.page->data_tail, 48);
	ck_assert_ptr_nonnull(ring__next(&ring));
	ring__release(&ring);
	ck_assert_uint_eq(fake.page->data_tail, 112);
	end();
}
END_TEST

START_TEST(test_look_has_an_end)
{
	begin(0);
	ck_assert(fake_ring__record(&fake, 48, 1));
	ring__look(&ring);
	ck_assert(fake_ring__record(&fake, 48, 2));
	ck_assert_ptr_nonnull(ring__next(&ring));
	ck_assert_ptr_null(ring__next(&ring));
	ring__look(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 48, 2));
	end();
}
END_TEST

START_TEST(test_starts_where_the_last_reader_ended)
{
	begin(4000);
	ck_assert(fake_ring__record(&fake, 200, 1));
	ring__init(&ring, fake.page, fake.data, RING_BYTES);
	ring__look(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 200, 1));
	end();
}
END_TEST

/* ---- ahead of what is handed out ------------------------------------------------------------- */

/* The next record ahead, passed: what fake_ring__record() wrote. */
static void ahead_is(uint32_t size, unsigned seed)
{
	struct perf_event_header header;
	unsigned char copy[4096];

	ck_assert(ring__peek(&ring, &header));
	ck_assert_uint_eq(header.size, size);
	ck_assert(ring__peek(&ring, &header)); /* looking changes nothing */
	ring__copy_ahead(&ring, &header, copy);
	ck_assert(fake_ring__is((void *)copy, size, seed));
	ring__skip_ahead(&ring, &header);
}

static void nothing_is_ahead(void)
{
	struct perf_event_header header;

	ck_assert(!ring__peek(&ring, &header));
}

START_TEST(test_ahead_wraps_at_every_offset)
{
	static const uint32_t sizes[] = { 8, 16, 40, 2048, 4088, 4096 };

	for (uint64_t offset = 0; offset < RING_BYTES; offset += 8) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			begin(0ULL - RING_BYTES + offset);
			ck_assert(fake_ring__record(&fake, sizes[i], 5));
			ring__look_ahead(&ring);
			ahead_is(sizes[i], 5);
			nothing_is_ahead();
			ring__look(&ring);
			ck_assert(fake_ring__is(ring__next(&ring), sizes[i], 5));
			ck_assert(ring__was_ahead(&ring));
			end();
		}
	}
}
END_TEST

/* Each record is ahead once, whether the reader has passed it or not. */
START_TEST(test_ahead_goes_on_where_it_was)
{
	begin(RING_BYTES - 100 * 8);
	for (unsigned i = 0; i < 4; i++)
		ck_assert(fake_ring__record(&fake, 48, i));
	ring__look_ahead(&ring);
	ahead_is(48, 0);
	ahead_is(48, 1);
	ring__look(&ring);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(fake_ring__is(ring__next(&ring), 48, i));
		ck_assert_int_eq(ring__was_ahead(&ring), i < 2);
	}
	ring__look_ahead(&ring);
	ahead_is(48, 2); /* handed out, but still lent */
	ck_assert(ring__was_ahead(&ring));
	ahead_is(48, 3);
	nothing_is_ahead();
	ck_assert(fake_ring__record(&fake, 48, 4));
	nothing_is_ahead(); /* before the next look */
	ring__look_ahead(&ring);
	ahead_is(48, 4);
	end();
}
END_TEST

/* What was given back may be overwritten: never looked at again. */
START_TEST(test_ahead_is_never_behind)
{
	begin(0);
	for (unsigned i = 0; i < 3; i++)
		ck_assert(fake_ring__record(&fake, 48, i));
	ring__look_ahead(&ring);
	ahead_is(48, 0);
	ring__look(&ring);
	while (ring__next(&ring))
		;
	ring__release(&ring);
	while (fake_ring__record(&fake, 64, 7))
		;
	ring__look_ahead(&ring);
	for (unsigned i = 0; i < RING_BYTES / 64; i++)
		ahead_is(64, 7);
	nothing_is_ahead();
	end();
}
END_TEST

/* It ends there, counts nothing, and goes on when the reader has given up on it. */
START_TEST(test_ahead_ends_at_nonsense)
{
	static const uint16_t sizes[] = { 0, 7, 12, 96, 65528 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct perf_event_header header = { .type = 3, .size = sizes[i] };
		unsigned char rest[48] = { 0 };

		begin(RING_BYTES - 64);
		ck_assert(fake_ring__record(&fake, 24, 1));
		fake_ring__write(&fake, &header, sizeof(header));
		fake_ring__write(&fake, rest, sizeof(rest));
		ring__look_ahead(&ring);
		ahead_is(24, 1);
		nothing_is_ahead();
		ring__look_ahead(&ring);
		nothing_is_ahead();
		ck_assert_uint_eq(ring.corrupt, 0);
		ring__look(&ring);
		ck_assert_ptr_nonnull(ring__next(&ring));
		ck_assert_ptr_null(ring__next(&ring));
		ck_assert_uint_eq(ring.corrupt, 1);
		ck_assert(fake_ring__record(&fake, 32, 3));
		ring__look_ahead(&ring);
		ahead_is(32, 3);
		end();
	}
}
END_TEST

/* The size makes sense once more is there: whoever looked ahead was led astray by it. */
START_TEST(test_ahead_begins_anew_with_the_reader)
{
	struct perf_event_header header = { .type = 3, .size = 72 };

	begin(0);
	fake_ring__write(&fake, &header, sizeof(header));
	ring__look(&ring);
	ck_assert(fake_ring__record(&fake, 48, 1));
	ck_assert(fake_ring__record(&fake, 48, 2));
	ring__look_ahead(&ring);
	ck_assert(ring__peek(&ring, &header));
	ring__skip_ahead(&ring, &header); /* into the middle of the second one */
	ck_assert_ptr_null(ring__next(&ring));
	ring__look_ahead(&ring);
	ahead_is(48, 1);
	ahead_is(48, 2);
	nothing_is_ahead();
	end();
}
END_TEST

START_TEST(test_ahead_of_a_head_that_lies)
{
	begin(0);
	fake.page->data_head = RING_BYTES + 8;
	ring__look_ahead(&ring);
	nothing_is_ahead();
	fake.page->data_head = 0ULL - 16;
	ring__look_ahead(&ring);
	nothing_is_ahead();
	fake.page->data_head = 4;
	ring__look_ahead(&ring);
	nothing_is_ahead();
	end();
}
END_TEST

Suite *ring_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("ring", 60, &tests);

	tcase_add_test(tests, test_wraps_at_every_offset);
	tcase_add_test(tests, test_positions_pass_2_32_and_2_64);
	tcase_add_test(tests, test_full_ring_is_whole);
	tcase_add_test(tests, test_nonsense_is_counted_and_skipped);
	tcase_add_test(tests, test_head_that_lies_is_no_loop);
	tcase_add_test(tests, test_memory_goes_back_on_release_only);
	tcase_add_test(tests, test_look_has_an_end);
	tcase_add_test(tests, test_starts_where_the_last_reader_ended);
	tcase_add_test(tests, test_ahead_wraps_at_every_offset);
	tcase_add_test(tests, test_ahead_goes_on_where_it_was);
	tcase_add_test(tests, test_ahead_is_never_behind);
	tcase_add_test(tests, test_ahead_ends_at_nonsense);
	tcase_add_test(tests, test_ahead_begins_anew_with_the_reader);
	tcase_add_test(tests, test_ahead_of_a_head_that_lies);
	return suite;
}
