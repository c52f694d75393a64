/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * impl.bpf.h: the implementation of the macros of peat.bpf.h, which includes it: slots and their
 * locks, filters, events.  Programs do not use its names.
 */
#ifndef PEAT_IMPL_BPF_H
#define PEAT_IMPL_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <peat/settings.bpf.h>
#include <peat/select.bpf.h>
#include <peat/stacks.bpf.h>
#include <peat/wire.h>

/* BPF_CORE_READ() of libbpf declares a variable of the member's type, which is const if the pointer
 * is one to const.  clang warns of that from version 21 on, also in programs that include this
 * file.
 */
#if __clang_major__ >= 21
#pragma clang diagnostic ignored "-Wdefault-const-init-var-unsafe"
#endif

/* ---- implementation -------------------------------------------------------------------------- */

/*
 * Defines a static pointer to an array of `max` T, for the object's BTF.  It makes the event types
 * and their sizes readable from the object alone.  It is in .rodata, since libbpf prints a message
 * for each section that it does not know.
 */
#define PEAT_JOIN_(a, b) a##b
#define PEAT_JOIN(a, b)	 PEAT_JOIN_(a, b)
#define PEAT_NOTE_TYPE(T, max)                                                                     \
	static T(*const volatile PEAT_JOIN(peat_note_, __COUNTER__))[max] SEC(".rodata")           \
		__attribute__((used)) = 0
#define PEAT_TYPE(T) (peat_type_base + bpf_core_type_id_local(T))

/* The event's size without stacks.  The loader adds the room for those. */
#define PEAT_STACKS_AT_(T) __builtin_offsetof(T, stack)
#define PEAT_NOTE_STACKS_(T)                                                                       \
	_Static_assert(PEAT_STACKS_AT_(T) + sizeof(struct peat_stacks) == sizeof(T),               \
		       "PEAT_STACKS is not the last member of " #T);                               \
	PEAT_NOTE_TYPE(T, sizeof(T))

/* The BTF id of an event's struct; 0 for a void *, whose head has it.  A void * is not
 * dereferenced, not even in the branch that is not selected: compilers reject that. */
/* clang-format off */
#define PEAT_STRUCT_OF_(event)                                                                     \
	typeof(*_Generic((event),                                                                  \
		 void *: (char *)0,                                                                \
		 default: (event)))
#define PEAT_TYPE_OF(event)                                                                        \
	_Generic((event),                                                                          \
		 void *: 0,                                                                        \
		 default: bpf_core_type_id_local(PEAT_STRUCT_OF_(event)))
/* clang-format on */

_Static_assert(sizeof(struct peat_slot) == PEAT_SLOT_HEAD_BYTES, "user space knows it so");

#define PEAT_DATA_BYTES	  (peat_slot_bytes - PEAT_SLOT_HEAD_BYTES)
#define PEAT_NO_TID	  0xffffffff
#define PEAT_EVENT_ROOM	  (PEAT_DATA_BYTES - 16) /* size of the largest payload */
#define PEAT_PADDED(size) ((peat_head_bytes + (size) + 7) & ~7ULL)

/* Errors of bpf_perf_event_output(), Linux 6.1 to 7.2. */
#define PEAT_ENOENT	2  /* the CPU's slot of the array is empty */
#define PEAT_EBUSY	16 /* nested more than 3 deep */
#define PEAT_ENOSPC	28 /* the ring is full, paused, or not mapped */
#define PEAT_EOPNOTSUPP 95 /* the event no longer works: its CPU was offline */

static __always_inline struct peat_slot *peat_slot_at(__u32 index)
{
	return bpf_map_lookup_elem(&peat_stage, &index);
}

static __always_inline struct peat_slot *peat_first_slot(void)
{
	return peat_slot_at(bpf_get_smp_processor_id() * PEAT_SLOTS);
}

/*
 * Locks the slot of this CPU with this index, whose lock is `free`: 0, or PEAT_LOCK_ARMED.  False:
 * it is locked already.
 *
 * With plain locks, the compare-and-swap is a load, and the store after it locks the slot.  No
 * other CPU locks it, and on these kernels programs do not preempt each other: only a program that
 * interrupts this one can run between the load and the store, and it unlocks the slots that it
 * locks before it returns.
 */
static __always_inline bool peat_lock_from(struct peat_slot *s, __u32 index, __u32 free)
{
	if (__sync_val_compare_and_swap(&s->lock, free, index + 1) != free)
		return false;
	if (peat_plain_locks)
		*(volatile __u32 *)&s->lock = index + 1;
	return true;
}

static __always_inline bool peat_lock(struct peat_slot *s, __u32 index)
{
	return peat_lock_from(s, index, 0);
}

/*
 * Unlocks a slot, to 0 or PEAT_LOCK_ARMED.  A reader on another CPU may lock it as soon as it reads
 * 0, so all stores to the slot have to be visible before.  An exchange is a full barrier; on
 * machines with ordered stores a plain store is enough.  Programs that interrupt each other on this
 * CPU need only the compiler's order.
 */
static __always_inline void peat_unlock_to(struct peat_slot *s, __u32 free)
{
	asm volatile("" ::: "memory");
	if (peat_ordered_stores)
		*(volatile __u32 *)&s->lock = free;
	else
		__sync_lock_test_and_set(&s->lock, free);
}

static __always_inline void peat_unlock(struct peat_slot *s)
{
	peat_unlock_to(s, 0);
}

/*
 * Increments a counter of a slot that the caller has not locked: others may do so concurrently.
 * The result is used, or clang chooses an addition without one, which arm64 does not order before
 * later loads: peat_wake_for_loss() would miss that the reader has armed the slot.  Before Linux
 * 5.12 the loader replaces it by that addition.
 */
#define peat_count(counter)                                                                        \
	({                                                                                         \
		__u64 before_ = __sync_fetch_and_add(&(counter), 1);                               \
		asm volatile("" : : "r"(before_));                                                 \
	})

/* Writes the frame head before the slot's events.  The caller has locked the slot. */
static __always_inline void peat_fill_head(struct peat_slot *s)
{
	s->frame.version = PEAT_WIRE_VERSION;
	s->frame.flags = (s->lock - 1) & PEAT_FRAME_SLOT;
	s->frame.count = s->count;
	s->frame.time_ns = s->time_ns;
	s->frame.seq = s->seq - s->count;
}

/* Writes the slot's events to the CPU's element of `array`, as one frame. */
static __always_inline int peat_write_frame(void *ctx, struct peat_slot *s, void *array)
{
	__u64 len = s->len, count = s->count;
	long err;

	if (!len)
		return 0;
	if (len > PEAT_DATA_BYTES) /* never true; for the verifier */
		len = PEAT_DATA_BYTES;
	peat_fill_head(s);
	s->frames++;
	err = bpf_perf_event_output(ctx, array, BPF_F_CURRENT_CPU, &s->frame,
				    PEAT_FRAME_HEAD_BYTES + len);
	if (err == -PEAT_ENOSPC) {
		s->lost_ring_full += count;
		s->frames_ring_full++;
	} else if (err == -PEAT_ENOENT || err == -PEAT_EOPNOTSUPP) {
		s->lost_no_ring += count;
	} else if (err) {
		s->lost_other += count;
	}
	s->len = 0;
	s->count = 0;
	return 0;
}

/* Writes the slot's events to the ring, as one frame.  The caller has locked the slot. */
static __noinline int peat_flush_(void *ctx, struct peat_slot *s)
{
	return peat_write_frame(ctx, s, &peat_ring);
}

/* ---- waking a reader that sleeps ------------------------------------------------------------- */

/* Writes an empty frame, which wakes the reader.  The caller has locked the slot, which is empty.
 */
static __noinline int peat_ring_bell_(void *ctx, struct peat_slot *s)
{
	peat_fill_head(s);
	return bpf_perf_event_output(ctx, &peat_ring, peat_bells + bpf_get_smp_processor_id(),
				     &s->frame, PEAT_FRAME_HEAD_BYTES);
}

/*
 * Locks an armed slot and rings the bell.  No barrier is needed beyond the lock's: the reader armed
 * the slot by the same word, so it cannot miss an event that is staged from now on.
 *
 * Other errors than EBUSY need no wakeup: a ring that is full has woken the reader before, a reader
 * that pauses its rings stays awake, and a CPU without a ring has no reader, or one that looks at
 * all slots when the CPU's ring is opened.
 */
static __always_inline bool peat_lock_armed(void *ctx, struct peat_slot *s, __u32 index)
{
	if (!peat_bells ||
	    __sync_val_compare_and_swap(&s->lock, PEAT_LOCK_ARMED, index + 1) != PEAT_LOCK_ARMED)
		return false;
	if (peat_ring_bell_(ctx, s) != -PEAT_EBUSY)
		return true;
	__sync_lock_test_and_set(&s->lock, PEAT_LOCK_ARMED);
	return false;
}

/*
 * Where programs test or count events, most of them end there, and the reader sleeps on.  So the
 * slot's delta_ns keeps that it was armed, until the event is staged or lost, which rings the bell.
 */
static __always_inline __u32 peat_free_lock(const struct peat_slot *s)
{
	return peat_bells ? *(const volatile __u32 *)&s->lock & PEAT_LOCK_ARMED : 0;
}

/* False: the kernel allows no deeper nested write, and the reader sleeps on. */
static __always_inline bool peat_wake_late(void *ctx, struct peat_slot *s)
{
	if (!s->delta_ns)
		return true;
	if (peat_ring_bell_(ctx, s) == -PEAT_EBUSY)
		return false;
	s->delta_ns = 0;
	return true;
}

/* For a loss that is counted without a lock.  It was counted before, by an atomic operation. */
static __always_inline void peat_wake_for_loss(void *ctx, struct peat_slot *s, __u32 index)
{
	if (peat_lock_armed(ctx, s, index))
		peat_unlock(s);
}

/* ---- locking and losses ---------------------------------------------------------------------- */

/*
 * Locks a slot of the CPU: the first one is armed, or locked by a program that this one interrupted
 * or by the reader.
 */
static __noinline struct peat_slot *peat_find_slot_(void *ctx, __u32 index)
{
	struct peat_slot *s;

	for (__u32 i = 0; i < PEAT_SLOTS; i++) {
		s = peat_slot_at(index + i);
		if (!s)
			return 0;
		if (peat_lock(s, index + i) || peat_lock_armed(ctx, s, index + i))
			return s;
	}
	s = peat_slot_at(index);
	if (s)
		peat_count(s->lost_nested);
	return 0;
}

/* True if this second's events are used up.  The CPU's first slot has the count. */
static __noinline bool peat_throttle_(void *ctx, struct peat_slot *first, __u32 index)
{
	__u64 now = bpf_ktime_get_ns();

	if (now - first->rate_start_ns >= 1000000000) {
		first->rate_start_ns = now;
		first->rate_count = 0;
	}
	/* In two steps, since before Linux 5.12 the first has no result.  An interrupt in between
	 * can throttle one event too many. */
	__sync_fetch_and_add(&first->rate_count, 1);
	if (*(volatile __u64 *)&first->rate_count <= peat_max_rate)
		return false;
	peat_count(first->lost_throttled);
	peat_wake_for_loss(ctx, first, index);
	return true;
}

static __noinline void *peat_too_big_(void *ctx, struct peat_slot *s, __u32 index)
{
	peat_count(s->lost_too_big);
	peat_wake_for_loss(ctx, s, index);
	return 0;
}

static __noinline int peat_misuse_(void)
{
	struct peat_slot *s = peat_first_slot();

	if (s)
		peat_count(s->misuse);
	return 0;
}

/* ---- filters --------------------------------------------------------------------------------- */

/* The helpers of an unset filter are dead code, which the verifier accepts in all program types. */
static __always_inline bool peat_filters_by(__u32 filter)
{
	return peat_filters & filter;
}

static __always_inline bool peat_cpu_is_out(void)
{
	__u64 cpu = bpf_get_smp_processor_id();

	barrier_var(cpu);
	return cpu >= PEAT_CPUS_MAX || !(peat_filter_cpus[cpu / 64] >> (cpu % 64) & 1);
}

static __always_inline bool peat_is_descendant(__u32 tgid)
{
	__u32 element = tgid / PEAT_PIDS_PER_ELEMENT;
	const __u8 *bytes = bpf_map_lookup_elem(&peat_descendants, &element);
	__u64 at = tgid;

	barrier_var(at);
	return bytes && bytes[at % PEAT_PIDS_PER_ELEMENT];
}

static __always_inline bool peat_ids_are_out(__u32 tgid, __u32 tid)
{
	return (peat_filters_by(PEAT_FILTER_PID) && tgid != peat_filter_pid) ||
	       (peat_filters_by(PEAT_FILTER_TID) && tid != peat_filter_tid) ||
	       (peat_filters_by(PEAT_FILTER_ANCESTOR) && !peat_is_descendant(tgid));
}

static __always_inline bool peat_comm_is_out(const __u64 *comm)
{
	const volatile __u64 *wanted = (const volatile __u64 *)peat_filter_comm;

	return comm[0] != wanted[0] || comm[1] != wanted[1];
}

static __always_inline bool peat_cgroup_is_out(void)
{
	if (peat_filter_by_map)
		return bpf_current_task_under_cgroup(&peat_cgroup, 0) != 1;
	return bpf_get_current_ancestor_cgroup_id(peat_filter_cgroup_level) != peat_filter_cgroup;
}

/* The reader adds the cgroups that it does not want; events of new ones are sent. */
static __always_inline bool peat_is_left_out(__u64 cgroup)
{
	return bpf_map_lookup_elem(&peat_left_out, &cgroup);
}

static __always_inline bool peat_current_is_out(void)
{
	__u64 comm[2] = {}, pid_tgid = 0;

	if (peat_filters_by(PEAT_FILTER_CPU) && peat_cpu_is_out())
		return true;
	if (peat_filters_by(PEAT_FILTER_PID | PEAT_FILTER_TID | PEAT_FILTER_ANCESTOR))
		pid_tgid = bpf_get_current_pid_tgid();
	if (peat_ids_are_out(pid_tgid >> 32, pid_tgid))
		return true;
	if (peat_filters_by(PEAT_FILTER_CGROUP) && peat_cgroup_is_out())
		return true;
	if (peat_filters_by(PEAT_FILTER_IDENTITY) && peat_is_left_out(bpf_get_current_cgroup_id()))
		return true;
	if (peat_filters_by(PEAT_FILTER_UID) && (__u32)bpf_get_current_uid_gid() != peat_filter_uid)
		return true;
	if (!peat_filters_by(PEAT_FILTER_COMM))
		return false;
	bpf_get_current_comm(comm, sizeof(comm));
	return peat_comm_is_out(comm);
}

/* The kernel types that filters read, independent of vmlinux.h. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct cred___peat {
	struct {
		__u32 val;
	} uid;
};

struct kernfs_node___peat {
	__u64 id;
};

struct cgroup___peat {
	int level;
	struct kernfs_node___peat *kn;
	struct cgroup___peat *ancestors[1]; /* Linux 6.1 and newer */
	__u64 ancestor_ids[1];		    /* older kernels */
};

struct css_set___peat {
	struct cgroup___peat *dfl_cgrp;
};

struct task_struct___peat {
	int pid, tgid;
	char comm[16];
	const struct cred___peat *cred;
	struct css_set___peat *cgroups;
};

#pragma clang attribute pop

/* Like bpf_get_current_ancestor_cgroup_id(), for any task. */
static __always_inline __u64 peat_ancestor_id(const struct task_struct___peat *task, __u64 level)
{
	struct cgroup___peat *cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp);
	const void *at;
	__u64 id = 0;

	if ((__u64)BPF_CORE_READ(cgroup, level) < level)
		return 0;
	if (!bpf_core_field_exists(cgroup->ancestors)) {
		at = __builtin_preserve_access_index(&cgroup->ancestor_ids);
		bpf_probe_read_kernel(&id, sizeof(id), at + level * sizeof(id));
		return id;
	}
	at = __builtin_preserve_access_index(&cgroup->ancestors);
	if (bpf_probe_read_kernel(&cgroup, sizeof(cgroup), at + level * sizeof(cgroup)))
		return 0;
	return BPF_CORE_READ(cgroup, kn, id);
}

static __always_inline bool peat_task_is_out(const struct task_struct___peat *task)
{
	__u64 comm[2] = {};

	if (peat_filters_by(PEAT_FILTER_CPU) && peat_cpu_is_out())
		return true;
	if (peat_ids_are_out(BPF_CORE_READ(task, tgid), BPF_CORE_READ(task, pid)))
		return true;
	if (peat_filters_by(PEAT_FILTER_CGROUP) &&
	    peat_ancestor_id(task, peat_filter_cgroup_level) != peat_filter_cgroup)
		return true;
	if (peat_filters_by(PEAT_FILTER_IDENTITY) &&
	    peat_is_left_out(BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id)))
		return true;
	if (peat_filters_by(PEAT_FILTER_UID) &&
	    BPF_CORE_READ(task, cred, uid.val) != peat_filter_uid)
		return true;
	if (!peat_filters_by(PEAT_FILTER_COMM))
		return false;
	BPF_CORE_READ_STR_INTO(&comm, task, comm); /* older names follow the NUL: Linux 5.10 */
	return peat_comm_is_out(comm);
}

/* ---- events ---------------------------------------------------------------------------------- */

static __always_inline void peat_set_owner(struct peat_event_owner *owner, __u32 uid, __u64 cgroup)
{
	owner->uid = uid;
	owner->reserved = 0;
	owner->cgroup = cgroup;
}

/*
 * Prepares a reserved event.  Until it is submitted, the head's delta_ns has the slot's index + 1,
 * and the slot has the event's delta_ns.  So the program does not need to keep a pointer to the
 * slot.  The verifier keeps every write inside the slot, which is one map element.
 */
static __always_inline void *peat_lend(struct peat_slot *s, __u64 len, __u64 size, __u64 type)
{
	struct peat_event_head *head = (void *)(s->data + len);
	__u64 bytes = peat_head_bytes, pid_tgid;
	void *event = (void *)head + bytes;
	struct peat_event_ids *ids = event - sizeof(*ids);

	__builtin_assume(event != 0); /* the caller's test is left out */
	head->size = size;
	head->delta_ns = s->lock;
	if (bytes == PEAT_HEAD_ALONE) {
		head->type = type;
		return event;
	}
	head->type = type | PEAT_EVENT_IDS;
	if (__builtin_expect(bytes == PEAT_HEAD_WITH_OWNER, 0)) {
		head->type = type | PEAT_EVENT_IDS | PEAT_EVENT_OWNER;
		peat_set_owner((void *)(head + 1), bpf_get_current_uid_gid(),
			       bpf_get_current_cgroup_id());
	}
	pid_tgid = bpf_get_current_pid_tgid();
	ids->tgid = pid_tgid >> 32;
	ids->tid = pid_tgid;
	return event;
}

static __always_inline struct peat_event_head *peat_head_of(void *event)
{
	return event - peat_head_bytes;
}

/*
 * Returns the slot of an event, if it is the event reserved last; otherwise it was submitted or
 * discarded before.
 */
static __always_inline struct peat_slot *peat_slot_of(struct peat_event_head *head)
{
	__u32 index = head->delta_ns - 1;
	struct peat_slot *s = peat_slot_at(index);

	if (!s || (__u64)head - (__u64)s->data != s->len || s->lock != index + 1)
		return 0;
	return s;
}

/* The end of the slot keeps the name of the reserved event's task, if another task runs. */
static __always_inline struct peat_task_name *peat_kept_name(struct peat_slot *s)
{
	return (void *)s + (peat_slot_bytes - sizeof(struct peat_task_name));
}

/* Reserves memory in a slot that the caller has locked, behind `len` bytes. */
static __always_inline void *peat_lend_at(struct peat_slot *s, __u64 len, __u64 size, __u64 type)
{
	barrier_var(len);
	if (len > PEAT_EVENT_ROOM - size) { /* never true; for the verifier */
		s->lock = 0;
		return 0;
	}
	return peat_lend(s, len, size, type);
}

/* peat_take_() for programs that test or count events: the clock is read, and the bell rung, by
 * peat_select(). */
static __always_inline void *peat_take_late(void *ctx, struct peat_slot *s, __u32 index, __u64 size,
					    __u64 type, bool alone)
{
	__u32 free = peat_free_lock(s);
	__u64 len;

	if (!peat_lock_from(s, index, free)) {
		free = 0;
		s = peat_find_slot_(ctx, index);
		if (!s)
			return 0;
	}
	len = s->len;
	if (len && (alone || len + PEAT_PADDED(size) > PEAT_DATA_BYTES)) {
		peat_flush_(ctx, s);
		len = 0;
	}
	s->delta_ns = free;
	if (peat_decides & PEAT_SELECT_NAMES)
		peat_kept_name(s)->tid = PEAT_NO_TID;
	return peat_lend_at(s, len, size, type);
}

/*
 * Locks a slot and reserves `size` bytes in it.  `alone`: writes all events that were staged
 * before.  All arguments have 64 bits: clang 14 would spill
 * narrower ones, and the verifier would lose their bounds.
 */
static __always_inline void *peat_take_(void *ctx, __u64 size, __u64 type, bool alone)
{
	__u32 index = bpf_get_smp_processor_id() * PEAT_SLOTS;
	struct peat_slot *s = peat_slot_at(index);
	__u64 len, delta, now = 0;

	if (!s)
		return 0;
	if (peat_max_rate && !peat_decides && peat_throttle_(ctx, s, index))
		return 0;
	if (size > PEAT_EVENT_ROOM)
		return peat_too_big_(ctx, s, index);
	if (__builtin_expect(peat_decides, 0)) {
		PEAT_APART;
		return peat_take_late(ctx, s, index, size, type, alone);
	}
	PEAT_APART;
	if (!peat_lock(s, index)) {
		s = peat_find_slot_(ctx, index);
		if (!s)
			return 0;
	}
	if (peat_with_time)
		now = bpf_ktime_get_ns();
	delta = now - s->time_ns;
	len = s->len;
	if (len && (alone || len + PEAT_PADDED(size) > PEAT_DATA_BYTES || delta > 0xffffffff)) {
		peat_flush_(ctx, s);
		len = 0;
	}
	if (!len) {
		s->time_ns = now;
		delta = 0;
	}
	s->delta_ns = delta;
	return peat_lend_at(s, len, size, type);
}

static __always_inline void *peat_reserve_(void *ctx, __u64 size, __u64 type, bool alone)
{
	return peat_filters && peat_current_is_out() ? 0 : peat_take_(ctx, size, type, alone);
}

static __always_inline void peat_set_task_(void *event, __u32 tgid, __u32 tid)
{
	struct peat_event_ids *ids = event - sizeof(*ids);
	struct peat_event_owner *owner = (void *)ids - sizeof(*owner);

	if (peat_head_bytes == PEAT_HEAD_ALONE)
		return;
	ids->tgid = tgid;
	ids->tid = tid;
	if (peat_head_bytes == PEAT_HEAD_WITH_OWNER)
		peat_set_owner(owner, PEAT_NO_UID, 0);
}

/* Keeps the name of a task that does not run until its event is staged. */
static __always_inline void peat_keep_name(void *event, const struct task_struct___peat *task)
{
	struct peat_slot *s = peat_slot_of(peat_head_of(event));
	struct peat_task_name *kept;

	if (!s)
		return;
	kept = peat_kept_name(s);
	kept->tid = BPF_CORE_READ(task, pid);
	bpf_core_read(kept->comm, sizeof(kept->comm), &task->comm);
}

static __always_inline void *peat_reserve_for_(void *ctx, __u64 size, __u64 type, const void *task,
					       bool alone)
{
	const struct task_struct___peat *whose = task;
	void *event;

	if (peat_filters && peat_task_is_out(whose))
		return 0;
	event = peat_take_(ctx, size, type, alone);
	if (event && peat_head_bytes > PEAT_HEAD_ALONE)
		peat_set_task_(event, BPF_CORE_READ(whose, tgid), BPF_CORE_READ(whose, pid));
	if (event && peat_head_bytes == PEAT_HEAD_WITH_OWNER)
		peat_set_owner((void *)(peat_head_of(event) + 1),
			       BPF_CORE_READ(whose, cred, uid.val),
			       BPF_CORE_READ(whose, cgroups, dfl_cgrp, kn, id));
	if (event && peat_decides & PEAT_SELECT_NAMES)
		peat_keep_name(event, whose);
	return event;
}

/* Releases the slot of an event that is not staged.  A slot that was armed is armed again. */
static __always_inline void peat_drop(struct peat_slot *s, struct peat_event_head *head)
{
	head->delta_ns = 0;
	peat_unlock_to(s, peat_decides ? s->delta_ns : 0);
}

/*
 * The events staged before are 4 seconds old, too far from this one for its delta: writes them, and
 * moves this one to the front.  A kernel that is locked down refuses the copy: the event is lost.
 */
static __noinline int peat_move_(void *ctx, struct peat_slot *s, __u64 from, __u64 padded)
{
	if (!ctx || !s)
		return 0;
	peat_flush_(ctx, s);
	if (padded <= PEAT_DATA_BYTES && !bpf_probe_read_kernel(s->data, padded, (void *)from))
		return 0;
	s->seq++;
	s->lost_other++;
	return 1;
}

/*
 * Most events are rejected or counted, where programs do that.  So the clock is read last, for
 * those that are staged.  Returns the event's head, which may have moved; NULL: it is lost, and the
 * slot released.
 */
static __always_inline struct peat_event_head *peat_take_time(void *ctx, struct peat_slot *s,
							      struct peat_event_head *head,
							      __u64 padded)
{
	__u64 now = peat_with_time ? bpf_ktime_get_ns() : 0;

	if (s->len && now - s->time_ns > 0xffffffff) {
		if (peat_move_(ctx, s, (__u64)head, padded)) {
			peat_drop(s, head);
			return 0;
		}
		head = (void *)s->data;
	}
	if (!s->len)
		s->time_ns = now;
	s->delta_ns = now - s->time_ns;
	return head;
}

static __always_inline void peat_add_event(struct peat_slot *s, struct peat_event_head *head,
					   __u64 padded)
{
	head->delta_ns = s->delta_ns;
	s->len += padded;
	s->count++;
	s->seq++;
}

static __always_inline void peat_commit(void *ctx, struct peat_slot *s,
					struct peat_event_head *head, __u64 padded)
{
	peat_add_event(s, head, padded);
	if (s->len >= peat_batch_bytes)
		peat_flush_(ctx, s);
	peat_unlock(s);
}

/*
 * Stages the name of the event's task: of the running task, or of the one that was kept.  The name
 * of a task that peat_set_task() named is not known.
 */
static __always_inline void peat_add_name(struct peat_slot *s, const struct peat_event_head *head)
{
	const struct peat_event_ids *ids = (const void *)head + peat_head_bytes - sizeof(*ids);
	const struct peat_task_name *kept = peat_kept_name(s);
	struct peat_task_name *name;
	__u64 len = s->len;

	barrier_var(len);
	if (len > PEAT_DATA_BYTES - 2 * sizeof(*name)) /* never true; for the verifier */
		return;
	name = (void *)(s->data + len);
	if (ids->tid == (__u32)bpf_get_current_pid_tgid())
		bpf_get_current_comm(name->comm, sizeof(name->comm));
	else if (ids->tid == kept->tid)
		__builtin_memcpy(name->comm, kept->comm, sizeof(name->comm));
	else
		return;
	/* Linux 6.1 leaves what the slot had after the NUL; readers test the last byte. */
	name->comm[sizeof(name->comm) - 1] = 0;
	name->size = sizeof(name->comm);
	name->type = PEAT_TASK_NAME;
	name->tid = ids->tid;
	s->len += sizeof(*name);
}

/* peat_commit() for programs that test, count or name events. */
static __always_inline void peat_commit_late(void *ctx, struct peat_slot *s,
					     struct peat_event_head *head, __u64 padded)
{
	peat_add_event(s, head, padded);
	if (peat_decides & PEAT_SELECT_NAMES)
		peat_add_name(s, head);
	if (s->len >= peat_batch_bytes)
		peat_flush_(ctx, s);
	peat_unlock(s);
}

/* Decides what becomes of the event, unless it is staged as it is.  NULL: it ends here. */
static __always_inline struct peat_event_head *peat_select(void *ctx, struct peat_slot *s,
							   struct peat_event_head *head,
							   void *event, __u64 size, __u64 type)
{
	__u32 index = bpf_get_smp_processor_id() * PEAT_SLOTS;
	struct peat_slot *first;

	if (!type)
		type = (head->type & PEAT_EVENT_TYPE) - peat_type_base;
	if (peat_ends_here(s, event, size, type, peat_decides)) {
		peat_drop(s, head);
		return 0;
	}
	first = peat_max_rate ? peat_slot_at(index) : 0;
	if (first && peat_throttle_(ctx, first, index)) {
		s->dropped++;
		peat_wake_late(ctx, s);
		peat_drop(s, head);
		return 0;
	}
	if (!peat_wake_late(ctx, s)) {
		peat_count(s->lost_nested);
		s->dropped++;
		peat_drop(s, head);
		return 0;
	}
	return peat_take_time(ctx, s, head, PEAT_PADDED(size));
}

static __always_inline void peat_submit_(void *ctx, void *event, __u64 size, __u64 type)
{
	struct peat_event_head *head = peat_head_of(event);
	struct peat_slot *s = peat_slot_of(head);

	if (!s) {
		peat_misuse_();
		return;
	}
	head->size = size; /* less than reserved, after peat_reserve_bytes() */
	if (__builtin_expect(peat_decides, 0)) {
		head = peat_select(ctx, s, head, event, size, type);
		if (head) {
			PEAT_APART;
			peat_commit_late(ctx, s, head, PEAT_PADDED(size));
		}
		return;
	}
	PEAT_APART; /* or clang joins both calls, and spills what only the first needs */
	peat_commit(ctx, s, head, PEAT_PADDED(size));
}

/* Loses an event that is larger than reserved. */
static __always_inline void peat_drop_too_big(void *ctx, struct peat_slot *s,
					      struct peat_event_head *head)
{
	s->lost_too_big++;
	if (peat_decides)
		peat_wake_late(ctx, s);
	peat_drop(s, head);
}

static __always_inline void peat_submit_trimmed_(void *ctx, void *event, __u64 size, __u64 type)
{
	struct peat_event_head *head = peat_head_of(event);
	struct peat_slot *s = peat_slot_of(head);

	if (!s) {
		peat_misuse_();
		return;
	}
	if (size > head->size) {
		peat_drop_too_big(ctx, s, head);
		return;
	}
	head->size = size;
	if (__builtin_expect(peat_decides, 0)) {
		head = peat_select(ctx, s, head, event, size, type);
		if (head) {
			PEAT_APART;
			peat_commit_late(ctx, s, head, PEAT_PADDED(size));
		}
		return;
	}
	PEAT_APART; /* or clang joins both calls, and spills what only the first needs */
	peat_commit(ctx, s, head, PEAT_PADDED(size));
}

/*
 * `bytes`: of the event without stacks; `offset`: of the stacks.  They are taken last: an event
 * that a term rejects, or that a table counts, does not pay for them.
 */
static __always_inline void peat_submit_stacks_(void *ctx, void *event, __u64 bytes, __u64 offset,
						__u64 type, __u64 ctx_kind)
{
	struct peat_event_head *head = peat_head_of(event);
	struct peat_slot *s = peat_slot_of(head);

	if (!s) {
		peat_misuse_();
		return;
	}
	if (bytes > offset) { /* into the stacks */
		peat_drop_too_big(ctx, s, head);
		return;
	}
	head->size = bytes;
	if (__builtin_expect(peat_decides, 0)) {
		head = peat_select(ctx, s, head, event, bytes, type);
		if (!head)
			return;
		PEAT_APART;
	}
	if (peat_is_alone(ctx_kind)) {
		peat_add_event(s, head, PEAT_PADDED(bytes));
		if (peat_decides & PEAT_SELECT_NAMES)
			peat_add_name(s, head);
		peat_write_frame(ctx, s, &peat_sampled);
		peat_unlock(s);
		return;
	}
	if (peat_stack_kinds && ctx_kind != PEAT_CTX_SAMPLED) {
		bytes = offset +
			peat_fill_stacks_(ctx, (void *)head + peat_head_bytes + offset, ctx_kind);
		head->size = bytes;
	}
	if (peat_decides & PEAT_SELECT_NAMES)
		peat_commit_late(ctx, s, head, PEAT_PADDED(bytes));
	else
		peat_commit(ctx, s, head, PEAT_PADDED(bytes));
}

static __always_inline void peat_discard_(void *ctx, void *event)
{
	struct peat_event_head *head = peat_head_of(event);
	struct peat_slot *s = peat_slot_of(head);

	if (!s) {
		peat_misuse_();
		return;
	}
	s->discarded++;
	peat_drop(s, head);
}

/* A function, since clang warns about a constant that is not used. */
static __always_inline int peat_return_(int value)
{
	return value;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* Sets an IPv4 address, in network order, in the form that IPv6 has for it: ::ffff:192.0.2.1. */
static __always_inline void peat_set_ipv4(struct peat_endpoint *end, __u32 address)
{
	__builtin_memset(end->address, 0, 10);
	end->address[10] = end->address[11] = 0xff;
	__builtin_memcpy(&end->address[12], &address, 4);
}

/* ---- packets --------------------------------------------------------------------------------- */

/*
 * Returns the number of bytes that can be copied, minus 1; `max` or more: none.  Verifiers before
 * Linux 6.8 do not conclude from a test for 0 that a number is at least 1, but they do from adding
 * 1.
 */
static __always_inline __u64 peat_last_byte(__u64 bytes, __u64 offset, __u64 max)
{
	__u64 last = bytes > offset ? bytes - offset : 0;

	last = (last < max ? last : max) - 1;
	barrier_var(last);
	return last;
}

static __always_inline __u64 peat_copy_from_skb_(void *skb, __u64 offset, void *to, __u64 max)
{
	/* The packet's length is the first member of struct __sk_buff. */
	__u64 last = peat_last_byte(*(__u32 *)skb, offset, max);

	if (last >= max || bpf_skb_load_bytes(skb, offset, to, last + 1))
		return 0;
	return last + 1;
}

/* Before Linux 5.18, packets of XDP are in one piece. */
static __always_inline __u64 peat_xdp_bytes(struct xdp_md *xdp)
{
	if (peat_xdp_helpers)
		return bpf_xdp_get_buff_len(xdp);
	return (void *)(long)xdp->data_end - (void *)(long)xdp->data;
}

#define PEAT_PACKET_MAX 0xffff /* for the verifier: the largest offset in a packet */

static __always_inline __u64 peat_copy_from_xdp_(struct xdp_md *xdp, __u64 offset, void *to,
						 __u64 max)
{
	__u64 last = peat_last_byte(peat_xdp_bytes(xdp), offset, max);
	long err;

	if (last >= max || offset > PEAT_PACKET_MAX)
		return 0;
	if (peat_xdp_helpers)
		err = bpf_xdp_load_bytes(xdp, offset, to, last + 1);
	else
		err = bpf_probe_read_kernel(to, last + 1, (void *)(long)xdp->data + offset);
	return err ? 0 : last + 1;
}

/* Larger pages are touched more than once. */
#define PEAT_PAGE_BYTES	 4096
#define PEAT_TOUCH_PAGES 3 /* 8 KiB, not aligned */

static __always_inline void peat_touch_(__u64 address, __u64 bytes)
{
	__u64 end = address + bytes;
	char byte;

#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < PEAT_TOUCH_PAGES && address < end; i++) {
		bpf_copy_from_user(&byte, sizeof(byte), (void *)address);
		address = (address | (PEAT_PAGE_BYTES - 1)) + 1;
	}
}

struct peat_guard_ {
	void *ctx, *event;
};

static __always_inline void peat_guard_end_(struct peat_guard_ *guard)
{
	if (guard->event)
		peat_discard_(guard->ctx, guard->event);
}

#endif /* PEAT_IMPL_BPF_H */
