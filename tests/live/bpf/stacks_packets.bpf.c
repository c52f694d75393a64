// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * stacks_packets: programs of packets, whose stacks the kernel samples.  Each emits three numbered
 * events, of which the second has a stack.  The tests load one at a time.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#include "take.bpf.h"

__u64 submitted = 0, refused = 0;

struct plain {
	__u64 number;
};

struct stacked {
	__u64 number;
	PEAT_STACKS;
};

#define EMIT_PLAIN(ctx)                                                                            \
	({                                                                                         \
		struct plain *e = peat_reserve(ctx, struct plain);                                 \
                                                                                                   \
		if (e) {                                                                           \
			e->number = TAKE(submitted);                                               \
			peat_submit(ctx, e);                                                       \
		} else {                                                                           \
			__sync_fetch_and_add(&refused, 1);                                         \
		}                                                                                  \
	})

#define EMIT_STACKED(ctx)                                                                          \
	({                                                                                         \
		struct stacked *e = peat_reserve_stacks(ctx, struct stacked);                      \
                                                                                                   \
		if (e) {                                                                           \
			e->number = TAKE(submitted);                                               \
			peat_submit_stacks(ctx, e);                                                \
		} else {                                                                           \
			__sync_fetch_and_add(&refused, 1);                                         \
		}                                                                                  \
	})

#define EMIT(ctx)                                                                                  \
	EMIT_PLAIN(ctx);                                                                           \
	EMIT_STACKED(ctx);                                                                         \
	EMIT_PLAIN(ctx)

SEC("tc")
int of_tc(struct __sk_buff *ctx)
{
	EMIT(ctx);
	return 0;
}

SEC("xdp")
int of_xdp(struct xdp_md *ctx)
{
	EMIT(ctx);
	return 2;
}

SEC("cgroup_skb/egress")
int of_cgroup_skb(struct __sk_buff *ctx)
{
	EMIT(ctx);
	return 1;
}
