// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* second: beside options, in one session. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

PEAT_OPTION(__u8, byte, 3, "a byte");

struct second_event {
	__u64 number;
};

SEC("raw_tp/sys_enter")
int second(void *ctx)
{
	struct second_event *e = peat_reserve(ctx, struct second_event);

	if (!e)
		return 0;
	e->number = byte;
	return peat_submit(ctx, e);
}
