// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* motley: an object without peat's header, most of whose programs cannot be loaded or attached. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum mood { CALM = 1, CROSS };

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, int);
	__type(value, int);
} events SEC(".maps");

struct filter {
	__u32 pid;
	__u16 calls[2];
};

const volatile struct filter filter = { .pid = 1 };
const volatile enum mood mood = CALM;
volatile __u64 limit = 3;
char word[8];

SEC("raw_tp/sys_enter") int calls(struct bpf_raw_tracepoint_args *ctx)
{
	struct {
		__u64 limit;
		__u32 mood;
		char word[8];
	} __attribute__((packed)) event;

	if (bpf_get_current_pid_tgid() >> 32 != filter.pid || ctx->args[1] != filter.calls[1])
		return 0;
	event.limit = limit;
	event.mood = mood;
	__builtin_memcpy(event.word, word, sizeof(word));
	bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, &event, sizeof(event));
	return 0;
}

/* The verifier refuses it: it reads past its context. */
SEC("raw_tp/sys_exit") int rejected(struct bpf_raw_tracepoint_args *ctx)
{
	return *(volatile int *)((char *)ctx + 4096 + limit);
}

SEC("tc") int packets(void *ctx)
{
	(void)ctx;
	return 0;
}

SEC("raw_tp/no_such_tracepoint") int nowhere(void *ctx)
{
	(void)ctx;
	return 0;
}

SEC("tp_btf/no_such_tracepoint") int not_in_btf(void *ctx)
{
	(void)ctx;
	return 0;
}
