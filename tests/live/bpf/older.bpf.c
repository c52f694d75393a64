// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * older: counts programs that are started, with a peat.bpf.h that has no map of descendants and one
 * constant for the ids.
 */
#define peat_descendants peat_other_map
#define peat_head_bytes	 peat_other_bytes
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

const volatile __u32 peat_with_ids = 1;

struct started {
	__u32 pid;
};

SEC("raw_tp/sched_process_exec")
int on_exec(struct bpf_raw_tracepoint_args *ctx)
{
	struct started *e = peat_reserve(ctx, struct started);

	if (!e)
		return 0;
	e->pid = bpf_get_current_pid_tgid() >> 32;
	return peat_submit(ctx, e);
}
