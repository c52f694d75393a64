// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* packet: incoming and outgoing packets on the interfaces of --if, by tc. */
#include <vmlinux.h>
#include <bpf/bpf_endian.h>
#include <peat/peat.bpf.h>

#include "packets.h"

#define CONTINUE (-1) /* TC_ACT_UNSPEC */
#define SNAP_MAX 2048

enum packet_direction { in, out };

enum tcp_flag {
	FIN = 1,
	SYN = 2,
	RST = 4,
	PSH = 8,
	ACK = 16,
	URG = 32,
	ECE = 64,
	CWR = 128,
};

#define PACKET_HEADERS                                                                             \
	enum packet_direction direction;                                                           \
	__u32 ifindex PEAT_MINOR PEAT_DOC("interface index");                                      \
	__u32 bytes PEAT_MINOR PEAT_DOC("length with all headers");                                \
	enum ethertype ethertype PEAT_MINOR;                                                       \
	enum ip_protocol protocol PEAT_DOC("above IP; 0: not IP");                                 \
	struct peat_endpoint from, to;                                                             \
	enum tcp_flag tcp_flags PEAT_AS(flags);

/* The members that are set before the event is reserved. */
struct headers {
	PACKET_HEADERS
};

struct packet {
	PACKET_HEADERS
	__u8 data[SNAP_MAX] PEAT_MINOR PEAT_DOC("first bytes, see option snap");
	PEAT_STACKS;
} PEAT_DOC("packets on the interfaces of --if") PEAT_SUBJECT(network) PEAT_LIKE("tcpdump");

#define DATA_AT __builtin_offsetof(struct packet, data)
_Static_assert(DATA_AT == sizeof(struct headers), "the headers are the start of a packet");

PEAT_OPTION(enum ip_protocol, proto, 0, "only this protocol, a name or a number; 0: all");
PEAT_OPTION(__u16, port, 0, "only packets from or to this port; 0: all");
PEAT_OPTION(__u32, snap, 0, "bytes of each packet to copy, at most 2048");

/* ---- headers -----------------------------------------------------------------------------------
 */

struct extension {
	__u8 next, size;
	__be16 fragment;
};

enum { HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, AUTHENTICATION = 51, DESTINATION = 60 };

#define EXTENSIONS_MAX 6
#define NO_TRANSPORT   0 /* no transport header in this fragment, or not found */

#define load_net(skb, offset, to) bpf_skb_load_bytes_relative(skb, offset, &(to), sizeof(to), 1)

/* Both return the offset of the transport header from the network header. */
static __always_inline __u32 read_ipv4(struct __sk_buff *skb, struct headers *packet)
{
	struct ipv4_header ip;

	if (load_net(skb, 0, ip))
		return NO_TRANSPORT;
	packet->protocol = ip.protocol;
	peat_set_ipv4(&packet->from, ip.from);
	peat_set_ipv4(&packet->to, ip.to);
	return ip.fragment & bpf_htons(0x1fff) ? NO_TRANSPORT : (ip.version_words & 15) * 4;
}

static __always_inline bool is_extension(__u8 next)
{
	return next == HOP_BY_HOP || next == ROUTING || next == FRAGMENT ||
	       next == AUTHENTICATION || next == DESTINATION;
}

static __always_inline __u32 extension_bytes(__u8 type, const struct extension *extension)
{
	if (type == FRAGMENT)
		return 8;
	return type == AUTHENTICATION ? (extension->size + 2) * 4 : (extension->size + 1) * 8;
}

static __always_inline __u32 read_ipv6(struct __sk_buff *skb, struct headers *packet)
{
	__u32 offset = sizeof(struct ipv6_header);
	struct extension extension;
	struct ipv6_header ip;
	__u8 next;

	if (load_net(skb, 0, ip))
		return NO_TRANSPORT;
	__builtin_memcpy(packet->from.address, ip.from, 16);
	__builtin_memcpy(packet->to.address, ip.to, 16);
	next = ip.next;
	for (int i = 0; i < EXTENSIONS_MAX && is_extension(next); i++) {
		if (load_net(skb, offset, extension))
			return NO_TRANSPORT;
		if (next == FRAGMENT && extension.fragment & bpf_htons(0xfff8)) {
			packet->protocol = extension.next;
			return NO_TRANSPORT;
		}
		offset += extension_bytes(next, &extension);
		next = extension.next;
	}
	packet->protocol = next;
	return is_extension(next) ? NO_TRANSPORT : offset;
}

static __always_inline void read_ports(struct __sk_buff *skb, __u32 offset, struct headers *packet)
{
	__be16 ports[2];
	__u8 flags;

	if (packet->protocol != tcp && packet->protocol != udp && packet->protocol != sctp &&
	    packet->protocol != udplite)
		return;
	if (load_net(skb, offset, ports))
		return;
	packet->from.port = ports[0];
	packet->to.port = ports[1];
	if (packet->protocol == tcp && !load_net(skb, offset + 13, flags))
		packet->tcp_flags = flags;
}

static __always_inline void read_headers(struct __sk_buff *skb, struct headers *packet)
{
	__u32 transport = NO_TRANSPORT;

	packet->ethertype = bpf_ntohs(skb->protocol);
	if (packet->ethertype == IPv4)
		transport = read_ipv4(skb, packet);
	else if (packet->ethertype == IPv6)
		transport = read_ipv6(skb, packet);
	if (transport != NO_TRANSPORT)
		read_ports(skb, transport, packet);
}

/* ---- VLAN tags ---------------------------------------------------------------------------------
 */

/* The kernel keeps the outer tag of a packet apart from its bytes, also for devices that do so. */
struct vlan_tag {
	__be16 ethertype, control;
};

#define MACS_BYTES (2 * 6) /* both addresses, which are before the tag */
#define TAG_END	   (MACS_BYTES + sizeof(struct vlan_tag))

static __always_inline __u32 wire_bytes(const struct __sk_buff *skb)
{
	return skb->len + (skb->vlan_present ? sizeof(struct vlan_tag) : 0);
}

/* Copies the start of the packet as it is on the wire, with its tag. */
static __always_inline __u64 copy_wire(struct __sk_buff *skb, __u8 *to, __u64 most)
{
	struct vlan_tag tag;

	if (!skb->vlan_present)
		return peat_copy_packet(skb, 0, to, most);
	if (most < TAG_END)
		return peat_copy_packet(skb, 0, to, most < MACS_BYTES ? most : MACS_BYTES);
	if (peat_copy_packet(skb, 0, to, MACS_BYTES) < MACS_BYTES)
		return 0;
	tag.ethertype = skb->vlan_proto;
	tag.control = bpf_htons(skb->vlan_tci);
	__builtin_memcpy(to + MACS_BYTES, &tag, sizeof(tag));
	return TAG_END + peat_copy_packet(skb, MACS_BYTES, to + TAG_END, most - TAG_END);
}

/* ---- events ------------------------------------------------------------------------------------
 */

static __always_inline bool is_wanted(const struct headers *packet)
{
	if (proto && packet->protocol != proto)
		return false;
	return !port || packet->from.port == bpf_htons(port) || packet->to.port == bpf_htons(port);
}

static __always_inline int emit(struct __sk_buff *skb, enum packet_direction direction)
{
	__u64 most = snap < SNAP_MAX ? snap : SNAP_MAX;
	struct headers packet = { .direction = direction,
				  .ifindex = skb->ifindex,
				  .bytes = wire_bytes(skb) };
	struct packet *e;

	read_headers(skb, &packet);
	if (!is_wanted(&packet))
		return CONTINUE;
	e = peat_reserve_stacks(skb, struct packet);
	if (!e)
		return CONTINUE;
	__builtin_memcpy(e, &packet, sizeof(packet));
	peat_submit_stacks_bytes(skb, e, DATA_AT + copy_wire(skb, e->data, most));
	return CONTINUE;
}

SEC("tc/ingress")
int on_ingress(struct __sk_buff *skb)
{
	return emit(skb, in);
}

SEC("tc/egress")
int on_egress(struct __sk_buff *skb)
{
	return emit(skb, out);
}
