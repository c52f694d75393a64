/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * native_call.h: tells the system calls of this architecture from those of 32-bit programs, whose
 * numbers mean other calls on x86 and arm64.
 */
#ifndef NATIVE_CALL_H
#define NATIVE_CALL_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#if defined(__TARGET_ARCH_x86)
struct thread_info___mode {
	__u32 status;
} __attribute__((preserve_access_index));
#define COMPAT_MODE status
#define COMPAT_BIT  (1 << 1) /* TS_COMPAT */
#elif defined(__TARGET_ARCH_arm64)
struct thread_info___mode {
	unsigned long flags;
} __attribute__((preserve_access_index));
#define COMPAT_MODE flags
#define COMPAT_BIT  (1 << 22) /* TIF_32BIT */
#endif

#ifdef COMPAT_MODE
struct task_struct___mode {
	struct thread_info___mode thread_info;
} __attribute__((preserve_access_index));
#endif

static __always_inline bool is_native_call(const struct task_struct *task)
{
#ifdef COMPAT_MODE
	return !(BPF_CORE_READ((struct task_struct___mode *)task, thread_info.COMPAT_MODE) &
		 COMPAT_BIT);
#else
	return true;
#endif
}

/*
 * For a call that a program noted by thread: neither a call of a 32-bit program, nor one that a
 * thread which ended has left behind.  Its number is now that of another thread, which returns from
 * fork() without a call of its own.
 */
static __always_inline bool is_own_native_call(__u64 start_ns)
{
	struct task_struct *task = (struct task_struct *)bpf_get_current_task();

	return is_native_call(task) && BPF_CORE_READ(task, start_time) <= start_ns;
}

#endif /* NATIVE_CALL_H */
