/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * vmlinux.h: the kernel types that the probes of this tree use, and of those only the members they
 * read: CO-RE finds each member's place in the running kernel when a program is loaded.  For all
 * types of the running kernel: make vmlinux.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

typedef unsigned char __u8;
typedef signed char __s8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef _Bool bool;
enum { false = 0, true = 1 };
typedef __s32 pid_t;

enum bpf_map_type {
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PERF_EVENT_ARRAY = 4,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
};

enum {
	BPF_F_CURRENT_CPU = 0xffffffffULL,
	BPF_F_MMAPABLE = 1024,
};

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mm_struct {
	unsigned long arg_start;
	unsigned long arg_end;
};

struct task_struct {
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct mm_struct *mm;
};

struct linux_binprm {
	const char *filename;
};

struct bpf_raw_tracepoint_args {
	__u64 args[0];
};

#pragma clang attribute pop

#endif /* __VMLINUX_H__ */
