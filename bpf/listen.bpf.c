// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * listen: sockets that are bound to an address, and that listen.  System calls of 32-bit programs
 * on a 64-bit kernel are missing, since they have no tracepoints.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "saved_registers.h"
#include "socketcall.h"
#include "sockets.h"

enum listen_op { bind, listen };

struct listen {
	enum listen_op op;
	enum transport protocol PEAT_DOC("number of the protocol; 0: the socket is gone");
	struct peat_endpoint address
		PEAT_DOC("of the socket; after a failed bind, the one asked for");
	__s32 backlog PEAT_DOC("listen: connections that may wait; -1: bind");
	peat_errno_t result;
	PEAT_STACKS;
} PEAT_DOC("addresses that are bound, and sockets that listen") PEAT_SUBJECT(network)
	PEAT_LIKE("bindsnoop, solisten");

PEAT_OPTION(bool, failed, false, "only failures");

#define EBADF	 9
#define ENOTSOCK 88

/* The address that the program asked for.  False: of another family. */
static __always_inline bool read_asked(__u64 pointer, struct peat_endpoint *end)
{
	/* The start of struct sockaddr_in, and of sockaddr_in6. */
	struct {
		__u16 family;
		__be16 port;
		__be32 ipv4, ipv6[4];
	} asked = {};

	bpf_probe_read_user(&asked, 8, (const void *)pointer);
	end->port = asked.port;
	if (asked.family == AF_INET) {
		peat_set_ipv4(end, asked.ipv4);
		return true;
	}
	if (asked.family != AF_INET6)
		return false;
	bpf_probe_read_user(&asked, sizeof(asked), (const void *)pointer);
	__builtin_memcpy(end->address, asked.ipv6, 16);
	return true;
}

static __always_inline bool is_of_internet(const struct sock *sk)
{
	__u16 family = BPF_CORE_READ(sk, __sk_common.skc_family);

	return family == AF_INET || family == AF_INET6;
}

static __always_inline int emit(struct syscall_trace_exit *ctx, const struct listen *from)
{
	struct listen *e = peat_reserve_stacks(ctx, struct listen);

	if (!e)
		return PEAT_RETURN(ctx);
	__builtin_memcpy(e, from, __builtin_offsetof(struct listen, stack));
	return peat_submit_stacks(ctx, e);
}

/* The socket of a call that did not fail because of its descriptor. */
static __always_inline struct sock *socket_in_call(__u32 fd, long result)
{
	return result == -EBADF || result == -ENOTSOCK ? 0 : socket_of(fd);
}

static __always_inline int bind_returned(struct syscall_trace_exit *ctx, __u32 fd, __u64 address)
{
	struct listen bound = { .op = bind, .backlog = -1, .result = ctx->ret };
	struct sock *sk = socket_in_call(fd, ctx->ret);

	if (!read_asked(address, &bound.address) || (sk && !is_of_internet(sk)))
		return PEAT_RETURN(ctx);
	if (sk) /* NULL can be read on s390x */
		bound.protocol = BPF_CORE_READ(sk, sk_protocol);
	if (!ctx->ret && sk)
		read_local(&sk->__sk_common, &bound.address);
	return emit(ctx, &bound);
}

static __always_inline int listen_returned(struct syscall_trace_exit *ctx, __u32 fd, int backlog)
{
	struct listen listening = { .op = listen, .backlog = backlog, .result = ctx->ret };
	struct sock *sk = socket_in_call(fd, ctx->ret);

	if (!sk || !is_of_internet(sk))
		return PEAT_RETURN(ctx);
	listening.protocol = BPF_CORE_READ(sk, sk_protocol);
	read_local(&sk->__sk_common, &listening.address);
	return emit(ctx, &listening);
}

SEC("tp/syscalls/sys_exit_bind")
int on_bind(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);

	if (failed && ctx->ret >= 0)
		return PEAT_RETURN(ctx);
	return bind_returned(ctx, PT_REGS_PARM1_CORE_SYSCALL(regs),
			     PT_REGS_PARM2_CORE_SYSCALL(regs));
}

SEC("tp/syscalls/sys_exit_listen")
int on_listen(struct syscall_trace_exit *ctx)
{
	struct pt_regs *regs = saved_registers(ctx->nr);

	if (failed && ctx->ret >= 0)
		return PEAT_RETURN(ctx);
	return listen_returned(ctx, PT_REGS_PARM1_CORE_SYSCALL(regs),
			       PT_REGS_PARM2_CORE_SYSCALL(regs));
}

#if defined(__TARGET_ARCH_s390)
SEC("tp/syscalls/sys_exit_socketcall")
int on_socketcall(struct syscall_trace_exit *ctx)
{
	struct socketcall made;

	if (failed && ctx->ret >= 0)
		return PEAT_RETURN(ctx);
	made = read_socketcall(ctx->nr);
	if (made.call == CALL_BIND)
		return bind_returned(ctx, made.args[0], made.args[1]);
	if (made.call == CALL_LISTEN)
		return listen_returned(ctx, made.args[0], made.args[1]);
	return PEAT_RETURN(ctx);
}
#endif
