/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* saved_registers.h: the registers that the running task saved when it entered a system call. */
#ifndef SAVED_REGISTERS_H
#define SAVED_REGISTERS_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

enum bpf_func_id___saved {
	BPF_FUNC_task_pt_regs___saved = 175,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* The member with the number of the system call. */
struct pt_regs___saved {
#if defined(__TARGET_ARCH_x86)
	unsigned long orig_ax;
#elif defined(__TARGET_ARCH_arm64)
	int syscallno;
#elif defined(__TARGET_ARCH_s390)
	unsigned int int_code; /* in its low half */
#endif
};

#pragma clang attribute pop

static __always_inline bool is_number_saved(struct pt_regs___saved *saved, int number)
{
#if defined(__TARGET_ARCH_x86)
	return (int)BPF_CORE_READ(saved, orig_ax) == number;
#elif defined(__TARGET_ARCH_arm64)
	return BPF_CORE_READ(saved, syscallno) == number;
#elif defined(__TARGET_ARCH_s390)
	return (BPF_CORE_READ(saved, int_code) & 0xffff) == number;
#else
	return false;
#endif
}

/* The number of the system call, from the registers that tp_btf/sys_exit has. */
static __always_inline int saved_number(struct pt_regs *regs)
{
	struct pt_regs___saved *saved = (void *)regs;

#if defined(__TARGET_ARCH_x86)
	return PEAT_READ(saved, orig_ax);
#elif defined(__TARGET_ARCH_arm64)
	return PEAT_READ(saved, syscallno);
#elif defined(__TARGET_ARCH_s390)
	return PEAT_READ(saved, int_code) & 0xffff;
#else
	return -1;
#endif
}

#define KIB 1024

/* With FRED (Linux 6.9), x86 has two words after the registers. */
static __always_inline struct pt_regs *find_before(char *stack_end, int number)
{
	struct pt_regs___saved *saved = (void *)(stack_end - bpf_core_type_size(*saved));

	if (is_number_saved(saved, number))
		return (struct pt_regs *)saved;
	saved = (void *)((char *)saved - 16);
	return is_number_saved(saved, number) ? (struct pt_regs *)saved : 0;
}

/*
 * The registers are at the end of the task's stack, which has 16 KiB, or more with KASAN or 64-KiB
 * pages.  Memory after the stack is unmapped, or has no such number in this place.
 */
static __always_inline struct pt_regs *find_saved_registers(int number)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();
	char *stack = BPF_CORE_READ(task, stack);
	struct pt_regs *found;

#pragma unroll
	for (int kib = 16; kib <= 64; kib *= 2) {
		found = find_before(stack + kib * KIB, number);
		if (found)
			return found;
	}
	return 0;
}

/*
 * `number`: of the system call.  Linux before 5.15 has no helper for it, nor have kernels without
 * BTF. NULL if they are not found there: reads of them by PT_REGS_PARM1_CORE_SYSCALL() then return
 * 0.
 */
static __always_inline struct pt_regs *saved_registers(int number)
{
	if (peat_no_btf ||
	    !bpf_core_enum_value_exists(enum bpf_func_id___saved, BPF_FUNC_task_pt_regs___saved))
		return find_saved_registers(number);
	return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

#endif /* SAVED_REGISTERS_H */
