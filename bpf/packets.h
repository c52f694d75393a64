/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* packets.h: the endpoints of packets, from their headers in a struct sk_buff. */
#ifndef BPF_PACKETS_H
#define BPF_PACKETS_H

#include <bpf/bpf_endian.h>
#include <peat/peat.bpf.h>

enum ethertype {
	IPv4 = 0x0800,
	ARP = 0x0806,
	VLAN = 0x8100,
	IPv6 = 0x86dd,
	MPLS = 0x8847,
	QinQ = 0x88a8,
	LLDP = 0x88cc,
};

enum ip_protocol {
	icmp = 1,
	igmp = 2,
	tcp = 6,
	udp = 17,
	gre = 47,
	esp = 50,
	icmpv6 = 58,
	sctp = 132,
	udplite = 136,
};

struct ipv4_header {
	__u8 version_words, service;
	__be16 bytes, id, fragment;
	__u8 ttl, protocol;
	__be16 checksum;
	__be32 from, to;
};

struct ipv6_header {
	__be32 version_flow;
	__be16 bytes;
	__u8 next, hops;
	__u8 from[16], to[16];
};

static __always_inline bool has_ports(__u8 protocol)
{
	return protocol == tcp || protocol == udp || protocol == sctp || protocol == udplite;
}

/* The ends of a packet; `protocol` 0: it has no IP header. */
struct packet_ends {
	struct peat_endpoint from, to;
	enum ip_protocol protocol;
};

/* Both return the transport header; 0: none in this fragment, or behind extension headers. */
static __always_inline const void *read_ipv4_ends(const void *at, struct packet_ends *ends)
{
	struct ipv4_header ip;

	if (bpf_probe_read_kernel(&ip, sizeof(ip), at) || ip.version_words >> 4 != 4)
		return 0;
	ends->protocol = ip.protocol;
	peat_set_ipv4(&ends->from, ip.from);
	peat_set_ipv4(&ends->to, ip.to);
	return ip.fragment & bpf_htons(0x1fff) ? 0 : at + (ip.version_words & 15) * 4;
}

static __always_inline const void *read_ipv6_ends(const void *at, struct packet_ends *ends)
{
	struct ipv6_header ip;

	if (bpf_probe_read_kernel(&ip, sizeof(ip), at) || (bpf_ntohl(ip.version_flow) >> 28) != 6)
		return 0;
	ends->protocol = ip.next;
	__builtin_memcpy(ends->from.address, ip.from, 16);
	__builtin_memcpy(ends->to.address, ip.to, 16);
	return at + sizeof(ip);
}

/* Reads the packet's IP header.  `ends` is all zero before. */
static __always_inline void read_packet_ends(const struct sk_buff *skb, __u16 ethertype,
					     struct packet_ends *ends)
{
	const void *at = BPF_CORE_READ(skb, head) + BPF_CORE_READ(skb, network_header);
	__be16 ports[2];

	if (ethertype == IPv4)
		at = read_ipv4_ends(at, ends);
	else if (ethertype == IPv6)
		at = read_ipv6_ends(at, ends);
	else
		return;
	if (!at || !has_ports(ends->protocol) || bpf_probe_read_kernel(ports, sizeof(ports), at))
		return;
	ends->from.port = ports[0];
	ends->to.port = ports[1];
}

#endif /* BPF_PACKETS_H */
