/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * functions/follow.bpf.h: follows the reads of a plan: fills an event from values.
 *
 * The values are behind the event, in the memory that is reserved for it: before Linux 5.12 the
 * verifier refuses variable places on the stack, and uprobes have little of it.
 */
#ifndef PEAT_FUNCTIONS_FOLLOW_BPF_H
#define PEAT_FUNCTIONS_FOLLOW_BPF_H

#include <peat/peat.bpf.h>

#include "functions/plan.h"

/* A text at the last place of an event may reach behind it. */
#define PLAN_VALUES_AT (PLAN_BYTES + PLAN_TEXT_BYTES)
#define PLAN_ROOM      (PLAN_VALUES_AT + PLAN_SOURCES * sizeof(__u64))

/*
 * All plans together: the most reads, the most steps of one, and all flags (PLAN_TEXTS and
 * PLAN_ABSENT too).  The verifier leaves out the paths that no plan takes: its time is most of the
 * time that a source takes to start.
 */
const volatile __u32 peat_plan_reads = PLAN_READS, peat_plan_steps = PLAN_STEPS;
const volatile __u32 peat_plan_flags = ~0U;

/* Addresses of the upper half are the kernel's; on s390x user and kernel memory cannot be told. */
static __always_inline bool plan_is_user_address(__u64 address)
{
	return (__s64)address >= 0;
}

static __always_inline __u32 plan_flags(const struct plan_read *read)
{
	return read->flags & peat_plan_flags;
}

static __always_inline bool plan_is_text(const struct plan_read *read)
{
	return peat_plan_flags & PLAN_TEXTS && !read->width;
}

static __always_inline bool plan_is_user(const struct plan_read *read, __u64 address, bool is_last)
{
	if (plan_flags(read) & PLAN_BY_PLACE)
		return plan_is_user_address(address);
	return plan_flags(read) & (is_last ? PLAN_USER | PLAN_LAST_USER : PLAN_USER);
}

static __always_inline long plan_read_bytes(void *to, __u64 bytes, __u64 from, bool is_user)
{
	bytes &= 15;
	if (bytes > 8) /* never true: for the verifier */
		bytes = 8;
	return is_user ? bpf_probe_read_user(to, bytes, (void *)from)
		       : bpf_probe_read_kernel(to, bytes, (void *)from);
}

/* The place of a number, aligned: the verifier of a strict machine wants that. */
static __always_inline void *plan_number_at(void *event, const struct plan_read *read)
{
	__u64 to = read->to;

	barrier_var(to);
	return event + (to & (PLAN_BYTES - 1) & (~7ULL | (8 - read->width)));
}

static __always_inline void plan_store(void *to, __u64 value, __u64 width)
{
	if (width == 8)
		*(__u64 *)to = value;
	else if (width == 4)
		*(__u32 *)to = value;
	else if (width == 2)
		*(__u16 *)to = value;
	else
		*(__u8 *)to = value;
}

/* False: a pointer on the way cannot be read. */
static __always_inline bool plan_walk(const struct plan_read *read, __u64 *scratch, __u64 *address)
{
	__u64 steps = read->steps;

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < PLAN_STEPS - 1; i++) {
		if (i + 1 >= peat_plan_steps || i + 1 >= steps)
			break;
		*address += read->offset[i];
		if (plan_read_bytes(scratch, 8, *address, plan_is_user(read, *address, false)))
			return false;
		*address = *scratch;
	}
	*address += read->offset[(steps - 1) & (PLAN_STEPS - 1)];
	return true;
}

/* The text that a __data_loc leads to. */
static __always_inline bool plan_find_text(const __u64 *values, __u32 *scratch, __u64 *address)
{
	if (bpf_probe_read_kernel(scratch, sizeof(*scratch), (void *)*address))
		return false;
	*address = values[PLAN_CTX] + (*scratch & 0xffff);
	return true;
}

static __always_inline bool plan_read_text(void *event, const struct plan_read *read, __u64 *values,
					   __u64 address)
{
	__u64 to = read->to, bytes = read->bytes;
	long err = 0;

	barrier_var(to);
	barrier_var(bytes);
	to &= PLAN_BYTES - 1;
	if (bytes > PLAN_TEXT_BYTES)
		bytes = PLAN_TEXT_BYTES;
	if (plan_flags(read) & PLAN_LOC &&
	    !plan_find_text(values, (__u32 *)&values[PLAN_SCRATCH], &address))
		err = -1;
	else if (plan_flags(read) & PLAN_RAW)
		err = bpf_probe_read_kernel(event + to, bytes, (void *)address);
	else if (plan_is_user(read, address, true))
		err = bpf_probe_read_user_str(event + to, bytes, (void *)address);
	else
		err = bpf_probe_read_kernel_str(event + to, bytes, (void *)address);
	if (err < 0)
		*(__u8 *)(event + to) = 0;
	return err >= 0;
}

static __always_inline bool plan_read_number(void *event, const struct plan_read *read,
					     __u64 address)
{
	void *to = plan_number_at(event, read);

	if (!plan_read_bytes(to, read->width, address, plan_is_user(read, address, true)))
		return true;
	plan_store(to, 0, read->width);
	return false;
}

static __always_inline void plan_mark(void *event, const struct plan_read *read, bool is_present)
{
	__u64 at = read->present_at;
	__u8 *byte;

	if (!(peat_plan_flags & PLAN_ABSENT) || !read->present)
		return;
	barrier_var(at);
	byte = event + (at & (PLAN_BYTES - 1));
	*byte = is_present ? *byte | read->present : *byte & ~read->present;
}

/* Returns whether the value could be read. */
static __always_inline bool plan_follow_read(void *event, __u64 *values,
					     const struct plan_read *read)
{
	__u64 value = values[read->source & (PLAN_SOURCES - 1)];
	bool is_present;

	if (!peat_plan_steps || !read->steps) {
		if (read->source == PLAN_CONSTANT)
			value = (__u32)read->offset[0];
		plan_store(plan_number_at(event, read), value, read->width);
		return true;
	}
	is_present = plan_walk(read, &values[PLAN_SCRATCH], &value);
	if (!is_present)
		value = 0; /* nothing is there: the event's bytes become 0 */
	if (plan_is_text(read))
		is_present = plan_read_text(event, read, values, value);
	else
		is_present = plan_read_number(event, read, value);
	plan_mark(event, read, is_present);
	return is_present;
}

/* Returns the number of reads that failed. */
static __always_inline __u32 plan_follow(void *event, __u64 *values,
					 const struct function_plan *plan)
{
	__u64 reads = plan->reads;
	__u32 failed = 0;

#pragma clang loop unroll(disable)
	for (__u64 i = 0; i < PLAN_READS; i++) {
		if (i >= peat_plan_reads || i >= reads)
			break;
		failed += !plan_follow_read(event, values, &plan->read[i]);
	}
	return failed;
}

#endif /* PEAT_FUNCTIONS_FOLLOW_BPF_H */
