// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* followed: as xdpdump does it: the kernel appends the packet to a struct of fixed size. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define FOLLOWED_MAX 100

struct followed {
	__u32 ifindex;
	__u16 pkt_len, cap_len;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} packets SEC(".maps");

struct followed followed_type = {}; /* so that it is in the BTF */

SEC("tc/egress")
int followed_egress(struct __sk_buff *skb)
{
	struct followed head = { .ifindex = skb->ifindex, .pkt_len = skb->len };
	__u64 bytes = skb->len < FOLLOWED_MAX ? skb->len : FOLLOWED_MAX;

	head.cap_len = bytes;
	bpf_perf_event_output(skb, &packets, bytes << 32 | BPF_F_CURRENT_CPU, &head, sizeof(head));
	return -1; /* TC_ACT_UNSPEC */
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
