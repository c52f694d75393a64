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
	return suite;
}
