/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* channel/pid_numbers.bpf.h: the numbers that a task has in the pid namespaces. */
#ifndef PEAT_CHANNEL_PID_NUMBERS_BPF_H
#define PEAT_CHANNEL_PID_NUMBERS_BPF_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

/* The kernel types that are read, independent of vmlinux.h. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct upid___peat {
	int nr;
	void *ns;
};

struct pid___peat {
	unsigned int level;
	struct upid___peat numbers[1];
};

#pragma clang attribute pop

/* The number in the pid namespace of this depth below the initial one; at most pid->level. */
static __always_inline void pid_numbers__read(const struct pid___peat *pid, __u64 level,
					      struct upid___peat *number)
{
	const void *numbers = __builtin_preserve_access_index(&pid->numbers);

	bpf_probe_read_kernel(number, sizeof(*number), numbers + level * sizeof(*number));
}

#endif /* PEAT_CHANNEL_PID_NUMBERS_BPF_H */
