// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * session/descendants.bpf.c: keeps the set of the processes that descend from one process, a byte
 * per process id.  A process joins the set, or does not, before it runs, and never leaves it:
 * events of a process that has ended are still recognized.  Its id is written again when another
 * process gets it.
 *
 * Both maps are the same one unless the session is in a pid namespace: peat_descendants has the ids
 * that programs send, peat_own_descendants those of the kernel's records, which are the session's.
 */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <peat/wire.h>

#include "channel/pid_numbers.bpf.h"

/* The kernel types that are read, independent of vmlinux.h. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head___peat {
	struct list_head___peat *next, *prev;
};

struct task_struct___peat {
	int pid;
	struct list_head___peat children, sibling;
	struct pid___peat *thread_pid;
};

#pragma clang attribute pop

#define BYTES                                                                                      \
	__uint(type, BPF_MAP_TYPE_ARRAY);                                                          \
	__uint(map_flags, BPF_F_MMAPABLE);                                                         \
	__uint(max_entries, PEAT_PIDS / PEAT_PIDS_PER_ELEMENT);                                    \
	__uint(key_size, sizeof(__u32));                                                           \
	__uint(value_size, PEAT_PIDS_PER_ELEMENT)

struct {
	BYTES;
} peat_descendants SEC(".maps");

struct {
	BYTES;
} peat_own_descendants SEC(".maps");

/* The session's pid namespace, and its depth below the initial one. */
__u32 own_level;
void *own_namespace;

static __always_inline __u8 *byte_of(void *map, __u32 pid)
{
	__u32 element = pid / PEAT_PIDS_PER_ELEMENT;
	__u8 *bytes = bpf_map_lookup_elem(map, &element);
	__u64 at = pid;

	barrier_var(at);
	return bytes ? bytes + at % PEAT_PIDS_PER_ELEMENT : 0;
}

/* The task's id in the session's pid namespace; 0: the task is outside. */
static __always_inline __u32 own_number(const struct task_struct___peat *task)
{
	const struct pid___peat *pid = BPF_CORE_READ(task, thread_pid);
	struct upid___peat number = {};

	if (BPF_CORE_READ(pid, level) < own_level)
		return 0;
	pid_numbers__read(pid, own_level, &number);
	return number.ns == own_namespace ? number.nr : 0;
}

static __always_inline void mark(const struct task_struct___peat *task, __u8 is_member)
{
	__u8 *byte = byte_of(&peat_descendants, BPF_CORE_READ(task, pid));
	__u32 own = own_number(task);

	if (byte)
		*byte = is_member;
	byte = own ? byte_of(&peat_own_descendants, own) : 0;
	if (byte)
		*byte = is_member;
}

/* Runs before the child does.  A new thread sets the byte of its own id, which no process has. */
SEC("raw_tp")
int peat_follow_fork(struct bpf_raw_tracepoint_args *ctx)
{
	const __u8 *parent = byte_of(&peat_descendants, bpf_get_current_pid_tgid() >> 32);

	mark((void *)ctx->args[1], parent && *parent);
	return 0;
}

#define CHILDREN_MAX 64

/*
 * Adds the child of the running task that has this id in its pid namespace, args[0]; the youngest
 * children are tested.  Returns 1 if it was found.
 */
SEC("raw_tp")
int peat_add_child(struct bpf_raw_tracepoint_args *ctx)
{
	const struct task_struct___peat *self = (void *)bpf_get_current_task(), *child;
	const struct pid___peat *pid = BPF_CORE_READ(self, thread_pid);
	const struct list_head___peat *at = BPF_CORE_READ(self, children.prev);
	struct upid___peat number = {};

	own_level = BPF_CORE_READ(pid, level);
	pid_numbers__read(pid, own_level, &number);
	own_namespace = number.ns;
	for (int i = 0; i < CHILDREN_MAX; i++) {
		child = (void *)at - bpf_core_field_offset(struct task_struct___peat, sibling);
		if (at == __builtin_preserve_access_index(&self->children))
			return 0;
		if (own_number(child) == ctx->args[0]) {
			mark(child, 1);
			return 1;
		}
		at = BPF_CORE_READ(child, sibling.prev);
	}
	return 0;
}

char peat_license[] SEC("license") = "Dual BSD/GPL";
