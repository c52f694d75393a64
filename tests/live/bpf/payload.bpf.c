// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* payload: whole packets, from XDP and from tc. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#define PAYLOAD_MAX 4000

struct payload {
	__u32 copied;
	__u8 data[PAYLOAD_MAX] PEAT_LEN(copied);
};

PEAT_OPTION(__u32, from, 0, "where in the packet to begin");

SEC("xdp")
int on_xdp(struct xdp_md *xdp)
{
	struct payload *e = peat_reserve(xdp, struct payload);

	if (!e)
		return 2;
	e->copied = peat_copy_packet(xdp, from, e->data, PAYLOAD_MAX);
	peat_submit(xdp, e);
	return 2; /* XDP_PASS */
}

SEC("tc")
int on_tc(struct __sk_buff *skb)
{
	struct payload *e = peat_reserve(skb, struct payload);

	if (!e)
		return -1;
	e->copied = peat_copy_packet(skb, from, e->data, PAYLOAD_MAX);
	peat_submit(skb, e);
	return -1; /* TC_ACT_UNSPEC */
}
