// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* lock: locks of the kernel that tasks and interrupts waited for.  Needs Linux 5.19. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

/* The kernel's LCB_F_*. */
enum lock_flag {
	semaphore = 0,
	spin = 1, /* with mutex: on the CPU for a while, before it sleeps */
	read = 2,
	write = 4,
	rt = 8,
	percpu = 16,
	mutex = 32,
};

struct lock {
	peat_duration_t wait PEAT_DOC("until the lock was taken, or given up");
	enum lock_flag flags PEAT_AS(flags) PEAT_DOC("read, write: of an rwsem; with spin: rwlock");
	peat_kaddr_t caller PEAT_DOC("function that waited; 0x0: unknown");
	peat_kaddr_t lock PEAT_DOC("its name, or the address of one in allocated memory");
	peat_errno_t error PEAT_MINOR PEAT_DOC("why it was given up; 0: it was taken");
	PEAT_STACKS;
} PEAT_DOC("locks of the kernel that were waited for") PEAT_SUBJECT(locks)
	PEAT_LIKE("perf lock contention, klockstat");

PEAT_OPTION(peat_duration_t, min, 1000000, "only waits of at least this");

/*
 * The locks that a thread waits for: interrupts of the thread wait for others meanwhile, and so
 * does a thread for the spinlock inside of a mutex.
 */
#define NESTED 4

struct wait {
	__u64 lock; /* 0: unused */
	__u64 start_ns;
	__u32 flags;
};

struct waits {
	__u32 tid; /* another thread may have taken this place */
	struct wait of[NESTED];
};

/*
 * By thread id, modulo the size.  An array, since hash tables take locks, and would be traced
 * themselves: Linux before 6.2 does not prevent this recursion.  If two threads that wait have the
 * same place, the wait of the first is not seen.  The idle tasks all have the id 0: their places
 * follow, by CPU.
 */
#define THREADS 16384
#define CPUS	1024

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, THREADS + CPUS);
	__type(key, __u32);
	__type(value, struct waits);
} lock_waits SEC(".maps");

static __always_inline __u32 current_id(void)
{
	return (__u32)bpf_get_current_pid_tgid() ?: ~bpf_get_smp_processor_id();
}

static __always_inline struct waits *find_waits(__u32 id)
{
	__u32 place = (__s32)id < 0 ? THREADS + ~id % CPUS : id % THREADS;

	return bpf_map_lookup_elem(&lock_waits, &place);
}

static __always_inline struct wait *find_wait(struct waits *waits, __u64 lock)
{
#pragma unroll
	for (int i = 0; i < NESTED; i++)
		if (waits->of[i].lock == lock)
			return &waits->of[i];
	return 0;
}

static __always_inline struct waits *claim_waits(__u32 id)
{
	struct waits *waits = find_waits(id);

	if (!waits || waits->tid == id)
		return waits;
#pragma unroll
	for (int i = 0; i < NESTED; i++)
		waits->of[i].lock = 0;
	waits->tid = id;
	return waits;
}

/* ---- the caller ------------------------------------------------------------------------------ */

/* The functions of locks, and those that sleep for them, by /proc/kallsyms. */
extern const void __lock_text_start __ksym __weak;
extern const void __lock_text_end __ksym __weak;
extern const void __sched_text_start __ksym __weak;
extern const void __sched_text_end __ksym __weak;

static __always_inline bool is_of_lock(__u64 address)
{
	return (address >= (__u64)&__lock_text_start && address < (__u64)&__lock_text_end) ||
	       (address >= (__u64)&__sched_text_start && address < (__u64)&__sched_text_end);
}

/* The program and the tracepoint come first, then the lock's functions. */
#define FRAMES 16

static __always_inline __u64 find_caller(void *ctx)
{
	__u64 frames[FRAMES] = {};
	bool is_past = false;

	if (bpf_get_stack(ctx, frames, sizeof(frames), 0) < 0)
		return 0;
#pragma unroll
	for (int i = 0; i < FRAMES; i++) {
		if (is_of_lock(frames[i]))
			is_past = true;
		else if (is_past)
			return frames[i];
	}
	return 0;
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* A mutex begins twice, if the thread sleeps after it has spun. */
SEC("raw_tp/contention_begin")
int BPF_PROG(on_begin, void *lock, unsigned int flags)
{
	struct waits *waits = claim_waits(current_id());
	struct wait *wait;

	if (!waits || find_wait(waits, (__u64)lock))
		return 0;
	wait = find_wait(waits, 0);
	if (!wait)
		return 0;
	wait->lock = (__u64)lock;
	wait->flags = flags;
	wait->start_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("raw_tp/contention_end")
int BPF_PROG(on_end, void *lock, int error)
{
	__u32 id = current_id(), flags;
	struct waits *waits = find_waits(id);
	struct wait *wait;
	struct lock *e;
	__u64 waited;

	if (!waits || waits->tid != id)
		return 0;
	wait = find_wait(waits, (__u64)lock);
	if (!wait)
		return 0;
	waited = bpf_ktime_get_ns() - wait->start_ns;
	flags = wait->flags;
	wait->lock = 0;
	if (waited < min)
		return 0;
	e = peat_reserve_stacks(ctx, struct lock);
	if (!e)
		return 0;
	e->wait = waited;
	e->flags = flags;
	e->caller = find_caller(ctx);
	e->lock = (__u64)lock;
	e->error = error;
	return peat_submit_stacks(ctx, e);
}
