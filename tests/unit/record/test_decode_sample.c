/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * test_decode_sample.c: PERF_RECORD_SAMPLE and the read format, which READ shares.
 */
#include <errno.h>

#include "support/machine/harness.h"
#include "unit/suite.h"
#include "sample_shape.h"

/* Decodes bytes at the end of their allocation, and checks each field against the shape. */
static void check_decode(const struct sample_shape *sh, const struct bytes *b, size_t offset)
{
	struct placed p = place(b, b->len, offset);
	uint64_t has = sh->layout.sample_type & PEAT_SAMPLE_ALL;
	struct peat_record rec = { .sz = sizeof(rec) };

	memset(&rec, 0xee, sizeof(rec));
	rec.sz = sizeof(rec);
	ck_assert_int_eq(peat_record__decode(&sh->layout, p.at, p.len, &rec), 1);
	ck_assert_uint_eq(rec.type, PEAT_RECORD_SAMPLE);
	ck_assert_uint_eq(rec.misc, PEAT_MISC_USER | PEAT_MISC_EXACT_IP);
	ck_assert_uint_eq(rec.size, b->len);
	ck_assert(walk_record(&p, &rec));
	check_ids(&rec, has);
	check_payloads(&rec.sample, sh, has);
	check_hardware(&rec.sample, sh, has);
	free(p.mem);
}

static void check_shape(const struct sample_shape *sh, size_t offset)
{
	struct bytes b;

	build_sample(&b, sh);
	check_decode(sh, &b, offset);
}

static int decode(const struct peat_layout *layout, const struct bytes *b)
{
	struct placed p = place(b, b->len, b->len % 8);
	struct peat_record rec = { .sz = sizeof(rec) };
	int ret = peat_record__decode(layout, p.at, p.len, &rec);

	if (ret == 1)
		ck_assert(walk_record(&p, &rec));
	free(p.mem);
	return ret;
}

START_TEST(test_every_bit)
{
	for (size_t offset = 0; offset < 8; offset++) {
		struct sample_shape alone = usual(1ULL << _i, offset & 1);
		struct sample_shape all_but = usual(PEAT_SAMPLE_ALL & ~(1ULL << _i), offset & 1);

		check_shape(&alone, offset);
		check_shape(&all_but, offset);
	}
}
END_TEST

START_TEST(test_all_and_none)
{
	for (size_t offset = 0; offset < 8; offset++) {
		struct sample_shape all = usual(PEAT_SAMPLE_ALL, _i);
		struct sample_shape none = usual(0, _i);

		check_shape(&all, offset);
		check_shape(&none, offset);
	}
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static unsigned int below(unsigned int limit, uint64_t *state)
{
	return (unsigned int)(next_random(state) >> 32) % limit;
}

START_TEST(test_random_shapes)
{
	uint64_t state = 0x9e3779b97f4a7c15;

	for (int i = 0; i < 5000; i++) {
		struct sample_shape sh = usual(next_random(&state) & PEAT_SAMPLE_ALL, i & 1);

		sh.layout.read_format = next_random(&state) & PEAT_READ_ALL;
		sh.layout.branch_sample_type = next_random(&state);
		sh.group = below(4, &state);
		sh.ips = below(9, &state);
		sh.branches = 1 + below(5, &state);
		sh.abi_user = below(3, &state);
		sh.abi_intr = below(3, &state);
		sh.stack_bytes = below(3, &state) * 24;
		sh.dyn_bytes = sh.stack_bytes / 2;
		sh.raw_bytes = below(80, &state);
		sh.aux_bytes = below(3, &state) * 8;
		check_shape(&sh, below(8, &state));
	}
}
END_TEST

START_TEST(test_read_formats)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		for (unsigned int group = 0; group < 4; group++) {
			struct sample_shape sh =
				usual(PEAT_SAMPLE_READ | PEAT_SAMPLE_CGROUP, swapped);

			sh.layout.read_format = (uint64_t)_i;
			sh.group = group;
			check_shape(&sh, group);
		}
	}
}
END_TEST

/* The record READ ends in the same, and then has a trailer. */
START_TEST(test_read_record)
{
	struct peat_layout layout = { 0 };
	struct peat_record rec = { .sz = sizeof(rec) };
	struct placed p;
	struct bytes b;

	layout.read_format = (uint64_t)_i;
	layout.sample_type = PEAT_SAMPLE_TID | PEAT_SAMPLE_READ;
	layout.sample_id_all = true;
	put_header(&b, PEAT_RECORD_READ, 0, false);
	put_u32(&b, 10);
	put_u32(&b, 11);
	put_read(&b, layout.read_format, 3);
	put_u32(&b, 12);
	put_u32(&b, 13);
	end_record(&b);
	p = place(&b, b.len, 0);
	ck_assert_int_eq(peat_record__decode(&layout, p.at, p.len, &rec), 1);
	check_read_values(&rec.read.values, layout.read_format, 3);
	ck_assert_uint_eq(rec.read.pid, 10);
	ck_assert_uint_eq(rec.read.tid, 11);
	ck_assert_uint_eq(rec.has, PEAT_SAMPLE_TID);
	ck_assert_uint_eq(rec.pid, 12);
	ck_assert_uint_eq(rec.tid, 13);
	free(p.mem);
}
END_TEST

/* Each length short of the whole, both with the header's knowledge and behind its back. */
static void check_truncations(const struct sample_shape *sh)
{
	struct bytes b;
	size_t whole;

	build_sample(&b, sh);
	whole = b.len;
	for (b.len = 0; b.len < whole; b.len++) {
		int ret;

		set_size(&b, whole);
		ck_assert_int_eq(decode(&sh->layout, &b), -EBADMSG);
		set_size(&b, b.len);
		ret = decode(&sh->layout, &b);
		if (sh->layout.sample_type != PEAT_SAMPLE_RAW || b.len < 8 + 4 + sh->raw_bytes)
			ck_assert_int_eq(ret, -EBADMSG);
	}
}

START_TEST(test_truncated_samples_fail)
{
	struct sample_shape alone = usual(1ULL << _i, false);

	check_truncations(&alone);
	alone.layout.swapped = true;
	alone.layout.read_format = PEAT_READ_ALL;
	check_truncations(&alone);
}
END_TEST

START_TEST(test_truncations_of_all)
{
	struct sample_shape all = usual(PEAT_SAMPLE_ALL, _i & 1);

	all.layout.read_format = (uint64_t)_i;
	all.layout.branch_sample_type = _i & 2 ? PEAT_BRANCH_HW_INDEX : PEAT_BRANCH_COUNTERS;
	check_truncations(&all);
}
END_TEST

static const uint64_t lies[] = {
	17,
	0xff,
	0xffff,
	0xffffffff,
	0x100000000,
	1ULL << 59,
	1ULL << 60,
	(1ULL << 60) + 1,
	1ULL << 61,
	(1ULL << 61) + 1,
	1ULL << 62,
	1ULL << 63,
	UINT64_MAX / 24 + 1,
	UINT64_MAX / 24 + 2,
	UINT64_MAX - 7,
	UINT64_MAX - 1,
	UINT64_MAX,
};

#define NR_LIES ((int)(sizeof(lies) / sizeof(lies[0])))

/* A count larger than the 16 words behind it. */
START_TEST(test_hostile_counts)
{
	static const uint64_t counted[] = { PEAT_SAMPLE_READ, PEAT_SAMPLE_CALLCHAIN,
					    PEAT_SAMPLE_BRANCH_STACK, PEAT_SAMPLE_STACK_USER,
					    PEAT_SAMPLE_AUX };
	struct bytes b;

	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		for (uint64_t format = 0; format < 32; format++) {
			bool bytes = counted[i] & (PEAT_SAMPLE_STACK_USER | PEAT_SAMPLE_AUX);
			struct sample_shape sh = usual(counted[i], format & 1);

			sh.layout.read_format = format | PEAT_READ_GROUP;
			sh.layout.branch_sample_type = format << 15;
			put_header(&b, PEAT_RECORD_SAMPLE, 0, sh.layout.swapped);
			put_u64(&b, lies[_i]);
			put_words(&b, 0, 16);
			end_record(&b);
			if (!bytes || lies[_i] > 128)
				ck_assert_int_eq(decode(&sh.layout, &b), -EBADMSG);
		}
	}
}
END_TEST

START_TEST(test_hostile_raw)
{
	static const uint32_t sizes[] = { 13,	      14,	  0xff,	      0xffff,
					  0x7fffffff, 0xfffffffb, 0xfffffffc, 0xffffffff };
	struct sample_shape sh = usual(PEAT_SAMPLE_RAW, false);
	struct bytes b;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
		put_u32(&b, sizes[i]);
		put_data(&b, "twelve bytes", 12);
		end_record(&b);
		ck_assert_int_eq(decode(&sh.layout, &b), -EBADMSG);
	}
}
END_TEST

/* Stored exactly and padded behind, or, at a record's end, not even padded. */
START_TEST(test_raw_sizes)
{
	struct sample_shape last = usual(PEAT_SAMPLE_RAW, false);
	struct sample_shape inside = usual(PEAT_SAMPLE_RAW | PEAT_SAMPLE_CGROUP, true);
	struct bytes b;

	for (uint32_t bytes = 0; bytes < 40; bytes++) {
		last.raw_bytes = bytes;
		inside.raw_bytes = bytes;
		check_shape(&last, bytes % 8);
		check_shape(&inside, bytes % 8);
		build_sample(&b, &last);
		b.len = 8 + 4 + bytes;
		end_record(&b);
		check_decode(&last, &b, 0);
	}
}
END_TEST

START_TEST(test_decodes_registers)
{
	struct sample_shape sh = usual(PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_REGS_INTR, false);
	struct bytes b;

	sh.abi_user = PEAT_REGS_ABI_NONE;
	check_shape(&sh, 0);
	sh.abi_intr = PEAT_REGS_ABI_NONE;
	check_shape(&sh, 0);
	sh.abi_user = PEAT_REGS_ABI_32;
	check_shape(&sh, 0);
	sh.abi_user = 3; /* unknown: what follows cannot be found */
	build_sample(&b, &sh);
	ck_assert_int_eq(decode(&sh.layout, &b), -EBADMSG);

	/* All 64 and none */
	sh = usual(PEAT_SAMPLE_REGS_USER, false);
	sh.layout.regs_user = UINT64_MAX;
	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	put_u64(&b, PEAT_REGS_ABI_64);
	put_words(&b, 0, 63);
	end_record(&b);
	ck_assert_int_eq(decode(&sh.layout, &b), -EBADMSG);
	put_u64(&b, 0);
	end_record(&b);
	ck_assert_int_eq(decode(&sh.layout, &b), 1);
	sh.layout.regs_user = 0;
	b.len = 16;
	end_record(&b);
	ck_assert_int_eq(decode(&sh.layout, &b), 1);
}
END_TEST

START_TEST(test_user_stack)
{
	struct sample_shape sh = usual(PEAT_SAMPLE_STACK_USER | PEAT_SAMPLE_DATA_SRC, false);
	struct bytes b;

	sh.dyn_bytes = 0;
	check_shape(&sh, 0);
	sh.dyn_bytes = sh.stack_bytes;
	check_shape(&sh, 0);
	sh.dyn_bytes = sh.stack_bytes + 1;
	build_sample(&b, &sh);
	ck_assert_int_eq(decode(&sh.layout, &b), -EBADMSG);
	sh.dyn_bytes = UINT64_MAX;
	build_sample(&b, &sh);
	errno = 0;
	ck_assert_int_eq(decode(&sh.layout, &b), -EBADMSG);
	ck_assert_int_eq(errno, EBADMSG);
	sh.stack_bytes = 0;
	check_shape(&sh, 0);
}
END_TEST

/* An empty branch stack has a hw_idx, none at all has not: the size decides. */
START_TEST(test_no_branches)
{
	const uint64_t types[] = { PEAT_SAMPLE_BRANCH_STACK,
				   PEAT_SAMPLE_BRANCH_STACK | PEAT_SAMPLE_WEIGHT,
				   PEAT_SAMPLE_BRANCH_STACK | PEAT_SAMPLE_REGS_USER,
				   PEAT_SAMPLE_BRANCH_STACK | PEAT_SAMPLE_STACK_USER,
				   PEAT_SAMPLE_ALL };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		for (int variant = 0; variant < 8; variant++) {
			struct sample_shape sh = usual(types[i], variant & 1);

			sh.branches = 0;
			sh.no_hw_idx = variant & 2;
			if (variant & 4)
				sh.layout.branch_sample_type = 0;
			check_shape(&sh, 0);
		}
	}
}
END_TEST

static uint64_t decode_hw_idx(const struct sample_shape *sh, const struct bytes *b)
{
	struct peat_record rec = { .sz = sizeof(rec) };

	ck_assert_int_eq(peat_record__decode(&sh->layout, b->at, b->len, &rec), 1);
	ck_assert_uint_eq(rec.sample.branches.nr, 0);
	return rec.sample.branches.hw_idx;
}

/* Where the size does not decide, the hw_idx is there, as the uapi comment has it. */
START_TEST(test_ambiguous_hw_idx)
{
	struct sample_shape sh = usual(PEAT_SAMPLE_BRANCH_STACK | PEAT_SAMPLE_AUX, false);
	struct bytes b;

	/* Both fit: hw_idx 8 and no AUX data, or 8 bytes of it. */
	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	put_u64(&b, 0);
	put_u64(&b, 8);
	put_u64(&b, 0);
	end_record(&b);
	ck_assert_uint_eq(decode_hw_idx(&sh, &b), 8);

	/* Neither does: something unknown follows. */
	put_words(&b, 0x33, 2);
	end_record(&b);
	ck_assert_uint_eq(decode_hw_idx(&sh, &b), 8);
}
END_TEST

START_TEST(test_decodes_weights)
{
	struct sample_shape sh = usual(PEAT_SAMPLE_WEIGHT_STRUCT, _i);
	uint16_t var2, var3;
	struct peat_record rec = { .sz = sizeof(rec) };
	struct bytes b;
	uint32_t var1;

	put_header(&b, PEAT_RECORD_SAMPLE, 0, _i);
	if (bytes__big_endian(&b)) {
		put_u16(&b, 0x3333);
		put_u16(&b, 0x2222);
		put_u32(&b, 0x11111110);
	} else {
		put_u32(&b, 0x11111110);
		put_u16(&b, 0x2222);
		put_u16(&b, 0x3333);
	}
	end_record(&b);
	ck_assert_int_eq(peat_record__decode(&sh.layout, b.at, b.len, &rec), 1);
	peat_sample__weights(&rec.sample, &var1, &var2, &var3);
	ck_assert_uint_eq(var1, 0x11111110);
	ck_assert_uint_eq(var2, 0x2222);
	ck_assert_uint_eq(var3, 0x3333);
}
END_TEST

/* Newer kernels: bits that are unknown here, and their fields behind ours. */
START_TEST(test_unknown_fields)
{
	struct sample_shape sh = usual(PEAT_SAMPLE_ALL & ~PEAT_SAMPLE_BRANCH_STACK, _i);
	struct bytes b;

	build_sample(&b, &sh);
	put_words(&b, UINT64_MAX, 3);
	end_record(&b);
	sh.layout.sample_type |= ~PEAT_SAMPLE_ALL;
	check_decode(&sh, &b, 0);
}
END_TEST

SUITE(4)
{
	tcase_add_loop_test(tests, test_every_bit, 0, 25);
	tcase_add_loop_test(tests, test_all_and_none, 0, 2);
	tcase_add_test(tests, test_random_shapes);
	tcase_add_loop_test(tests, test_read_formats, 0, 32);
	tcase_add_loop_test(tests, test_read_record, 0, 32);
	tcase_add_loop_test(tests, test_truncated_samples_fail, 0, 25);
	tcase_add_loop_test(tests, test_truncations_of_all, 0, 32);
	tcase_add_loop_test(tests, test_hostile_counts, 0, NR_LIES);
	tcase_add_test(tests, test_hostile_raw);
	tcase_add_test(tests, test_raw_sizes);
	tcase_add_test(tests, test_decodes_registers);
	tcase_add_test(tests, test_user_stack);
	tcase_add_test(tests, test_no_branches);
	tcase_add_test(tests, test_ambiguous_hw_idx);
	tcase_add_loop_test(tests, test_decodes_weights, 0, 2);
	tcase_add_loop_test(tests, test_unknown_fields, 0, 2);
}
