// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* tracepoints: a program on a tracepoint of tracefs, and two on tracepoints that no kernel has. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

struct getpgid {
	__u32 asked;
};

PEAT_OPTION(__u32, only_pid, 0, "the process to trace");

/* The payload of sys_enter_getpgid, as its format in tracefs has it. */
struct enter {
	__u64 common;
	__s64 number;
	__u64 args[6];
};

SEC("tracepoint/syscalls/sys_enter_getpgid")
int on_getpgid(struct enter *ctx)
{
	struct getpgid *e;

	if (bpf_get_current_pid_tgid() >> 32 != only_pid)
		return PEAT_RETURN(ctx);
	e = peat_reserve(ctx, struct getpgid);
	if (!e)
		return PEAT_RETURN(ctx);
	e->asked = (__u32)ctx->args[0];
	return peat_submit(ctx, e);
}

SEC("tp/syscalls/no_such_tracepoint") int missing(void *ctx)
{
	return PEAT_RETURN(ctx);
}

PEAT_OPTIONAL SEC("tp/no_such_category/sys_enter") int optional(void *ctx)
{
	return PEAT_RETURN(ctx);
}
