/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * function_arguments.h: the sixth and seventh argument of a function, for programs of uprobes.
 * libbpf has macros for five, since 1.2 for more.
 */
#ifndef FUNCTION_ARGUMENTS_H
#define FUNCTION_ARGUMENTS_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/* A word of the stack at the function's entry; 0: it cannot be read. */
static __always_inline __u64 stack_argument(struct pt_regs *ctx, __u64 offset)
{
	__u64 value = 0;

	bpf_probe_read_user(&value, sizeof(value), (void *)(PT_REGS_SP(ctx) + offset));
	return value;
}

#if defined(__TARGET_ARCH_x86)
#define argument_6(ctx) ((ctx)->r9)
#define argument_7(ctx) stack_argument(ctx, 8) /* after the return address */
#elif defined(__TARGET_ARCH_arm64)
#define argument_6(ctx) (((struct user_pt_regs *)(ctx))->regs[5])
#define argument_7(ctx) (((struct user_pt_regs *)(ctx))->regs[6])
#elif defined(__TARGET_ARCH_s390)
#define argument_6(ctx) stack_argument(ctx, 160) /* after the register save area */
#define argument_7(ctx) stack_argument(ctx, 168)
#else
#error "which registers have the arguments?"
#endif

#endif /* FUNCTION_ARGUMENTS_H */
