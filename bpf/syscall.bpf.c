// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * syscall: slow or failing system calls.  Calls of 32-bit programs are left out on x86 and arm64:
 * their numbers have other names.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "native_call.h"
#include "saved_registers.h"
#include "syscall_names.h"

#define EINTR 4

struct syscall {
	enum syscall_name call;
	__s64 result PEAT_AS(errno);
	peat_duration_t latency PEAT_DOC("0: unknown; seccomp denied it, or it is older than peat");
	peat_hex_t args[6] PEAT_DOC("as passed, also those that the call does not have");
	/*
	 * Without such counters, events end before the counts, and those with stacks have 0, which
	 * no call that ran can have.
	 */
	__u64 cycles PEAT_MINOR
		PEAT_DOC("of the CPU, while the task ran in the call; 0: not counted");
	__u64 instructions PEAT_MINOR PEAT_DOC("likewise");
	PEAT_STACKS;
} PEAT_DOC("slow or failing system calls") PEAT_SUBJECT(tasks)
	PEAT_LIKE("syscount, strace -T, perf trace");

PEAT_OPTION(peat_duration_t, min, 10000000, "only calls that took at least this");
PEAT_OPTION(bool, failed, false, "failures of any latency instead of slow calls");
PEAT_OPTION(bool, waits, false, "also calls made in order to wait: poll, futex, nanosleep, ...");
PEAT_OPTION(bool, counts, true, "count cycles and instructions, if the machine has such counters");

PEAT_OPTIONAL PEAT_COUNTER(cycles, "cycles");
PEAT_OPTIONAL PEAT_COUNTER(instructions, "instructions");

struct counts {
	struct peat_count cycles, instructions;
};

/* The last call of a thread. */
struct call {
	__u64 start_ns; /* 0: it has returned */
	__u32 number;
	bool has_cycles, has_instructions;
	struct counts since;	    /* readings when the task began to run on its present CPU */
	__u64 cycles, instructions; /* until then */
};

/*
 * By thread.  Entries stay, so that a call changes them in place: inserting and deleting would cost
 * more.  LRU, because threads end.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct call);
} syscall_calls SEC(".maps");

static __always_inline struct call *find_call(__u32 tid)
{
	return bpf_map_lookup_elem(&syscall_calls, &tid);
}

static __always_inline struct call *add_call(__u32 tid)
{
	struct call call = {};

	bpf_map_update_elem(&syscall_calls, &tid, &call, BPF_NOEXIST);
	return find_call(tid);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* The task begins to run on this CPU.  Counters count all tasks of a CPU. */
static __always_inline void start_counts(struct call *call)
{
	call->has_cycles = call->has_cycles && !peat_count_read(cycles, &call->since.cycles);
	call->has_instructions = call->has_cycles && call->has_instructions &&
				 !peat_count_read(instructions, &call->since.instructions);
}

static __always_inline void add_counts(struct call *call)
{
	struct counts now;

	if (call->has_cycles && !peat_count_read(cycles, &now.cycles))
		call->cycles += peat_count_delta(&call->since.cycles, &now.cycles);
	if (call->has_instructions && !peat_count_read(instructions, &now.instructions))
		call->instructions +=
			peat_count_delta(&call->since.instructions, &now.instructions);
}

static __always_inline struct call *find_running_call(__u32 tid)
{
	struct call *call = tid ? find_call(tid) : 0;

	return call && call->start_ns && call->has_cycles ? call : 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct peat_count unused;
	struct call *call;

	if (!counts || peat_count_read(cycles, &unused))
		return 0;
	call = find_running_call(PEAT_READ(prev, pid));
	if (call)
		add_counts(call);
	call = find_running_call(PEAT_READ(next, pid));
	if (call)
		start_counts(call);
	return 0;
}

/* ---- calls ----------------------------------------------------------------------------------- */

SEC("tp_btf/sys_enter")
int BPF_PROG(on_enter, struct pt_regs *regs, long number)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct call *call = find_call(tid);

	if (!call)
		call = add_call(tid);
	if (!call)
		return 0;
	call->number = number;
	call->cycles = call->instructions = 0;
	call->has_cycles = call->has_instructions = counts;
	if (counts)
		start_counts(call);
	call->start_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline bool is_wait(__u32 number)
{
	switch (number) {
		WAITING_CALLS
		return true;
	}
	return false;
}

/* Its result is that of the call that the signal interrupted. */
static __always_inline bool is_signal_return(__u32 number)
{
	switch (number) {
		SIGNAL_RETURNS
		return true;
	}
	return false;
}

static __always_inline bool is_wanted(__u32 number, long result, __u64 latency)
{
	if (failed ? result >= 0 || result < -4095 : latency < min)
		return false;
	return !is_signal_return(number) && (waits || !is_wait(number));
}

/* libbpf has these macros for five arguments; 1.2 and newer, for six. */
#ifndef PT_REGS_PARM6_CORE_SYSCALL
#if defined(__TARGET_ARCH_x86)
#define PT_REGS_PARM6_CORE_SYSCALL(regs) BPF_CORE_READ(regs, r9)
#elif defined(__TARGET_ARCH_arm64)
#define PT_REGS_PARM6_CORE_SYSCALL(regs) BPF_CORE_READ((struct user_pt_regs *)(regs), regs[5])
#elif defined(__TARGET_ARCH_s390)
#define PT_REGS_PARM6_CORE_SYSCALL(regs) BPF_CORE_READ((user_pt_regs *)(regs), gprs[7])
#else
#define PT_REGS_PARM6_CORE_SYSCALL(regs) 0
#endif
#endif

static __always_inline void read_arguments(__u64 *args, struct pt_regs *regs)
{
	args[0] = PT_REGS_PARM1_CORE_SYSCALL(regs);
	args[1] = PT_REGS_PARM2_CORE_SYSCALL(regs);
	args[2] = PT_REGS_PARM3_CORE_SYSCALL(regs);
	args[3] = PT_REGS_PARM4_CORE_SYSCALL(regs);
	args[4] = PT_REGS_PARM5_CORE_SYSCALL(regs);
	args[5] = PT_REGS_PARM6_CORE_SYSCALL(regs);
}

/* ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK: a signal interrupts the call.
 */
static __always_inline bool is_interrupted(long result)
{
	return (result <= -512 && result >= -514) || result == -516;
}

/* Returns the size of the event. */
static __always_inline __u32 fill_counts(struct syscall *e, struct call *call)
{
	if (counts)
		add_counts(call);
	e->cycles = call->cycles;
	e->instructions = call->instructions;
	if (call->has_instructions)
		return __builtin_offsetof(struct syscall, stack);
	return call->has_cycles ? __builtin_offsetof(struct syscall, instructions)
				: __builtin_offsetof(struct syscall, cycles);
}

static __always_inline int emit(unsigned long long *ctx, struct pt_regs *regs, __u32 number,
				long result, __u64 latency, struct call *call)
{
	struct syscall *e = peat_reserve_stacks(ctx, struct syscall);

	if (!e)
		return 0;
	e->call = number;
	e->result = is_interrupted(result) ? -EINTR : result;
	e->latency = latency;
	read_arguments(e->args, regs);
	return peat_submit_stacks_bytes(
		ctx, e, call ? fill_counts(e, call) : __builtin_offsetof(struct syscall, cycles));
}

/*
 * A failed call without sys_enter: the kernel skips that tracepoint if seccomp(2) denies the call.
 * The call may also be one that began before the probe.
 */
static __always_inline int emit_without_start(unsigned long long *ctx, struct pt_regs *regs,
					      long result)
{
	__u32 number = saved_number(regs);

	if (result >= 0 || !is_wanted(number, result, 0) ||
	    !is_native_call((struct task_struct *)bpf_get_current_task()))
		return 0;
	return emit(ctx, regs, number, result, 0, 0);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(on_return, struct pt_regs *regs, long result)
{
	struct call *call = find_call(bpf_get_current_pid_tgid());
	__u64 start_ns, latency;

	if (!call || !call->start_ns)
		return emit_without_start(ctx, regs, result);
	start_ns = call->start_ns;
	latency = bpf_ktime_get_ns() - start_ns;
	call->start_ns = 0;
	if (!is_wanted(call->number, result, latency) || !is_own_native_call(start_ns))
		return 0;
	return emit(ctx, regs, call->number, result, latency, call);
}
