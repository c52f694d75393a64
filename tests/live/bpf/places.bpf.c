// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* places: programs that write to a perf event array, attached without a link of libbpf. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} places SEC(".maps");

static __always_inline int emit(void *ctx, int ret)
{
	__u32 number = 1;

	bpf_perf_event_output(ctx, &places, BPF_F_CURRENT_CPU, &number, sizeof(number));
	return ret;
}

SEC("tc")
int of_tc(struct __sk_buff *skb)
{
	return emit(skb, -1);
}

SEC("xdp")
int of_xdp(struct xdp_md *xdp)
{
	return emit(xdp, 2);
}

SEC("cgroup_skb/egress")
int of_cgroup(struct __sk_buff *skb)
{
	return emit(skb, 1);
}

SEC("uprobe")
int of_function(struct pt_regs *ctx)
{
	return emit(ctx, 0);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
