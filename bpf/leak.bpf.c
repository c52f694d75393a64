// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * leak: memory of one process that is not freed, by the stack that allocated it.
 *
 *	malloc() ─▶ leak_allocations: address ─▶ bytes, time, stack
 *	               │ + when it returns, - at free()
 *	               ▼
 *	            leaks: stack ─▶ bytes, allocations, and `old`: bytes for longer than `age`
 *	            leak_ages: stack ─▶ the same bytes by the epoch of their allocation
 *
 * An epoch is an eighth of `age`.  Bytes of the last eight epochs are young; older ones are added
 * to `old` by the next call with this stack, or by the sampled program, which visits all stacks in
 * turns.  Two CPUs that do so at the same time add them twice, and the epoch then has the
 * difference with the other sign: it corrects `old` when it is reused.  `bytes` and `allocations`
 * are exact.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "stack_ids.h"

#define EPOCHS	     16 /* a power of two: twice the epochs that are young */
#define YOUNG	     8
#define EPOCH_MIN_NS 1000000
#define STACKS	     STACK_IDS
#define VISITS	     32 /* stacks that a sample visits */

struct leak {
	peat_size_t bytes PEAT_DOC("older than the option age since the last event of this stack");
	peat_size_t old PEAT_DOC("all such bytes of this stack that are not freed by now");
	peat_ustack_t stack PEAT_DOC("of the allocation");
} PEAT_DOC("memory that is not freed after a while") PEAT_SUBJECT(memory)
	PEAT_LIKE("memleak, valgrind, heaptrack");

PEAT_OPTION(peat_duration_t, age, 10000000000, "memory is old after this time");
PEAT_OPTION(peat_size_t, min_bytes, 0, "only allocations of at least this");
PEAT_OPTION(__u32, sample, 1, "only one of so many allocations, at random");
PEAT_OPTION(peat_text_t, library, "", "file or name of the allocator, instead of libc.so");

/* The call in which a thread is. */
struct leak_call {
	__u64 bytes;
	__u64 result; /* posix_memalign(): address of the result; 0: it is returned */
	bool is_active;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct leak_call);
} leak_calls SEC(".maps");

struct allocation {
	__u64 bytes;
	__u64 time_ns;
	__s32 stack;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 262144);
	__type(key, __u64);
	__type(value, struct allocation);
} leak_allocations SEC(".maps");

struct leak_key {
	__u32 pid;
	peat_ustack_t stack;
};

struct leaked {
	peat_size_t bytes PEAT_MERGE(first) PEAT_DOC("not freed by now");
	peat_size_t old PEAT_MERGE(first) PEAT_DOC("of these, for longer than the option age");
	__u64 allocations PEAT_MERGE(first) PEAT_DOC("not freed by now");
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STACKS);
	__type(key, struct leak_key);
	__type(value, struct leaked);
} leaks SEC(".maps") PEAT_TABLE("memory that is not freed, by stack");

struct ages {
	__u64 epoch; /* of the last visit */
	__u64 young[EPOCHS];
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STACKS);
	__type(key, struct leak_key);
	__type(value, struct ages);
} leak_ages SEC(".maps");

/* The keys of `leaks`, in the order of their first allocation. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, STACKS);
	__type(key, __u32);
	__type(value, struct leak_key);
} leak_keys SEC(".maps");

/* How far the visits are.  Only one CPU writes the members after the first. */
struct leak_visits {
	__u32 keys;    /* in leak_keys */
	__u32 visitor; /* the CPU whose samples visit stacks, plus 1 */
	__u64 visited_ns;
	__u32 next; /* index of the next key */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct leak_visits);
} leak_visits SEC(".maps");

static __always_inline struct leak_visits *find_visits(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&leak_visits, &zero);
}

#define add(to, number) __sync_fetch_and_add(&(to), number)

/* ---- ages ------------------------------------------------------------------------------------ */

static __always_inline __u64 epoch_of(__u64 time_ns)
{
	__u64 length = age / YOUNG;

	return time_ns / (length > EPOCH_MIN_NS ? length : EPOCH_MIN_NS);
}

/* Adds what is not young any more to `old`.  Returns the number of these bytes. */
static __always_inline __u64 grow_old(struct leaked *leaked, struct ages *ages, __u64 epoch)
{
	__u64 bytes = 0;

	if (ages->epoch == epoch)
		return 0;
	ages->epoch = epoch;
	for (__u32 i = 0; i < EPOCHS; i++) {
		__u64 young = ages->young[i];

		if (!young || ((epoch - i) & (EPOCHS - 1)) < YOUNG)
			continue;
		add(ages->young[i], -young);
		bytes += young;
	}
	if (bytes)
		add(leaked->old, bytes);
	return bytes;
}

/* Counts bytes that were allocated at `time_ns`; negative: they are freed. */
static __always_inline void count_age(struct leaked *leaked, struct ages *ages, __u64 time_ns,
				      __u64 bytes)
{
	__u64 epoch = epoch_of(time_ns), now = epoch_of(bpf_ktime_get_ns());

	grow_old(leaked, ages, now);
	if (!age || now - epoch >= YOUNG)
		add(leaked->old, bytes);
	else
		add(ages->young[epoch & (EPOCHS - 1)], bytes);
}

/* ---- counts by stack ------------------------------------------------------------------------- */

/* If two CPUs add keys at the same time, the list lacks one: its `old` waits for a call. */
static __always_inline void add_key(const struct leak_key *key)
{
	struct leak_visits *visits = find_visits();
	__u32 index;

	if (!visits || visits->keys >= STACKS)
		return;
	index = visits->keys;
	bpf_map_update_elem(&leak_keys, &index, key, BPF_ANY);
	add(visits->keys, 1);
}

static __always_inline struct leaked *add_leaked(const struct leak_key *key)
{
	struct leaked leaked = {};
	struct ages ages = {};

	ages.epoch = epoch_of(bpf_ktime_get_ns());
	bpf_map_update_elem(&leak_ages, key, &ages, BPF_NOEXIST);
	if (!bpf_map_update_elem(&leaks, key, &leaked, BPF_NOEXIST))
		add_key(key);
	return bpf_map_lookup_elem(&leaks, key);
}

/* False: there are too many stacks. */
static __always_inline bool count(const struct allocation *allocation, bool is_freed)
{
	struct leak_key key = { bpf_get_current_pid_tgid() >> 32, allocation->stack };
	__u64 bytes = is_freed ? -allocation->bytes : allocation->bytes;
	struct leaked *leaked = bpf_map_lookup_elem(&leaks, &key);
	struct ages *ages;

	if (!leaked && !is_freed)
		leaked = add_leaked(&key);
	if (!leaked)
		return false;
	add(leaked->bytes, bytes);
	add(leaked->allocations, is_freed ? -1ULL : 1ULL);
	ages = bpf_map_lookup_elem(&leak_ages, &key);
	if (ages)
		count_age(leaked, ages, allocation->time_ns, bytes);
	return true;
}

/* ---- allocations ----------------------------------------------------------------------------- */

/* The one that deletes the allocation counts it. */
static __noinline int release(__u64 address)
{
	struct allocation *found = bpf_map_lookup_elem(&leak_allocations, &address), allocation;

	if (!found)
		return 0;
	allocation = *found;
	if (!bpf_map_delete_elem(&leak_allocations, &address))
		count(&allocation, true);
	return 0;
}

static __always_inline int start(__u64 bytes, __u64 result)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct leak_call call = { bytes, result, true };

	if (bytes < min_bytes || (sample > 1 && bpf_get_prandom_u32() % sample))
		return 1;
	if (peat_accepts_current())
		bpf_map_update_elem(&leak_calls, &tid, &call, BPF_ANY);
	return 1;
}

/* If a free() was missed, the address is still there. */
static __always_inline int keep(struct pt_regs *ctx, __u64 address, __u64 bytes)
{
	struct allocation allocation = { .bytes = bytes, .time_ns = bpf_ktime_get_ns() };

	release(address);
	allocation.stack = user_stack_id(ctx);
	if (allocation.stack == -E2BIG)
		return 1;
	if (bpf_map_update_elem(&leak_allocations, &address, &allocation, BPF_NOEXIST))
		return 1;
	if (!count(&allocation, false))
		bpf_map_delete_elem(&leak_allocations, &address);
	return 1;
}

/*
 * The stack is taken when the function returns: at its first instruction, most kernels skip its
 * caller.
 */
static __always_inline int end(struct pt_regs *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct leak_call *call = bpf_map_lookup_elem(&leak_calls, &tid);
	__u64 address = PT_REGS_RC(ctx), at;

	if (!call || !call->is_active)
		return 1;
	call->is_active = false;
	at = call->result;
	if (at && ((__s32)address || bpf_probe_read_user(&address, sizeof(address), (void *)at)))
		return 1;
	return address ? keep(ctx, address, call->bytes) : 1;
}

/* ---- functions ------------------------------------------------------------------------------- */

#define RETURNS(program, function)                                                                 \
	PEAT_OPTIONAL PEAT_ONE_PROCESS PEAT_LIBRARY(library)                                       \
		SEC("uretprobe/libc.so:" #function) int                                            \
		program(struct pt_regs *ctx)                                                       \
	{                                                                                          \
		return end(ctx);                                                                   \
	}

#define ALLOCATES(program, function, bytes, result)                                                \
	PEAT_OPTIONAL PEAT_ONE_PROCESS PEAT_LIBRARY(library) SEC("uprobe/libc.so:" #function) int  \
	program(struct pt_regs *ctx)                                                               \
	{                                                                                          \
		return start(bytes, result);                                                       \
	}                                                                                          \
	RETURNS(program##_end, function)

ALLOCATES(on_malloc, malloc, PT_REGS_PARM1(ctx), 0)
ALLOCATES(on_calloc, calloc, PT_REGS_PARM1(ctx) * PT_REGS_PARM2(ctx), 0)
ALLOCATES(on_posix_memalign, posix_memalign, PT_REGS_PARM3(ctx), PT_REGS_PARM1(ctx))
ALLOCATES(on_aligned_alloc, aligned_alloc, PT_REGS_PARM2(ctx), 0)
ALLOCATES(on_memalign, memalign, PT_REGS_PARM2(ctx), 0)
ALLOCATES(on_valloc, valloc, PT_REGS_PARM1(ctx), 0)
ALLOCATES(on_pvalloc, pvalloc, PT_REGS_PARM1(ctx), 0)

/* An old block whose realloc() fails is not followed any more. */
PEAT_OPTIONAL PEAT_ONE_PROCESS PEAT_LIBRARY(library)
	SEC("uprobe/libc.so:realloc") int on_realloc(struct pt_regs *ctx)
{
	release(PT_REGS_PARM1(ctx));
	return start(PT_REGS_PARM2(ctx), 0);
}

RETURNS(on_realloc_end, realloc)

PEAT_OPTIONAL PEAT_ONE_PROCESS PEAT_LIBRARY(library)
	SEC("uprobe/libc.so:free") int on_free(struct pt_regs *ctx)
{
	release(PT_REGS_PARM1(ctx));
	return 1;
}

/* ---- visits ---------------------------------------------------------------------------------- */

static __always_inline void submit(void *ctx, const struct leak_key *key,
				   const struct leaked *leaked, __u64 bytes)
{
	struct leak *e = peat_reserve_accepted(ctx, struct leak);

	if (!e)
		return;
	peat_set_task(e, key->pid, key->pid);
	e->bytes = bytes;
	e->old = leaked->old;
	e->stack = key->stack;
	peat_submit(ctx, e);
}

static __noinline int visit(struct bpf_perf_event_data *ctx, __u32 index)
{
	struct leak_key *key = bpf_map_lookup_elem(&leak_keys, &index);
	struct leaked *leaked;
	struct ages *ages;
	__u64 bytes;

	if (!ctx || !key)
		return 0;
	leaked = bpf_map_lookup_elem(&leaks, key);
	ages = bpf_map_lookup_elem(&leak_ages, key);
	if (!leaked || !ages)
		return 0;
	bytes = grow_old(leaked, ages, epoch_of(bpf_ktime_get_ns()));
	if ((__s64)bytes > 0)
		submit(ctx, key, leaked, bytes);
	return 0;
}

/* One CPU visits the stacks, or another one, if it has not for a second. */
static __always_inline bool is_visitor(struct leak_visits *visits, __u64 now)
{
	__u32 cpu = bpf_get_smp_processor_id() + 1;

	if (visits->visitor != cpu && now - visits->visited_ns < 1000000000)
		return false;
	visits->visitor = cpu;
	visits->visited_ns = now;
	return true;
}

SEC("perf_event")
int on_sample(struct bpf_perf_event_data *ctx)
{
	struct leak_visits *visits = find_visits();
	__u32 count;

	if (!visits || !visits->keys || !is_visitor(visits, bpf_ktime_get_ns()))
		return 0;
	count = visits->keys;
	for (__u32 i = 0; i < VISITS && i < count; i++) {
		__u32 index = visits->next < count ? visits->next : 0;

		visits->next = index + 1;
		visit(ctx, index);
	}
	return 0;
}
