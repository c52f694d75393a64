// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/run_times.c: lets the kernel measure the run times of programs. */
#include <errno.h>

#include <bpf/bpf.h>

#include "session/run_times.h"

int run_times__enable(void)
{
	int fd = bpf_enable_stats(BPF_STATS_RUN_TIME);

	return fd < 0 ? -errno : fd;
}
