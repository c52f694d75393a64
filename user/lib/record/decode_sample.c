/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/decode_sample.c: the body of PERF_RECORD_SAMPLE, field by field.
 *
 * The order is that of perf_output_sample() in the kernel: the comment in its uapi header leaves
 * CGROUP out, and has AUX before the page sizes, but the kernel writes AUX last.
 */
#include "record/decode_sample.h"

#define AFTER_RAW                                                                                  \
	(PEAT_SAMPLE_BRANCH_STACK | PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER |               \
	 PEAT_SAMPLE_WEIGHT | PEAT_SAMPLE_WEIGHT_STRUCT | PEAT_SAMPLE_DATA_SRC |                   \
	 PEAT_SAMPLE_TRANSACTION | PEAT_SAMPLE_REGS_INTR | PEAT_SAMPLE_PHYS_ADDR |                 \
	 PEAT_SAMPLE_CGROUP | PEAT_SAMPLE_DATA_PAGE_SIZE | PEAT_SAMPLE_CODE_PAGE_SIZE |            \
	 PEAT_SAMPLE_AUX)

void peat_read__decode(struct cursor *cur, struct peat_read *read)
{
	uint64_t read_format = cur->layout->read_format;
	uint64_t first = cursor__u64(cur); /* the number of values in a group, else the value */
	bool id = read_format & PEAT_READ_ID;
	bool lost = read_format & PEAT_READ_LOST;

	memset(read, 0, sizeof(*read));
	read->format = read_format & PEAT_READ_ALL;
	if (read_format & PEAT_READ_TOTAL_TIME_ENABLED)
		read->time_enabled_ns = cursor__u64(cur);
	if (read_format & PEAT_READ_TOTAL_TIME_RUNNING)
		read->time_running_ns = cursor__u64(cur);
	if (read_format & PEAT_READ_GROUP) {
		read->count = first;
		read->group = cursor__words(cur, first, 1U + id + lost);
		return;
	}
	read->count = 1;
	read->only.value = first;
	if (id)
		read->only.id = cursor__u64(cur);
	if (lost)
		read->only.lost = cursor__u64(cur);
}

static struct peat_words decode_counted(struct cursor *cur)
{
	uint64_t nr = cursor__u64(cur);

	return cursor__words(cur, nr, 1);
}

static inline void decode_raw(struct cursor *cur, struct peat_sample *s)
{
	uint32_t bytes = cursor__u32(cur);
	uint64_t pad = -(sizeof(bytes) + (uint64_t)bytes) & 7;

	s->raw = cursor__bytes(cur, bytes);
	s->raw_bytes = bytes;

	/*
	 * The kernel counts the padding as payload, so none is left here. Writers of files store
	 * the exact size and pad behind it, those of the last field perhaps not at all.
	 */
	cur->at += pad < cursor__left(cur) ? pad : cursor__left(cur);
}

static void decode_regs(uint64_t mask, struct cursor *cur, struct peat_regs *regs)
{
	uint64_t words = (uint64_t)__builtin_popcountll(mask);

	regs->abi = cursor__u64(cur);
	regs->mask = mask;
	regs->values = cursor__words(cur, regs->abi != PEAT_REGS_ABI_NONE, words);

	/* A future ABI may append to the registers: the rest would be misread. */
	if (regs->abi > PEAT_REGS_ABI_64)
		cursor__fail(cur);
}

static void decode_stack(struct cursor *cur, struct peat_sample *s)
{
	s->stack_user_bytes = cursor__u64(cur);
	s->stack_user = cursor__bytes(cur, s->stack_user_bytes);
	s->stack_user_dyn_bytes = 0;
	if (s->stack_user_bytes == 0)
		return; /* the kernel leaves dyn_size out, too */
	s->stack_user_dyn_bytes = cursor__u64(cur);
	if (s->stack_user_dyn_bytes > s->stack_user_bytes)
		cursor__fail(cur);
}

static void decode_aux(struct cursor *cur, struct peat_sample *s)
{
	s->aux_bytes = cursor__u64(cur);
	s->aux = cursor__bytes(cur, s->aux_bytes);
}

/* The fields after the branch stack. */
static void decode_tail(uint64_t has, struct cursor *cur, struct peat_sample *s)
{
	if (has & PEAT_SAMPLE_REGS_USER)
		decode_regs(cur->layout->regs_user, cur, &s->regs_user);
	if (has & PEAT_SAMPLE_STACK_USER)
		decode_stack(cur, s);
	if (has & (PEAT_SAMPLE_WEIGHT | PEAT_SAMPLE_WEIGHT_STRUCT))
		s->weight = cursor__u64(cur);
	if (has & PEAT_SAMPLE_DATA_SRC)
		s->data_src = cursor__u64(cur);
	if (has & PEAT_SAMPLE_TRANSACTION)
		s->transaction = cursor__u64(cur);
	if (has & PEAT_SAMPLE_REGS_INTR)
		decode_regs(cur->layout->regs_intr, cur, &s->regs_intr);
	if (has & PEAT_SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor__u64(cur);
	if (has & PEAT_SAMPLE_CGROUP)
		s->cgroup = cursor__u64(cur);
	if (has & PEAT_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_bytes = cursor__u64(cur);
	if (has & PEAT_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_bytes = cursor__u64(cur);
	if (has & PEAT_SAMPLE_AUX)
		decode_aux(cur, s);
}

/* True if the tail, decoded from `skip` bytes on, ends where the record ends. */
static bool tail_fits(uint64_t has, struct cursor cur, uint64_t skip, struct peat_sample *scratch)
{
	cursor__bytes(&cur, skip);
	decode_tail(has, &cur, scratch);
	return !cur.bad && cursor__left(&cur) == 0;
}

/*
 * A sample taken without a branch stack (of a software event, say) has nr 0 and, against the uapi
 * comment, no hw_idx; an empty stack has nr 0 and a hw_idx. The record's size tells them apart.
 */
static bool has_hw_idx(uint64_t has, const struct cursor *cur, struct peat_sample *s)
{
	if (!(cur->layout->branch_sample_type & PEAT_BRANCH_HW_INDEX))
		return false;
	if (s->branches.nr > 0)
		return true;
	return tail_fits(has, *cur, sizeof(uint64_t), s) || !tail_fits(has, *cur, 0, s);
}

static void decode_branches(uint64_t has, struct cursor *cur, struct peat_sample *s)
{
	bool counters = cur->layout->branch_sample_type & PEAT_BRANCH_COUNTERS;
	struct peat_branches *b = &s->branches;

	b->nr = cursor__u64(cur);
	b->hw_idx = has_hw_idx(has, cur, s) ? cursor__u64(cur) : UINT64_MAX;
	b->entries = cursor__words(cur, b->nr, 3);
	b->counters = cursor__words(cur, b->nr, counters);
	b->big_endian = cur->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

void peat_sample__decode(struct cursor *cur, struct peat_record *rec)
{
	uint64_t has = cur->layout->sample_type & PEAT_SAMPLE_ALL;
	struct peat_sample *s = &rec->sample;

	rec->has = has;
	peat_sample__decode_head(has, cur, rec);
	if (has & PEAT_SAMPLE_READ)
		peat_read__decode(cur, &s->read);
	if (has & PEAT_SAMPLE_CALLCHAIN)
		s->callchain = decode_counted(cur);
	s->raw = NULL;
	s->raw_bytes = 0;
	if (has & PEAT_SAMPLE_RAW)
		decode_raw(cur, s);
	if (!(has & AFTER_RAW))
		return;
	if (has & PEAT_SAMPLE_BRANCH_STACK)
		decode_branches(has, cur, s);
	decode_tail(has, cur, s);
}
