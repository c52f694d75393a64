// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * tail_calls: an object without peat's header, which puts its programs into a program array itself.
 * Each getpgid(2) of one process calls slot `number % 4`: 1 and 3 are programs, of which the
 * verifier refuses the second; the others are empty.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

int called(struct bpf_raw_tracepoint_args *ctx);
int refused(struct bpf_raw_tracepoint_args *ctx);

struct {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 4);
	__uint(key_size, sizeof(__u32));
#ifdef PINNED
	__uint(pinning, LIBBPF_PIN_BY_NAME);
#endif
	__array(values, int(void *));
} calls SEC(".maps") = {
	.values = { [1] = (void *)&called, [3] = (void *)&refused },
};

struct event {
	__u32 slot, was_called;
};

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;
__u32 number;

static int emit(void *ctx, __u32 slot, __u32 was_called)
{
	struct event event = { slot, was_called };

	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &event, sizeof(event));
	return 0;
}

SEC("raw_tp/sys_enter") int called(struct bpf_raw_tracepoint_args *ctx)
{
	return ctx->args[1] == getpgid_number && bpf_get_current_pid_tgid() >> 32 == only_pid
		       ? emit(ctx, 1, true)
		       : 0;
}

/* It reads past its context. */
SEC("raw_tp/sys_enter") int refused(struct bpf_raw_tracepoint_args *ctx)
{
	return *(volatile int *)((char *)ctx + 4096 + number);
}

SEC("raw_tp/sys_enter") int caller(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 slot;

	if (ctx->args[1] != getpgid_number || bpf_get_current_pid_tgid() >> 32 != only_pid)
		return 0;
	slot = number++ % 4;
	bpf_tail_call(ctx, &calls, slot);
	return emit(ctx, slot, false);
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
