/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sample_shape.h: builds samples of any sample_type for test_sample.c, and knows what is in them.
 */
#ifndef TESTS_UNIT_RECORD_SAMPLE_SHAPE_H
#define TESTS_UNIT_RECORD_SAMPLE_SHAPE_H

#include <check.h>

#include "record_bytes.h"

#define REGS_USER ((1ULL << 0) | (1ULL << 7) | (1ULL << 63))
#define REGS_INTR 0xff0ULL

/* What varies inside a sample of a given sample_type. */
struct sample_shape {
	struct peat_layout layout;
	unsigned int group, ips, branches; /* how many of each */
	uint64_t abi_user, abi_intr;
	uint64_t stack_bytes, dyn_bytes, aux_bytes;
	uint32_t raw_bytes;
	bool no_hw_idx; /* as without a branch stack */
};

static inline struct sample_shape usual(uint64_t sample_type, bool swapped)
{
	struct sample_shape sh;

	memset(&sh, 0, sizeof(sh));
	sh.layout.sample_type = sample_type;
	sh.layout.branch_sample_type = PEAT_BRANCH_HW_INDEX | PEAT_BRANCH_COUNTERS | 9;
	sh.layout.regs_user = REGS_USER;
	sh.layout.regs_intr = REGS_INTR;
	sh.layout.swapped = swapped;
	sh.group = 3;
	sh.ips = 5;
	sh.branches = 2;
	sh.abi_user = PEAT_REGS_ABI_64;
	sh.abi_intr = PEAT_REGS_ABI_32;
	sh.stack_bytes = 64;
	sh.dyn_bytes = 40;
	sh.aux_bytes = 24;
	sh.raw_bytes = 36;
	return sh;
}

static inline void put_read(struct bytes *b, uint64_t format, unsigned int group)
{
	put_u64(b, format & PEAT_READ_GROUP ? group : 1000);
	if (format & PEAT_READ_TOTAL_TIME_ENABLED)
		put_u64(b, 0xe0e1e2e3e4e5e6e7);
	if (format & PEAT_READ_TOTAL_TIME_RUNNING)
		put_u64(b, 0xd0d1d2d3d4d5d6d7);
	for (unsigned int i = 0; i < (format & PEAT_READ_GROUP ? group : 1); i++) {
		if (format & PEAT_READ_GROUP)
			put_u64(b, 1000 + i);
		if (format & PEAT_READ_ID)
			put_u64(b, 2000 + i);
		if (format & PEAT_READ_LOST)
			put_u64(b, 3000 + i);
	}
}

static inline void check_read_values(const struct peat_read *r, uint64_t format, unsigned int group)
{
	bool enabled = format & PEAT_READ_TOTAL_TIME_ENABLED;
	bool running = format & PEAT_READ_TOTAL_TIME_RUNNING;

	ck_assert_uint_eq(r->format, format);
	ck_assert_uint_eq(r->time_enabled_ns, enabled ? 0xe0e1e2e3e4e5e6e7 : 0);
	ck_assert_uint_eq(r->time_running_ns, running ? 0xd0d1d2d3d4d5d6d7 : 0);
	ck_assert_uint_eq(r->count, format & PEAT_READ_GROUP ? group : 1);
	for (unsigned int i = 0; i < r->count; i++) {
		struct peat_read_value v = peat_read__at(r, i);

		ck_assert_uint_eq(v.value, 1000 + i);
		ck_assert_uint_eq(v.id, format & PEAT_READ_ID ? 2000 + i : 0);
		ck_assert_uint_eq(v.lost, format & PEAT_READ_LOST ? 3000 + i : 0);
	}
}

static inline void put_ids(struct bytes *b, uint64_t has)
{
	if (has & PEAT_SAMPLE_IDENTIFIER)
		put_u64(b, 0x1d1d1d1d00000001);
	if (has & PEAT_SAMPLE_IP)
		put_u64(b, 0xffffffff81000001);
	if (has & PEAT_SAMPLE_TID) {
		put_u32(b, 0x01020304);
		put_u32(b, 0x05060708);
	}
	if (has & PEAT_SAMPLE_TIME)
		put_u64(b, 0x1122334455667788);
	if (has & PEAT_SAMPLE_ADDR)
		put_u64(b, 0xaddaddaddaddadd1);
	if (has & PEAT_SAMPLE_ID)
		put_u64(b, 0x1d1d1d1d00000001);
	if (has & PEAT_SAMPLE_STREAM_ID)
		put_u64(b, 0x57eea1d);
	if (has & PEAT_SAMPLE_CPU) {
		put_u32(b, 0x00000107);
		put_u32(b, 0x00bad000);
	}
	if (has & PEAT_SAMPLE_PERIOD)
		put_u64(b, 0x4e11d0);
}

static inline void check_ids(const struct peat_record *rec, uint64_t has)
{
	bool id = has & (PEAT_SAMPLE_ID | PEAT_SAMPLE_IDENTIFIER);
	bool tid = has & PEAT_SAMPLE_TID;

	ck_assert_uint_eq(rec->has, has);
	ck_assert_uint_eq(rec->id, id ? 0x1d1d1d1d00000001 : 0);
	ck_assert_uint_eq(rec->pid, tid ? 0x01020304 : 0);
	ck_assert_uint_eq(rec->tid, tid ? 0x05060708 : 0);
	ck_assert_uint_eq(rec->time_ns, has & PEAT_SAMPLE_TIME ? 0x1122334455667788 : 0);
	ck_assert_uint_eq(rec->stream_id, has & PEAT_SAMPLE_STREAM_ID ? 0x57eea1d : 0);
	ck_assert_uint_eq(rec->cpu, has & PEAT_SAMPLE_CPU ? 0x107 : 0);
	if (has & PEAT_SAMPLE_IP)
		ck_assert_uint_eq(rec->sample.ip, 0xffffffff81000001);
	if (has & PEAT_SAMPLE_ADDR)
		ck_assert_uint_eq(rec->sample.addr, 0xaddaddaddaddadd1);
	if (has & PEAT_SAMPLE_PERIOD)
		ck_assert_uint_eq(rec->sample.period, 0x4e11d0);
}

static inline void put_counted_bytes(struct bytes *b, uint64_t bytes, uint8_t first)
{
	for (uint64_t i = 0; i < bytes; i++)
		put(b, first + i, 1);
}

static inline void check_bytes(const void *at, uint64_t bytes, uint8_t first)
{
	uint64_t same = 0;

	while (same < bytes && ((const uint8_t *)at)[same] == (uint8_t)(first + same))
		same++;
	ck_assert_uint_eq(same, bytes);
}

static inline void check_words(const struct peat_words *w, uint64_t first, uint64_t count)
{
	uint64_t same = 0;

	ck_assert_uint_eq(w->count, count);
	while (same < count && peat_words__at(w, same) == first + same)
		same++;
	ck_assert_uint_eq(same, count);
}

/* The flags of struct perf_branch_entry, where each byte order's compiler puts the bit-fields. */
static inline uint64_t branch_flags(bool big_endian)
{
	static const struct {
		unsigned int value, width;
	} fields[] = { { 0, 1 }, { 1, 1 }, { 1, 1 },  { 0, 1 }, { 0x9a5c, 16 },
		       { 6, 4 }, { 1, 2 }, { 11, 4 }, { 5, 3 }, { 0, 31 } };
	unsigned int at = 0;
	uint64_t flags = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		unsigned int shift = big_endian ? 64 - at - fields[i].width : at;

		flags |= (uint64_t)fields[i].value << shift;
		at += fields[i].width;
	}
	return flags;
}

static inline void put_branches(struct bytes *b, const struct sample_shape *sh)
{
	put_u64(b, sh->branches);
	if (sh->layout.branch_sample_type & PEAT_BRANCH_HW_INDEX && !sh->no_hw_idx)
		put_u64(b, 0x1f);
	for (unsigned int i = 0; i < sh->branches; i++) {
		put_u64(b, 0xf000 + i);
		put_u64(b, 0x7000 + i);
		put_u64(b, branch_flags(bytes__big_endian(b)));
	}
	if (sh->layout.branch_sample_type & PEAT_BRANCH_COUNTERS)
		put_words(b, 0xc000, sh->branches);
}

static inline void check_branches(const struct peat_branches *br, const struct sample_shape *sh)
{
	bool hw_idx = sh->layout.branch_sample_type & PEAT_BRANCH_HW_INDEX && !sh->no_hw_idx;
	bool counters = sh->layout.branch_sample_type & PEAT_BRANCH_COUNTERS;

	ck_assert_uint_eq(br->nr, sh->branches);
	ck_assert_uint_eq(br->hw_idx, hw_idx ? 0x1f : UINT64_MAX);
	check_words(&br->counters, 0xc000, counters ? sh->branches : 0);
	for (unsigned int i = 0; i < sh->branches; i++) {
		struct peat_branch b = peat_branches__at(br, i);

		ck_assert_uint_eq(b.from, 0xf000 + i);
		ck_assert_uint_eq(b.to, 0x7000 + i);
		ck_assert(!b.mispred && b.predicted && b.in_tx && !b.abort);
		ck_assert_uint_eq(b.cycles, 0x9a5c);
		ck_assert_uint_eq(b.type, 6);
		ck_assert_uint_eq(b.spec, 1);
		ck_assert_uint_eq(b.new_type, 11);
		ck_assert_uint_eq(b.priv, 5);
	}
}

static inline void put_payloads(struct bytes *b, const struct sample_shape *sh, uint64_t has)
{
	if (has & PEAT_SAMPLE_READ)
		put_read(b, sh->layout.read_format, sh->group);
	if (has & PEAT_SAMPLE_CALLCHAIN) {
		put_u64(b, sh->ips);
		put_words(b, PEAT_CONTEXT_USER, sh->ips);
	}
	if (has & PEAT_SAMPLE_RAW) {
		put_u32(b, sh->raw_bytes);
		put_counted_bytes(b, sh->raw_bytes, 0x40);
		while (b->len % 8)
			put(b, 0, 1);
	}
	if (has & PEAT_SAMPLE_BRANCH_STACK)
		put_branches(b, sh);
	if (has & PEAT_SAMPLE_REGS_USER) {
		put_u64(b, sh->abi_user);
		put_words(b, 0x11e65, sh->abi_user ? 3 : 0);
	}
	if (has & PEAT_SAMPLE_STACK_USER) {
		put_u64(b, sh->stack_bytes);
		put_counted_bytes(b, sh->stack_bytes, 0x80);
		if (sh->stack_bytes)
			put_u64(b, sh->dyn_bytes);
	}
}

static inline void check_payloads(const struct peat_sample *s, const struct sample_shape *sh,
				  uint64_t has)
{
	if (has & PEAT_SAMPLE_READ)
		check_read_values(&s->read, sh->layout.read_format, sh->group);
	if (has & PEAT_SAMPLE_CALLCHAIN)
		check_words(&s->callchain, PEAT_CONTEXT_USER, sh->ips);
	if (has & PEAT_SAMPLE_RAW) {
		ck_assert_uint_eq(s->raw_bytes, sh->raw_bytes);
		check_bytes(s->raw, sh->raw_bytes, 0x40);
	} else {
		ck_assert_ptr_null(s->raw);
		ck_assert_uint_eq(s->raw_bytes, 0);
	}
	if (has & PEAT_SAMPLE_BRANCH_STACK)
		check_branches(&s->branches, sh);
	if (has & PEAT_SAMPLE_REGS_USER) {
		ck_assert_uint_eq(s->regs_user.abi, sh->abi_user);
		ck_assert_uint_eq(s->regs_user.mask, REGS_USER);
		check_words(&s->regs_user.values, 0x11e65, sh->abi_user ? 3 : 0);
	}
	if (has & PEAT_SAMPLE_STACK_USER) {
		ck_assert_uint_eq(s->stack_user_bytes, sh->stack_bytes);
		ck_assert_uint_eq(s->stack_user_dyn_bytes, sh->stack_bytes ? sh->dyn_bytes : 0);
		check_bytes(s->stack_user, sh->stack_bytes, 0x80);
	}
}

static inline void put_hardware(struct bytes *b, const struct sample_shape *sh, uint64_t has)
{
	if (has & (PEAT_SAMPLE_WEIGHT | PEAT_SAMPLE_WEIGHT_STRUCT)) {
		/* The union's halves change places with the byte order, so that the u64 is one. */
		put_u64(b, 0xaaaabbbbccccdddd);
	}
	if (has & PEAT_SAMPLE_DATA_SRC)
		put_u64(b, 0x68100142);
	if (has & PEAT_SAMPLE_TRANSACTION)
		put_u64(b, 0x7a00000002);
	if (has & PEAT_SAMPLE_REGS_INTR) {
		put_u64(b, sh->abi_intr);
		put_words(b, 0x12e65, sh->abi_intr ? 8 : 0);
	}
	if (has & PEAT_SAMPLE_PHYS_ADDR)
		put_u64(b, 0x98badd);
	if (has & PEAT_SAMPLE_CGROUP)
		put_u64(b, 0xc9);
	if (has & PEAT_SAMPLE_DATA_PAGE_SIZE)
		put_u64(b, 0x200000);
	if (has & PEAT_SAMPLE_CODE_PAGE_SIZE)
		put_u64(b, 0x1000);
	if (has & PEAT_SAMPLE_AUX) {
		put_u64(b, sh->aux_bytes);
		put_counted_bytes(b, sh->aux_bytes, 0xa0);
	}
}

static inline void check_hardware(const struct peat_sample *s, const struct sample_shape *sh,
				  uint64_t has)
{
	if (has & (PEAT_SAMPLE_WEIGHT | PEAT_SAMPLE_WEIGHT_STRUCT))
		ck_assert_uint_eq(s->weight, 0xaaaabbbbccccdddd);
	if (has & PEAT_SAMPLE_DATA_SRC)
		ck_assert_uint_eq(s->data_src, 0x68100142);
	if (has & PEAT_SAMPLE_TRANSACTION)
		ck_assert_uint_eq(s->transaction, 0x7a00000002);
	if (has & PEAT_SAMPLE_REGS_INTR) {
		ck_assert_uint_eq(s->regs_intr.abi, sh->abi_intr);
		ck_assert_uint_eq(s->regs_intr.mask, REGS_INTR);
		check_words(&s->regs_intr.values, 0x12e65, sh->abi_intr ? 8 : 0);
	}
	if (has & PEAT_SAMPLE_PHYS_ADDR)
		ck_assert_uint_eq(s->phys_addr, 0x98badd);
	if (has & PEAT_SAMPLE_CGROUP)
		ck_assert_uint_eq(s->cgroup, 0xc9);
	if (has & PEAT_SAMPLE_DATA_PAGE_SIZE)
		ck_assert_uint_eq(s->data_page_bytes, 0x200000);
	if (has & PEAT_SAMPLE_CODE_PAGE_SIZE)
		ck_assert_uint_eq(s->code_page_bytes, 0x1000);
	if (has & PEAT_SAMPLE_AUX) {
		ck_assert_uint_eq(s->aux_bytes, sh->aux_bytes);
		check_bytes(s->aux, sh->aux_bytes, 0xa0);
	}
}

static inline void build_sample(struct bytes *b, const struct sample_shape *sh)
{
	uint64_t has = sh->layout.sample_type & PEAT_SAMPLE_ALL;

	put_header(b, PEAT_RECORD_SAMPLE, PEAT_MISC_USER | PEAT_MISC_EXACT_IP, sh->layout.swapped);
	put_ids(b, has);
	put_payloads(b, sh, has);
	put_hardware(b, sh, has);
	end_record(b);
}

#endif /* TESTS_UNIT_RECORD_SAMPLE_SHAPE_H */
