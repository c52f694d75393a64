// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_attr.c: attrs of every size and either byte order. */
#include <errno.h>

#include "record/attr.h"

#include "support/machine/harness.h"
#include "unit/perf_data/read/perf_maker.h"
#include "unit/suite.h"

/* All fields, each with a value of its own; its flags as they are. */
static void make_full(struct maker *m, uint32_t size, uint64_t flags)
{
	make(m, 1, 4);
	make(m, size, 4);
	make(m, 0x1111111122222222, 8);
	make(m, 4000, 8);
	make(m, 0x107, 8);
	make(m, 0xf, 8);
	make_flags(m, flags);
	make(m, 7, 4);
	make(m, 3, 4);
	make(m, 0x0101010102020202, 8); /* config1 */
	make(m, 0x0303030304040404, 8); /* config2 */
	make(m, 1ULL << 17, 8);
	make(m, 0xff0fff, 8);
	make(m, 8192, 4);
	make(m, (uint32_t)-5, 4);
	make(m, 0xff0, 8);
	make(m, 65536, 4);
	make(m, 127, 2);
	make(m, 0, 2);
	make(m, 4096, 4);
	make(m, 0x5, 4);
	make(m, 0x5555555566666666, 8);
	make(m, 0x0505050506060606, 8); /* config3 */
	make(m, 0x0707070708080808, 8); /* config4 */
	make_bytes(m, "a tail of a kernel to come......", 32);
}

/* In memory of its own that ends where it ends. */
static int parse(struct perf_attr *attr, const struct maker *m, size_t count)
{
	uint8_t *copy = malloc(count + !count);
	int ret;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, m->at, count);
	ret = perf_attr__parse(attr, copy, count, m->swapped);
	free(copy);
	return ret;
}

static void check_size(uint32_t size, bool swapped)
{
	struct maker m = { .swapped = swapped };
	struct perf_attr attr;

	make_full(&m, size, 1ULL << PERF_ATTR_SAMPLE_ID_ALL);
	ck_assert_int_eq(parse(&attr, &m, size), (int)size);
	ck_assert_uint_eq(attr.bytes, size);
	ck_assert_uint_eq(attr.type, 1);
	ck_assert_uint_eq(attr.config, 0x1111111122222222);
	ck_assert_uint_eq(attr.period, 4000);
	ck_assert_uint_eq(attr.layout.sample_type, 0x107);
	ck_assert_uint_eq(attr.layout.read_format, 0xf);
	ck_assert(attr.layout.sample_id_all);
	ck_assert(attr.layout.swapped == swapped);
	ck_assert_uint_eq(attr.wakeup, 7);
	ck_assert_uint_eq(attr.bp_type, 3);
	ck_assert_uint_eq(attr.config1, 0x0101010102020202);
	ck_assert_uint_eq(attr.config2, size >= 72 ? 0x0303030304040404 : 0);
	ck_assert_uint_eq(attr.layout.branch_sample_type, size >= 80 ? 1ULL << 17 : 0);
	ck_assert_uint_eq(attr.layout.regs_user, size >= 88 ? 0xff0fff : 0);
	ck_assert_uint_eq(attr.stack_user, size >= 92 ? 8192 : 0);
	ck_assert_int_eq(attr.clockid, size >= 96 ? -5 : 0);
	ck_assert_uint_eq(attr.layout.regs_intr, size >= 104 ? 0xff0 : 0);
	ck_assert_uint_eq(attr.aux_watermark, size >= 108 ? 65536 : 0);
	ck_assert_uint_eq(attr.max_stack, size >= 112 ? 127 : 0);
	ck_assert_uint_eq(attr.aux_sample_bytes, size >= 116 ? 4096 : 0);
	ck_assert_uint_eq(attr.aux_action, size >= 120 ? 5 : 0);
	ck_assert_uint_eq(attr.sig_data, size >= 128 ? 0x5555555566666666 : 0);
	ck_assert_uint_eq(attr.config3, size >= 136 ? 0x0505050506060606 : 0);
	ck_assert_uint_eq(attr.config4, size >= 144 ? 0x0707070708080808 : 0);
	free(m.at);
}

START_TEST(test_parses_any_size)
{
	static const uint32_t sizes[] = { 64,  72,  80,	 88,  92,  96,	104, 108, 112,
					  116, 120, 128, 136, 144, 152, 160, 176 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		check_size(sizes[i], false);
		check_size(sizes[i], true);
	}
}
END_TEST

/* Of before there was a size: the smallest. */
START_TEST(test_no_size)
{
	struct maker m = { 0 };
	struct perf_attr attr;

	make_full(&m, 0, 0);
	ck_assert_int_eq(parse(&attr, &m, 100), 64);
	ck_assert_uint_eq(attr.config1, 0x0101010102020202);
	ck_assert_uint_eq(attr.config2, 0);
	free(m.at);
}
END_TEST

START_TEST(test_lies_about_size_fail)
{
	struct maker m = { 0 };
	struct perf_attr attr;

	make_full(&m, 112, 0);
	for (size_t count = 0; count < 112; count++)
		ck_assert_int_eq(parse(&attr, &m, count), -EBADMSG);
	for (uint32_t size = 1; size < 64; size++) {
		make_over(&m, 4, size, 4);
		ck_assert_int_eq(parse(&attr, &m, m.len), -EBADMSG);
	}
	make_over(&m, 4, UINT32_MAX, 4);
	ck_assert_int_eq(parse(&attr, &m, m.len), -EBADMSG);
	free(m.at);
}
END_TEST

/* Each flag by itself, as machines of either byte order lay them out. */
START_TEST(test_parses_each_flag)
{
	struct perf_attr attr;

	for (int i = 0; i < 128; i++) {
		struct maker m = { .swapped = i & 1 };
		unsigned flag = (unsigned)i / 2;

		make_full(&m, 112, 1ULL << flag);
		ck_assert_int_eq(parse(&attr, &m, 112), 112);
		if (flag == 15 || flag == 16)
			ck_assert_uint_eq(attr.flags, 0);
		else
			ck_assert(attr.flags == 1ULL << flag && perf_attr__has(&attr, flag));
		ck_assert(attr.layout.sample_id_all == (flag == 18));
		free(m.at);
	}
}
END_TEST

/*
 * The two bits of precise_ip are one number, and its high bit is the one that a big-endian machine
 * puts first.
 */
START_TEST(test_precise_ip)
{
	struct perf_attr attr;

	for (unsigned precise = 0; precise < 4; precise++) {
		struct maker little = { .swapped = MAKER_BIG_ENDIAN };
		struct maker big = { .swapped = !MAKER_BIG_ENDIAN };

		make_full(&little, 112, 0);
		make_over(&little, 40, (uint64_t)precise << 15 | 1, 8);
		ck_assert_int_eq(parse(&attr, &little, 112), 112);
		ck_assert_uint_eq(attr.precise_ip, precise);
		ck_assert_uint_eq(attr.flags, 1);
		make_full(&big, 112, 0);
		make_over(&big, 40, (uint64_t)precise << 47 | 1ULL << 63, 8);
		ck_assert_int_eq(parse(&attr, &big, 112), 112);
		ck_assert_uint_eq(attr.precise_ip, precise);
		ck_assert_uint_eq(attr.flags, 1);
		free(little.at);
		free(big.at);
	}
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_parses_any_size);
	tcase_add_test(tests, test_no_size);
	tcase_add_test(tests, test_lies_about_size_fail);
	tcase_add_test(tests, test_parses_each_flag);
	tcase_add_test(tests, test_precise_ip);
}
