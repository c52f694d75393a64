// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* sleeper: a sleepable program, which may not emit. */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

struct slept {
	__u64 number;
};

SEC("uprobe.s")
int sleeper(void *ctx)
{
	struct slept *e = peat_reserve(ctx, struct slept);

	if (!e)
		return 0;
	e->number = 1;
	return peat_submit(ctx, e);
}
