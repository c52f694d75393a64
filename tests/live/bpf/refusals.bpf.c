// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* refusals: an object without peat's header, some of whose programs the verifier refuses. */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

volatile __u64 limit = 3;

/* libbpf logs its relocation whenever it loads the program. */
#define ACCEPTED(name)                                                                             \
	SEC("raw_tp/sys_enter") int name(void *ctx)                                                \
	{                                                                                          \
		struct task_struct *task = (void *)bpf_get_current_task();                         \
		__u32 pid = BPF_CORE_READ(task, tgid);                                             \
                                                                                                   \
		if (limit == 4)                                                                    \
			bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &pid, sizeof(pid)); \
		return 0;                                                                          \
	}

/* It reads past its context. */
#define REFUSED(name)                                                                              \
	SEC("raw_tp/sys_enter") int name(void *ctx)                                                \
	{                                                                                          \
		return *(volatile int *)((char *)ctx + 4096 + limit);                              \
	}

/* More than a trial has after the first refusal. */
#define EIGHT(name)                                                                                \
	ACCEPTED(name##_1)                                                                         \
	ACCEPTED(name##_2)                                                                         \
	ACCEPTED(name##_3)                                                                         \
	ACCEPTED(name##_4)                                                                         \
	ACCEPTED(name##_5)                                                                         \
	ACCEPTED(name##_6)                                                                         \
	ACCEPTED(name##_7)                                                                         \
	ACCEPTED(name##_8)

ACCEPTED(accepted)
REFUSED(first)
REFUSED(second)
ACCEPTED(between)
REFUSED(third)
ACCEPTED(late)
ACCEPTED(later)
REFUSED(fourth)
EIGHT(ninth)
EIGHT(more)
ACCEPTED(last)
REFUSED(fifth)

char LICENSE[] SEC("license") = "Dual BSD/GPL";
