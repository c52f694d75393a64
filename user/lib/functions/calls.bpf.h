/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * functions/calls.bpf.h: keeps calls until they return.
 *
 * A call is found again by its key, the stack pointer in general: a call that never returns, by
 * longjmp() or because its thread ends, is overwritten by the next call from that place, and
 * recursion has a place for each call.  The task keeps the last calls of its own; before
 * Linux 5.12, and where the kernel gives tasks no storage, a hash does, which costs 200 ns more a
 * call.
 */
#ifndef PEAT_FUNCTIONS_CALLS_BPF_H
#define PEAT_FUNCTIONS_CALLS_BPF_H

#include <peat/peat.bpf.h>

#define CALLS_ARGUMENTS 8
#define CALLS_OF_TASK	16   /* that have not returned; a power of two */
#define CALLS_OF_ALL	8192 /* in the hash */

struct call {
	__u64 key; /* the stack pointer, in general; 0: the place is free */
	__u64 sp, time_ns, caller;
	__u64 arguments[CALLS_ARGUMENTS];
	__u32 plan, pad;
};

/* The last calls of a task: a ring, so that calls that never return cost their places only. */
struct calls_of_task {
	__u64 top;
	struct call ring[CALLS_OF_TASK];
};

struct call_key {
	__u64 key, pid_tgid;
};

/* Kernels that have bpf_task_storage_get(). */
const volatile __u32 peat_calls_in_tasks = 0;

struct {
	__uint(type, 29 /* BPF_MAP_TYPE_TASK_STORAGE */);
	__uint(map_flags, 1 /* BPF_F_NO_PREALLOC */);
	__type(key, int);
	__type(value, struct calls_of_task);
} calls_of_tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CALLS_OF_ALL);
	__type(key, struct call_key);
	__type(value, struct call);
} calls_of_all SEC(".maps");

/* ---- in the task ----------------------------------------------------------------------------- */

static __always_inline struct calls_of_task *calls_of_current(__u64 flags)
{
	return bpf_task_storage_get(&calls_of_tasks, bpf_get_current_task_btf(), 0, flags);
}

/* The place of the next call; NULL: no memory. */
static __always_inline struct call *calls_push(void)
{
	struct calls_of_task *calls = calls_of_current(1 /* BPF_LOCAL_STORAGE_GET_F_CREATE */);

	return calls ? &calls->ring[calls->top++ & (CALLS_OF_TASK - 1)] : 0;
}

/* From the last call on; calls above it never returned. */
static __always_inline struct call *calls_pop(__u64 wanted)
{
	struct calls_of_task *calls = calls_of_current(0);
	__u64 top;

	if (!calls)
		return 0;
	top = calls->top;
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < CALLS_OF_TASK; i++) {
		struct call *call = &calls->ring[--top & (CALLS_OF_TASK - 1)];

		if (call->key != wanted)
			continue;
		calls->top = top;
		call->key = 0;
		return call;
	}
	return 0;
}

/* ---- in the hash ----------------------------------------------------------------------------- */

static __always_inline struct call_key calls_key(__u64 key)
{
	return (struct call_key){ key, bpf_get_current_pid_tgid() };
}

static __always_inline bool calls_keep_in_hash(const struct call *call)
{
	struct call_key key = calls_key(call->key);

	return !bpf_map_update_elem(&calls_of_all, &key, call, BPF_ANY);
}

static __always_inline struct call *calls_find_in_hash(__u64 wanted)
{
	struct call_key key = calls_key(wanted);

	return bpf_map_lookup_elem(&calls_of_all, &key);
}

/* ---- either ---------------------------------------------------------------------------------- */

/* False: there is no place for it. */
static __always_inline bool calls_keep(const struct call *call)
{
	struct call *place = peat_calls_in_tasks ? calls_push() : 0;

	if (!place)
		return calls_keep_in_hash(call);
	*place = *call;
	return true;
}

/* NULL: it is not known. */
static __always_inline struct call *calls_find(__u64 wanted, bool *in_hash)
{
	struct call *call = peat_calls_in_tasks ? calls_pop(wanted) : 0;

	*in_hash = !call;
	return call ? call : calls_find_in_hash(wanted);
}

/* After the last use of the call that was found. */
static __always_inline void calls_forget(__u64 found)
{
	struct call_key key = calls_key(found);

	bpf_map_delete_elem(&calls_of_all, &key);
}

#endif /* PEAT_FUNCTIONS_CALLS_BPF_H */
