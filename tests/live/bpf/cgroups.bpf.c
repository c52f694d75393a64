// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* cgroups: programs that are attached to cgroups, in an object without peat's header. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} calls SEC(".maps");

/* The begin of the kernel's struct. */
struct bpf_sock_addr {
	__u32 user_family;
	__u32 user_ip4;
	__u32 user_ip6[4];
	__u32 user_port; /* in network byte order */
};

struct call {
	char kind[16];
	__u32 port; /* of connect4, in network byte order */
};

static __always_inline int emit(void *ctx, const char *kind, __u32 port)
{
	struct call call = { .port = port };

	__builtin_memcpy(call.kind, kind, 8);
	bpf_perf_event_output(ctx, &calls, BPF_F_CURRENT_CPU, &call, sizeof(call));
	return 1;
}

SEC("cgroup/connect4")
int on_connect(struct bpf_sock_addr *ctx)
{
	return emit(ctx, "connect", ctx->user_port);
}

SEC("cgroup_skb/egress")
int on_packet(struct __sk_buff *ctx)
{
	return emit(ctx, "packet\0", 0);
}

SEC("cgroup/sock_create")
int on_socket(void *ctx)
{
	return emit(ctx, "socket\0", 0);
}

SEC("sockops")
int on_tcp(void *ctx)
{
	return emit(ctx, "sockops", 0);
}

SEC("cgroup/dev")
int on_device(void *ctx)
{
	return emit(ctx, "device\0", 0);
}

SEC("raw_tp/sched_process_exit")
int on_exit(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
