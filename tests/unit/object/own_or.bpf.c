// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* own_or: opened, never loaded: has an atomic operation without a result that is no addition. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

struct numbered {
	__u64 number;
};

__u64 own;

SEC("raw_tp/own") int own_or(void *ctx)
{
	struct numbered *e = peat_reserve(ctx, struct numbered);

	if (!e)
		return 0;
	__sync_fetch_and_or(&own, 1);
	return peat_submit(ctx, e);
}

/* of the operation */
const volatile __u32 own_line = __LINE__ - 5;
