/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * socketcall.h: arguments of socketcall(2), by which the C library makes all calls of sockets on
 * s390x.  Their own system calls exist there, too (Linux 4.3).
 */
#ifndef SOCKETCALL_H
#define SOCKETCALL_H

#include <vmlinux.h>
#include <bpf/bpf_tracing.h>

#include "saved_registers.h"

/* include/uapi/linux/net.h */
enum socket_call { CALL_BIND = 2, CALL_LISTEN = 4, CALL_ACCEPT = 5, CALL_ACCEPT4 = 18 };

struct socketcall {
	int call;	       /* enum socket_call, or another */
	unsigned long args[2]; /* the first two of the call; 0 if they cannot be read */
};

/* `number`: of the system call socketcall. */
static __always_inline struct socketcall read_socketcall(int number)
{
	struct pt_regs *regs = saved_registers(number);
	struct socketcall socketcall = { .call = PT_REGS_PARM1_CORE_SYSCALL(regs) };

	bpf_probe_read_user(socketcall.args, sizeof(socketcall.args),
			    (const void *)PT_REGS_PARM2_CORE_SYSCALL(regs));
	return socketcall;
}

#endif /* SOCKETCALL_H */
