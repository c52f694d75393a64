// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* options: an object that is opened and never loaded: options and filters of peat.bpf.h. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

PEAT_OPTION(__u8, small, 3, "a byte");
PEAT_OPTION(__s16, middle, -2, "two bytes");
PEAT_OPTION(__u64, large, 5, "eight bytes");
const volatile char text[8] __attribute__((btf_decl_tag("peat:option:a text"))) = "default";
const volatile __u8 other = 9;

struct event {
	__u64 number;
};

SEC("raw_tp/sys_enter")
int options(void *ctx)
{
	struct event *e = peat_reserve(ctx, struct event);

	if (!e)
		return 0;
	e->number = small + middle + large + text[0] + other;
	return peat_submit(ctx, e);
}
