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

#define EINTR	 4
#define AF_UNIX	 1
#define AF_INET	 2
#define AF_INET6 10

#define SOCKET_PATH_BYTES 108 /* of struct sockaddr_un */

#define CALLS	   512 /* numbers of calls are below, on all architectures; a power of two */
#define TEXT_BYTES 256 /* of a string, with its NUL */
#define PATH_BYTES (2 * TEXT_BYTES)

struct syscall {
	enum syscall_name call;
	__u8 texts PEAT_HIDDEN PEAT_DOC("the arguments in path and peer, a bit each");
	__u16 path_bytes PEAT_HIDDEN PEAT_DOC("in use");
	__s64 result PEAT_AS(errno);
	peat_duration_t latency PEAT_DOC("0: unknown; seccomp denied it, or it is older than peat");
	__u64 cycles PEAT_LEN(cycles_bytes) PEAT_RARE
		PEAT_DOC("of the CPU, while the task ran in the call; null: not counted");
	__u64 instructions PEAT_LEN(instructions_bytes) PEAT_RARE PEAT_DOC("likewise");
	peat_hex_t args[6] PEAT_CALL_ARGS(call, texts, path, peer)
		PEAT_DOC("by name; as numbers, also those that the call does not have");
	struct peat_endpoint peer PEAT_HIDDEN PEAT_DOC("of connect, bind and sendto");
	__u8 cycles_bytes PEAT_HIDDEN PEAT_DOC("0: not counted");
	__u8 instructions_bytes PEAT_HIDDEN PEAT_DOC("likewise");
	char path[PATH_BYTES] PEAT_LEN(path_bytes) PEAT_HIDDEN
		PEAT_DOC("paths and other texts of the call");
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

/* ---- arguments ------------------------------------------------------------------------------- */

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

/* ---- executed programs ----------------------------------------------------------------------- */

/* Arguments that point to memory, a bit each, by the number of the call. */
static const struct memory_arguments {
	__u8 texts, addresses;
} memory_arguments[CALLS] = { MEMORY_ARGUMENTS };

/* Older verifiers do not connect the test of a number with its copy that a compiler uses later. */
static __always_inline struct memory_arguments memory_arguments_of(__u32 number)
{
	if (number >= CALLS)
		return (struct memory_arguments){};
	barrier_var(number);
	return memory_arguments[number & (CALLS - 1)];
}

/* The helper that reads texts returns the same for one that just fits as for longer ones. */
static __always_inline void mark_cut(char *text, long bytes)
{
	if (bytes == TEXT_BYTES)
		__builtin_memcpy(text + TEXT_BYTES - 4, "...", 4);
}

static __always_inline bool is_exec(__u32 number)
{
	switch (number) {
		EXECS
		return true;
	}
	return false;
}

/*
 * Calls that execute a program, by thread: the process has other memory and registers when they
 * return.
 */
struct exec {
	__u64 args[6];
	__u32 bytes; /* of the path; 0: unreadable */
	char path[TEXT_BYTES];
};

static const struct exec no_exec;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct exec);
} syscall_execs SEC(".maps");

static __always_inline void note_exec(__u32 tid, struct pt_regs *regs, __u32 number)
{
	struct exec *exec;
	long bytes;

	bpf_map_update_elem(&syscall_execs, &tid, &no_exec, BPF_ANY);
	exec = bpf_map_lookup_elem(&syscall_execs, &tid);
	if (!exec)
		return;
	read_arguments(exec->args, regs);
	bytes = bpf_probe_read_user_str(
		exec->path, sizeof(exec->path),
		(const void *)exec->args[memory_arguments_of(number).texts == 2]);
	mark_cut(exec->path, bytes);
	exec->bytes = bytes < 0 ? 0 : bytes;
}

/* Returns the bytes of the path. */
static __always_inline __u32 fill_exec(struct syscall *e, __u32 number)
{
	__u32 tid = bpf_get_current_pid_tgid(), bytes;
	struct exec *exec = bpf_map_lookup_elem(&syscall_execs, &tid);

	if (!exec)
		return 0;
	__builtin_memcpy(e->args, exec->args, sizeof(e->args));
	bytes = exec->bytes;
	barrier_var(bytes);
	bytes &= PATH_BYTES - 1; /* TEXT_BYTES at most */
	if (!bytes || bpf_probe_read_kernel(e->path, bytes, exec->path))
		return 0;
	e->texts = memory_arguments_of(number).texts;
	return bytes;
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
	if (is_exec(number))
		note_exec(tid, regs, number);
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

/* ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK: a signal interrupts the call.
 */
static __always_inline bool is_interrupted(long result)
{
	return (result <= -512 && result >= -514) || result == -516;
}

static __always_inline void fill_counts(struct syscall *e, struct call *call)
{
	e->cycles = e->instructions = 0;
	e->cycles_bytes = e->instructions_bytes = 0;
	if (!call || !counts)
		return;
	add_counts(call);
	e->cycles = call->cycles;
	e->instructions = call->instructions;
	e->cycles_bytes = call->has_cycles ? sizeof(e->cycles) : 0;
	e->instructions_bytes = call->has_instructions ? sizeof(e->instructions) : 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Appends the string of argument `i` to the path, which has `at` bytes.  Returns the new number. */
static __always_inline __u32 read_text(struct syscall *e, __u32 at, int i)
{
	long bytes;

	if (at > PATH_BYTES - TEXT_BYTES)
		return at;
	barrier_var(at);
	at &= PATH_BYTES - 1; /* older verifiers forget the limit of a number on the stack */
	bytes = bpf_probe_read_user_str(e->path + at, TEXT_BYTES, (const void *)e->args[i]);
	if (bytes < 1)
		return at;
	e->texts |= 1 << i;
	mark_cut(e->path + at, bytes);
	return at + (bytes & (PATH_BYTES - 1));
}

/* The call reads memory before it returns, so its page is present. */
static __always_inline __u32 read_texts(struct syscall *e, __u32 arguments)
{
	__u32 at = 0;

#pragma unroll
	for (int i = 0; i < 6; i++)
		if (arguments >> i & 1)
			at = read_text(e, at, i);
	return at;
}

/* Reads the path of a struct sockaddr_un of `bytes` bytes, or its name, as "@name". */
static __always_inline __u32 read_socket_path(struct syscall *e, const char *path, __u32 bytes)
{
	long read;

	if (!bytes || bytes > SOCKET_PATH_BYTES || bpf_probe_read_user(e->path, 1, path))
		return 0;
	barrier_var(bytes);
	bytes &= PATH_BYTES / 2 - 1; /* for older verifiers, likewise */
	if (e->path[0]) {
		read = bpf_probe_read_user_str(e->path, bytes + 1, path);
		return read < 0 ? 0 : read & (PATH_BYTES - 1);
	}
	e->path[0] = '@';
	read = bpf_probe_read_user_str(e->path + 1, bytes, path + 1);
	return read < 0 ? 0 : 1 + (read & (PATH_BYTES / 2 - 1));
}

/* The structs of programs. */
struct ipv4_address {
	__u16 family;
	peat_port_t port;
	__u8 address[4], zero[8];
};

struct ipv6_address {
	__u16 family;
	peat_port_t port;
	__u32 flow;
	__u8 address[16]; /* newer ones have a scope too */
};

static __always_inline bool read_ipv4(struct peat_endpoint *peer, const struct ipv4_address *in)
{
	peer->address[10] = peer->address[11] = 0xff;
	return !bpf_probe_read_user(peer->address + 12, 4, in->address) &&
	       !bpf_probe_read_user(&peer->port, 2, &in->port);
}

static __always_inline bool read_ipv6(struct peat_endpoint *peer, const struct ipv6_address *in)
{
	return !bpf_probe_read_user(peer->address, 16, in->address) &&
	       !bpf_probe_read_user(&peer->port, 2, &in->port);
}

/* Reads the struct sockaddr of argument `i`, before its size.  Returns the bytes of the path. */
static __always_inline __u32 read_address(struct syscall *e, int i)
{
	const char *address = (const char *)e->args[i];
	__u32 size = e->args[i + 1], bytes;
	__u16 family;

	if (size < sizeof(family) || bpf_probe_read_user(&family, sizeof(family), address))
		return 0;
	if (family == AF_UNIX) {
		bytes = read_socket_path(e, address + sizeof(family), size - sizeof(family));
		e->texts = bytes ? 1 << i : 0;
		return bytes;
	}
	if ((family == AF_INET && size >= sizeof(struct ipv4_address) &&
	     read_ipv4(&e->peer, (const void *)address)) ||
	    (family == AF_INET6 && size >= sizeof(struct ipv6_address) &&
	     read_ipv6(&e->peer, (const void *)address)))
		e->texts = 1 << i;
	return 0;
}

/* Returns the number of bytes. */
static __always_inline __u32 read_memory(struct syscall *e, __u32 number, long result)
{
	struct memory_arguments arguments = memory_arguments_of(number);

	if (is_exec(number) && !result)
		return fill_exec(e, number);
	if (arguments.texts)
		return read_texts(e, arguments.texts);
	if (arguments.addresses & 1 << 1)
		return read_address(e, 1);
	return arguments.addresses & 1 << 4 ? read_address(e, 4) : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

static __always_inline int emit(unsigned long long *ctx, struct pt_regs *regs, __u32 number,
				long result, __u64 latency, struct call *call)
{
	struct syscall *e = peat_reserve_stacks(ctx, struct syscall);
	__u32 bytes;

	if (!e)
		return 0;
	e->call = number;
	e->result = is_interrupted(result) ? -EINTR : result;
	e->latency = latency;
	fill_counts(e, call);
	read_arguments(e->args, regs);
	e->texts = 0;
	e->peer = (struct peat_endpoint){};
	e->path_bytes = bytes = read_memory(e, number, result);
	barrier_var(bytes);
	bytes &= 2 * PATH_BYTES - 1; /* for older verifiers, likewise */
	return peat_submit_stacks_bytes(ctx, e, __builtin_offsetof(struct syscall, path) + bytes);
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
