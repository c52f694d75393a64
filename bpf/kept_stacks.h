/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * kept_stacks.h: stacks of the task in which an operation begins, for the event at its end, which
 * may be in any other task.  Frame pointers find the callers in user space, also with --stacks
 * dwarf: registers and memory of the stack would be too much for a map.
 */
#ifndef KEPT_STACKS_H
#define KEPT_STACKS_H

#include <vmlinux.h>
#include <peat/peat.bpf.h>

#define KEPT_DEPTH 127

struct kept_stacks {
	__u64 kernel_bytes, user_bytes;
	__u64 kernel[KEPT_DEPTH], user[KEPT_DEPTH];
};

/* By operation.  Used only if users select stacks, but the memory is allocated at the load. */
#define KEPT_STACKS(name, entries)                                                                 \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_LRU_HASH);                                               \
		__uint(max_entries, entries);                                                      \
		__type(key, __u64);                                                                \
		__type(value, struct kept_stacks);                                                 \
	} name SEC(".maps")

/* A constant for the verifier: the room for each of the stacks. */
static __always_inline __u64 kept_room(__u32 kind)
{
	__u64 room = peat_stack_depth * 8;

	if (!(peat_stack_kinds & kind))
		return 0;
	return room < KEPT_DEPTH * 8 ? room : KEPT_DEPTH * 8;
}

static __always_inline void keep_stacks(void *ctx, void *map, __u64 operation)
{
	static const struct kept_stacks empty; /* too large for the stack */
	struct kept_stacks *kept;
	long bytes;

	if (!peat_stack_kinds)
		return;
	kept = bpf_map_lookup_elem(map, &operation);
	if (!kept) {
		bpf_map_update_elem(map, &operation, &empty, BPF_NOEXIST);
		kept = bpf_map_lookup_elem(map, &operation);
	}
	if (!kept)
		return;
	kept->kernel_bytes = kept->user_bytes = 0;
	if (kept_room(PEAT_STACK_KERNEL)) {
		bytes = bpf_get_stack(ctx, kept->kernel, kept_room(PEAT_STACK_KERNEL), 0);
		kept->kernel_bytes = bytes > 0 ? bytes : 0;
	}
	if (kept_room(PEAT_STACK_USER | PEAT_STACK_DWARF)) {
		bytes = bpf_get_stack(ctx, kept->user,
				      kept_room(PEAT_STACK_USER | PEAT_STACK_DWARF),
				      PEAT_USER_STACK);
		kept->user_bytes = bytes > 0 ? bytes : 0;
	}
}

/* Copies the stacks of an operation behind the members of its event.  Returns their bytes. */
static __always_inline __u64 copy_kept_stacks(struct peat_stacks *stacks, void *map,
					      __u64 operation)
{
	const struct kept_stacks *kept;
	__u64 kernel = 0, user = 0;
	void *to = stacks->words;

	if (!peat_stack_kinds)
		return 0;
	kept = bpf_map_lookup_elem(map, &operation);
	if (kept) {
		kernel = kept->kernel_bytes;
		user = kept->user_bytes;
	}
	barrier_var(kernel);
	barrier_var(user);
	if (kernel > kept_room(PEAT_STACK_KERNEL) ||
	    (kernel && bpf_probe_read_kernel(to, kernel, kept->kernel)))
		kernel = 0;
	if (user > kept_room(PEAT_STACK_USER | PEAT_STACK_DWARF) ||
	    (user && bpf_probe_read_kernel(to + kernel, user, kept->user)))
		user = 0;
	stacks->kernel_bytes = kernel;
	stacks->user_bytes = user;
	return sizeof(*stacks) + kernel + user;
}

#endif /* KEPT_STACKS_H */
