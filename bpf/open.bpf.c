// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * open: files that are opened, and failed attempts.  System calls of 32-bit programs on a 64-bit
 * kernel are missing, since they have no tracepoints.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "saved_registers.h"

/* Flags of open(2).  The kernel's BTF does not have them. */
enum open_flag {
	O_RDONLY = 0,
	O_WRONLY = 01,
	O_RDWR = 02,
	O_CREAT = 0100,
	O_EXCL = 0200,
	O_NOCTTY = 0400,
	O_TRUNC = 01000,
	O_APPEND = 02000,
	O_NONBLOCK = 04000,
	O_DSYNC = 010000,
	O_ASYNC = 020000,
#ifdef __TARGET_ARCH_arm64
	O_DIRECTORY = 040000,
	O_NOFOLLOW = 0100000,
	O_DIRECT = 0200000,
	O_LARGEFILE = 0400000,
#else
	O_DIRECT = 040000,
	O_LARGEFILE = 0100000,
	O_DIRECTORY = 0200000,
	O_NOFOLLOW = 0400000,
#endif
	O_NOATIME = 01000000,
	O_CLOEXEC = 02000000,
	O_SYNC = 04000000 | O_DSYNC,
	O_PATH = 010000000,
	O_TMPFILE = 020000000 | O_DIRECTORY,
};

struct open {
	peat_errno_t result PEAT_DOC("file descriptor or error");
	enum open_flag flags PEAT_AS(flags);
	peat_duration_t latency PEAT_RARE PEAT_DOC("measured with slow; else 0");
	char path[256] PEAT_DOC("as passed by the program");
	PEAT_STACKS;
} PEAT_DOC("files opened, and failures to open") PEAT_SUBJECT(files)
	PEAT_LIKE("opensnoop, statsnoop");

PEAT_OPTION(bool, failed, false, "only failures");
PEAT_OPTION(peat_duration_t, slow, 0, "only what took at least this, measured");

/* ---- how long it takes ----------------------------------------------------------------------- */

/* By thread: when the call began.  Only with slow. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, __u32);
	__type(value, __u64);
} open_starts SEC(".maps");

static __always_inline int note_start(void *ctx)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 now;

	if (!peat_accepts_current())
		return PEAT_RETURN(ctx);
	now = bpf_ktime_get_ns();
	bpf_map_update_elem(&open_starts, &tid, &now, BPF_ANY);
	return PEAT_RETURN(ctx);
}

PEAT_IF(slow) SEC("tp/syscalls/sys_enter_openat") int on_openat_enter(void *ctx)
{
	return note_start(ctx);
}

PEAT_IF(slow) SEC("tp/syscalls/sys_enter_openat2") int on_openat2_enter(void *ctx)
{
	return note_start(ctx);
}

PEAT_OPTIONAL PEAT_IF(slow) SEC("tp/syscalls/sys_enter_open") int on_open_enter(void *ctx)
{
	return note_start(ctx);
}

PEAT_OPTIONAL PEAT_IF(slow) SEC("tp/syscalls/sys_enter_creat") int on_creat_enter(void *ctx)
{
	return note_start(ctx);
}

/* False: the call began before the probe, or was not slow. */
static __always_inline bool is_slow(__u64 *latency)
{
	__u32 tid = bpf_get_current_pid_tgid();
	__u64 *start = bpf_map_lookup_elem(&open_starts, &tid);

	if (!start)
		return false;
	*latency = bpf_ktime_get_ns() - *start;
	bpf_map_delete_elem(&open_starts, &tid);
	return *latency >= slow;
}

/* ---- its end --------------------------------------------------------------------------------- */

/*
 * The programs run at the exit of the system call: the kernel has read the path by then, so its
 * page is present.  The saved registers still have the arguments.
 */

static __always_inline int emit(struct syscall_trace_exit *ctx, __u64 path, __u64 flags)
{
	long bytes, result = ctx->ret;
	__u64 latency = 0;
	struct open *e;

	if ((failed && result >= 0) || (slow && !is_slow(&latency)))
		return PEAT_RETURN(ctx);
	e = peat_reserve_stacks(ctx, struct open);
	if (!e)
		return PEAT_RETURN(ctx);
	e->result = result;
	e->flags = flags;
	e->latency = latency;
	e->path[0] = '\0';
	bytes = bpf_probe_read_user_str(e->path, sizeof(e->path), (const void *)path);
	if (bytes < 1)
		bytes = 1;
	return peat_submit_stacks_bytes(ctx, e, __builtin_offsetof(struct open, path) + bytes);
}

SEC("tp/syscalls/sys_exit_openat")
int on_openat(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);

	return emit(ctx, PT_REGS_PARM2_CORE_SYSCALL(regs), PT_REGS_PARM3_CORE_SYSCALL(regs));
}

SEC("tp/syscalls/sys_exit_openat2")
int on_openat2(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);
	__u64 flags = 0; /* the first member of struct open_how */

	bpf_probe_read_user(&flags, sizeof(flags), (const void *)PT_REGS_PARM3_CORE_SYSCALL(regs));
	return emit(ctx, PT_REGS_PARM2_CORE_SYSCALL(regs), flags);
}

/* arm64 does not have these two system calls. */
PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_open") int on_open(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);

	return emit(ctx, PT_REGS_PARM1_CORE_SYSCALL(regs), PT_REGS_PARM2_CORE_SYSCALL(regs));
}

PEAT_OPTIONAL SEC("tp/syscalls/sys_exit_creat") int on_creat(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);

	return emit(ctx, PT_REGS_PARM1_CORE_SYSCALL(regs), O_CREAT | O_WRONLY | O_TRUNC);
}
