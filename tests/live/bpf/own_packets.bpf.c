// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* own_packets: packets of a probe that states their link type: IPv4, without Ethernet's header. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#define ETHERNET      14
#define LINKTYPE_IPV4 228

struct own_packet {
	__u64 bytes;
	__u16 link, ifindex;
	__u8 data[64];
} PEAT_DOC("packets without Ethernet's header");

SEC("tc/ingress")
int on_ingress(struct __sk_buff *skb)
{
	struct own_packet *e = peat_reserve(skb, struct own_packet);
	__u64 copied;

	if (!e)
		return -1;
	e->bytes = skb->len - ETHERNET;
	e->link = LINKTYPE_IPV4;
	e->ifindex = skb->ifindex;
	copied = peat_copy_packet(skb, ETHERNET, e->data, sizeof(e->data));
	peat_submit_bytes(skb, e, __builtin_offsetof(struct own_packet, data) + copied);
	return -1; /* TC_ACT_UNSPEC */
}
