/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * stack_ids.h: numbers for user stacks, each stack with a number of its own.  The map of
 * bpf_get_stackid() has one place for each hash: of two stacks with the same place, the second has
 * no number.
 *
 * libpeat finds the frames by the map's name.
 */
#ifndef STACK_IDS_H
#define STACK_IDS_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#define STACK_IDS    16384
#define STACK_DEPTH  64
#define STACK_PROBES 8
#define E2BIG	     7

/* Unused places are 0. */
struct user_stack {
	__u64 frames[STACK_DEPTH];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STACK_IDS);
	__type(key, __u32);
	__type(value, struct user_stack);
} peat_stack_ids SEC(".maps");

/* By thread: its last stack.  A thread can be preempted here, so that it is not by CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, struct user_stack);
} last_stacks SEC(".maps");

static __always_inline struct user_stack *find_last_stack(void)
{
	static const struct user_stack empty; /* too large for the stack */
	__u32 tid = bpf_get_current_pid_tgid();
	struct user_stack *stack = bpf_map_lookup_elem(&last_stacks, &tid);

	if (stack)
		return stack;
	bpf_map_update_elem(&last_stacks, &tid, &empty, BPF_NOEXIST);
	return bpf_map_lookup_elem(&last_stacks, &tid);
}

/* FNV-1a, by words; the upper bits depend on all of them. */
static __always_inline __u32 hash_stack(const struct user_stack *stack)
{
	__u64 hash = 0xcbf29ce484222325;

	for (__u32 i = 0; i < STACK_DEPTH; i++)
		hash = (hash ^ stack->frames[i] ^ hash >> 32) * 0x100000001b3;
	return hash >> 33;
}

static __always_inline bool is_same_stack(const struct user_stack *one,
					  const struct user_stack *other)
{
	__u64 differences = 0;

	for (__u32 i = 0; i < STACK_DEPTH; i++)
		differences |= one->frames[i] ^ other->frames[i];
	return !differences;
}

/* The number of the running task's user stack; -E2BIG: there are too many; or another error. */
static __always_inline __s32 user_stack_id(void *ctx)
{
	struct user_stack *stack = find_last_stack(), *found;
	__u32 id;
	long bytes;

	if (!stack)
		return -E2BIG;
	bytes = bpf_get_stack(ctx, stack, sizeof(*stack), BPF_F_USER_STACK);
	if (bytes < 0)
		return bytes;
	id = hash_stack(stack);
	for (__u32 i = 0; i < STACK_PROBES; i++, id = (id + 1) & 0x7fffffff) {
		found = bpf_map_lookup_elem(&peat_stack_ids, &id);
		if (!found) {
			bpf_map_update_elem(&peat_stack_ids, &id, stack, BPF_NOEXIST);
			found = bpf_map_lookup_elem(&peat_stack_ids, &id);
		}
		if (!found)
			return -E2BIG;
		if (is_same_stack(found, stack))
			return id;
	}
	return -E2BIG;
}

#endif /* STACK_IDS_H */
