// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_backward.c: copies of rings that overwrite: empty, not full, wrapped, torn, repeated. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ring/backward.h"
#include "support/machine/fake_ring.h"
#include "unit/suite.h"

#define RING_BYTES 4096u

static struct fake_ring fake;
static struct ring ring;
static struct backward_copy copy;

static void begin(uint64_t position)
{
	fake_ring__init(&fake, RING_BYTES, position);
	ring__init(&ring, fake.page, fake.data, RING_BYTES);
	ring.cpu = 3;
}

static void end(void)
{
	backward__free(&copy);
	fake_ring__free(&fake);
}

static void take(uint64_t most_bytes)
{
	backward__free(&copy);
	ck_assert_int_eq(backward__copy(&ring, most_bytes, &copy), 0);
	ck_assert_uint_eq(copy.cpu, 3);
}

/* The copy has `count` records of this size, the oldest first, with seeds from `seed` on. */
static void check_records(uint32_t count, uint32_t size, unsigned seed)
{
	ck_assert_uint_eq(copy.count, count);
	ck_assert_uint_eq(copy.used_bytes, count * size);
	ck_assert(!copy.is_corrupt);
	for (uint32_t i = 0; i < count; i++)
		ck_assert(fake_ring__is((const void *)(copy.bytes + copy.records[i]), size,
					seed + i));
}

START_TEST(test_empty_ring_has_no_records)
{
	begin(0);
	take(UINT64_MAX);
	check_records(0, 8, 0);
	ck_assert_uint_eq(copy.overwritten_bytes, 0);
	end();
}
END_TEST

START_TEST(test_ring_that_is_not_full)
{
	begin(0);
	for (unsigned i = 0; i < 5; i++)
		fake_ring__record_backward(&fake, 40, i);
	take(UINT64_MAX);
	check_records(5, 40, 0);
	ck_assert_uint_eq(copy.overwritten_bytes, 0);
	end();
}
END_TEST

START_TEST(test_exactly_full)
{
	begin(0);
	for (unsigned i = 0; i < RING_BYTES / 64; i++)
		fake_ring__record_backward(&fake, 64, i);
	take(UINT64_MAX);
	check_records(RING_BYTES / 64, 64, 0);
	ck_assert_uint_eq(copy.overwritten_bytes, 0);
	end();
}
END_TEST

/* 4096 / 40 = 102.4: the oldest record left has lost its end. */
static void check_torn(uint64_t position)
{
	begin(position);
	for (unsigned i = 0; i < 1000; i++)
		fake_ring__record_backward(&fake, 40, i);
	take(UINT64_MAX);
	check_records(102, 40, 898);
	ck_assert_uint_eq(copy.overwritten_bytes, 898 * 40);
	end();
}

START_TEST(test_torn_record_is_left_out)
{
	for (uint64_t offset = 0; offset < RING_BYTES; offset += 8)
		check_torn(offset);
	check_torn(UINT64_MAX - 7);
	check_torn(1000 * 40 - 8);
}
END_TEST

START_TEST(test_sizes_that_differ)
{
	uint64_t bytes = 0;
	unsigned oldest;

	begin(0);
	for (unsigned i = 0; i < 777; i++)
		fake_ring__record_backward(&fake, 8 + 8 * (i % 60), i);
	for (oldest = 777; bytes + 8 + 8 * ((oldest - 1) % 60) <= RING_BYTES; oldest--)
		bytes += 8 + 8 * ((oldest - 1) % 60);
	take(UINT64_MAX);
	ck_assert_uint_eq(copy.count, 777 - oldest);
	ck_assert_uint_eq(copy.used_bytes, bytes);
	for (uint32_t i = 0; i < copy.count; i++)
		ck_assert(fake_ring__is((const void *)(copy.bytes + copy.records[i]),
					8 + 8 * ((oldest + i) % 60), oldest + i));
	end();
}
END_TEST

START_TEST(test_record_as_large_as_the_ring)
{
	begin(16);
	fake_ring__record_backward(&fake, 64, 1);
	fake_ring__record_backward(&fake, RING_BYTES, 2);
	take(UINT64_MAX);
	check_records(1, RING_BYTES, 2);
	ck_assert_uint_eq(copy.overwritten_bytes, 64);
	end();
}
END_TEST

START_TEST(test_a_record_is_copied_once)
{
	begin(0);
	for (unsigned i = 0; i < 10; i++)
		fake_ring__record_backward(&fake, 72, i);
	take(UINT64_MAX);
	check_records(10, 72, 0);
	take(UINT64_MAX);
	check_records(0, 72, 0);
	for (unsigned i = 10; i < 23; i++)
		fake_ring__record_backward(&fake, 72, i);
	take(UINT64_MAX);
	check_records(13, 72, 10);
	fake_ring__record_backward(&fake, 72, 23);
	backward__skip(&ring);
	fake_ring__record_backward(&fake, 72, 24);
	take(UINT64_MAX);
	check_records(1, 72, 24);
	end();
}
END_TEST

START_TEST(test_most_bytes)
{
	begin(0);
	for (unsigned i = 0; i < 20; i++)
		fake_ring__record_backward(&fake, 48, i);
	take(48 * 3 + 47);
	check_records(3, 48, 17);
	ck_assert_uint_eq(copy.overwritten_bytes, 17 * 48);
	take(UINT64_MAX);
	check_records(0, 48, 0);
	end();
}
END_TEST

/* The records that are newer than the damage are copied. */
START_TEST(test_invalid_sizes)
{
	static const uint16_t sizes[] = { 0, 4, 12, 4096 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct perf_event_header *header;

		begin(4096);
		for (unsigned seed = 0; seed < 4; seed++)
			fake_ring__record_backward(&fake, 40, seed);
		header = (void *)(fake.data + RING_BYTES - 2 * 40);
		header->size = sizes[i];
		take(UINT64_MAX);
		ck_assert_uint_eq(copy.count, 2);
		ck_assert(fake_ring__is((const void *)(copy.bytes + copy.records[1]), 40, 3));
		ck_assert(copy.is_corrupt);
		end();
	}
}
END_TEST

START_TEST(test_scan_of_nothing)
{
	size_t used = 1;

	ck_assert_uint_eq(backward__scan("", 0, NULL, &used), 0);
	ck_assert_uint_eq(used, 0);
	ck_assert_uint_eq(backward__scan("1234567", 7, NULL, &used), 0);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_empty_ring_has_no_records);
	tcase_add_test(tests, test_ring_that_is_not_full);
	tcase_add_test(tests, test_exactly_full);
	tcase_add_test(tests, test_torn_record_is_left_out);
	tcase_add_test(tests, test_sizes_that_differ);
	tcase_add_test(tests, test_record_as_large_as_the_ring);
	tcase_add_test(tests, test_a_record_is_copied_once);
	tcase_add_test(tests, test_most_bytes);
	tcase_add_test(tests, test_invalid_sizes);
	tcase_add_test(tests, test_scan_of_nothing);
}
