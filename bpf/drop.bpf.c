// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * drop: packets that the kernel drops, and why.  The kernel has reasons since Linux 5.17; before,
 * all packets that it frees by kfree_skb() are shown.
 */
#include <vmlinux.h>
#include <bpf/bpf_tracing.h>
#include <peat/peat.bpf.h>

#include "packets.h"

/* On kernels that have none. */
enum drop_reason { unknown };

struct drop {
	enum drop_reason reason PEAT_KERNEL_ENUM(skb_drop_reason, SKB_DROP_REASON_)
		PEAT_DOC("unknown: before Linux 5.17");
	struct peat_endpoint from, to;
	enum ip_protocol protocol PEAT_DOC("above IP; 0: not IP");
	__u32 bytes PEAT_DOC("length of the packet, from the header of its present layer on")
		PEAT_MINOR;
	__u32 ifindex PEAT_DOC("interface index; 0: none") PEAT_MINOR;
	enum ethertype ethertype PEAT_MINOR;
	peat_kaddr_t location PEAT_DOC("the place in the kernel");
	PEAT_STACKS;
} PEAT_DOC("packets that the kernel drops, and why") PEAT_SUBJECT(network)
	PEAT_LIKE("dropwatch, tcpdrop, skbdrop");

PEAT_OPTION(bool, all, false, "also packets without a reason, and messages that are no packets");

/* Values of the running kernel. */
enum skb_drop_reason___drop {
	SKB_CONSUMED___drop,
	SKB_DROP_REASON_NOT_SPECIFIED___drop,
};

static __always_inline bool has_reasons(void)
{
	return bpf_core_type_exists(enum skb_drop_reason___drop);
}

static __always_inline bool is_noise(__u32 reason)
{
	if (reason ==
	    bpf_core_enum_value(enum skb_drop_reason___drop, SKB_DROP_REASON_NOT_SPECIFIED___drop))
		return true;
	return bpf_core_enum_value_exists(enum skb_drop_reason___drop, SKB_CONSUMED___drop) &&
	       reason == bpf_core_enum_value(enum skb_drop_reason___drop, SKB_CONSUMED___drop);
}

SEC("tp_btf/kfree_skb")
int BPF_PROG(on_free, struct sk_buff *skb, void *location)
{
	struct packet_ends ends = {};
	__u32 reason = 0;
	__u16 ethertype;
	struct drop *e;

	if (has_reasons()) {
		reason = ctx[2];
		if (!all && is_noise(reason))
			return 0;
	}
	/* Messages of netlink and of Unix sockets have no protocol. */
	ethertype = bpf_ntohs(BPF_CORE_READ(skb, protocol));
	if (!all && !ethertype)
		return 0;
	read_packet_ends(skb, ethertype, &ends);
	e = peat_reserve_stacks(ctx, struct drop);
	if (!e)
		return 0;
	e->reason = reason;
	e->protocol = ends.protocol;
	e->from = ends.from;
	e->to = ends.to;
	e->bytes = BPF_CORE_READ(skb, len);
	e->ifindex = BPF_CORE_READ(skb, dev, ifindex);
	e->ethertype = ethertype;
	e->location = (__u64)location;
	return peat_submit_stacks(ctx, e);
}
