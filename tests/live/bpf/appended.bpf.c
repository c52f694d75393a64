// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* appended: a program without peat's header: the kernel appends the packet to its event. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define APPENDED_MAX 100

struct appended {
	__u32 length;
	__u32 appended;
	__u8 data[] __attribute__((btf_decl_tag("peat:len:appended")));
};

struct appended appended_type = {}; /* so that it is in the BTF */

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} appended_events SEC(".maps");

SEC("tc/egress")
int appended_egress(struct __sk_buff *skb)
{
	struct appended head = { .length = skb->len };
	__u64 appended = skb->len < APPENDED_MAX ? skb->len : APPENDED_MAX;

	head.appended = appended;
	bpf_perf_event_output(skb, &appended_events, appended << 32 | BPF_F_CURRENT_CPU, &head,
			      sizeof(head));
	return -1;
}

char appended_license[] SEC("license") = "GPL";
