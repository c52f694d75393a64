// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * targetless: programs whose sections name no target, or one that exists nowhere.  Each emits,
 * without peat's header, its number in a process, if it runs in the process `only_pid`.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/usdt.bpf.h>

enum { CALL, RETURN, KPROBE, TRACEPOINT, RAW_TRACEPOINT, USDT, FENTRY };

struct reached {
	__u32 which;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__type(value, struct reached);
} events SEC(".maps");

const volatile __u32 only_pid = 0;

static __always_inline int send(void *ctx, __u32 which)
{
	struct reached event = { which };

	if (bpf_get_current_pid_tgid() >> 32 == only_pid)
		bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &event, sizeof(event));
	return 1;
}

SEC("?uprobe") int on_call(void *ctx)
{
	return send(ctx, CALL);
}

SEC("?uretprobe") int on_return(void *ctx)
{
	return send(ctx, RETURN);
}

SEC("?kprobe") int on_function(void *ctx)
{
	return send(ctx, KPROBE);
}

SEC("?tp") int on_tracepoint(void *ctx)
{
	return send(ctx, TRACEPOINT);
}

SEC("?raw_tp") int on_raw_tracepoint(void *ctx)
{
	return send(ctx, RAW_TRACEPOINT);
}

/* libbpf knows the function only after a colon. */
SEC("?uprobe/readline") int on_named_call(void *ctx)
{
	return send(ctx, CALL);
}

SEC("?uretprobe/dummy:SSL_read") int on_dummy_return(void *ctx)
{
	return send(ctx, RETURN);
}

SEC("?kprobe/dummy_file_read") int on_dummy_function(void *ctx)
{
	return send(ctx, KPROBE);
}

SEC("?raw_tp/dummy") int on_dummy_tracepoint(void *ctx)
{
	return send(ctx, RAW_TRACEPOINT);
}

SEC("?fentry/dummy_file_read") int on_dummy_entry(void *ctx)
{
	return send(ctx, FENTRY) & 0;
}

SEC("?usdt") int on_usdt(void *ctx)
{
	return send(ctx, USDT);
}

SEC("?socket") int on_socket(void *ctx)
{
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
