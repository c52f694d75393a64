// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* own_header: opened, never loaded: unlocks a word as peat.bpf.h does, but in another header. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#include "my_peat.bpf.h"

struct numbered {
	__u64 number;
};

__u32 own;

SEC("raw_tp/own") int own_header(void *ctx)
{
	struct numbered *e = peat_reserve(ctx, struct numbered);

	if (!e)
		return 0;
	my_unlock(&own);
	return peat_submit(ctx, e);
}

/* of the operation */
const volatile __u32 own_line = MY_UNLOCK_LINE;
