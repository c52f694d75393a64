// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* own_fetch: opened, never loaded: uses the result of an atomic addition. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

struct numbered {
	__u64 number;
};

__u64 own;

SEC("raw_tp/own") int own_fetch(void *ctx)
{
	struct numbered *e = peat_reserve(ctx, struct numbered);

	if (!e)
		return 0;
	e->number = __sync_fetch_and_add(&own, 1);
	return peat_submit(ctx, e);
}

/* of the operation */
const volatile __u32 own_line = __LINE__ - 5;
