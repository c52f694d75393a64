// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* several: arrays that the code also writes to through pointers; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define ARRAY(name)                                                                                \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);                                       \
		__uint(key_size, sizeof(__u32));                                                   \
		__uint(value_size, sizeof(__u32));                                                 \
	} name SEC(".maps")

ARRAY(small);
ARRAY(large);
ARRAY(elsewhere);

struct of_small {
	__u64 a, b;
};
struct of_large {
	__u64 a, b, c;
};

SEC("raw_tp/a") int write_small(void *ctx)
{
	struct of_small event = { .a = 1 };

	return bpf_perf_event_output(ctx, &small, 0, &event, sizeof(event));
}

SEC("raw_tp/b") int write_large(void *ctx)
{
	struct of_large event = { .a = 1 };

	return bpf_perf_event_output(ctx, &large, 0, &event, sizeof(event));
}

SEC("raw_tp/c") int write_through_pointer(void *ctx)
{
	struct of_large event = { .a = 1 };

	return bpf_perf_event_output(ctx, *(void **)ctx, 0, &event, sizeof(event));
}

char LICENSE[] SEC("license") = "GPL";
