// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* old_sections: programs on packets, with sections that only other loaders know. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

char LICENSE[] SEC("license") = "Dual BSD/GPL";

static __always_inline int send(void *ctx, int result)
{
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &result, sizeof(result));
	return result;
}

SEC("xdp_pass") int on_xdp(struct xdp_md *xdp)
{
	return send(xdp, 2); /* XDP_PASS */
}

SEC("classifier_any") int on_both(struct __sk_buff *skb)
{
	return send(skb, -1); /* TC_ACT_UNSPEC */
}

SEC("tc_egress") int on_egress(struct __sk_buff *skb)
{
	return send(skb, -1);
}

SEC("socket1") int on_socket(struct __sk_buff *skb)
{
	return send(skb, -1);
}
