// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* declared: arrays whose definitions name a struct, right or wrong; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define ARRAY(name, value_type)                                                                    \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);                                       \
		__type(key, int);                                                                  \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

/* The idiom of Tetragon: libbpf needs some value of 4 bytes. */
struct event {
	int event;
};

typedef struct message {
	__u64 number;
	char text[24];
} message_t;

struct tail {
	__u64 numbers[2];
};

/* Maps: see the outputs. */
ARRAY(placeholder, struct event);
ARRAY(placeholder_computed, struct event);
ARRAY(placeholder_both, struct event);
ARRAY(placeholder_unused, struct event);
ARRAY(small, struct event);
ARRAY(equal, struct message);
ARRAY(equal_typedef, message_t);
ARRAY(equal_or_computed, struct message);
ARRAY(shorter, struct message);
ARRAY(longer, struct message);
ARRAY(mixed, struct message);
ARRAY(computed, struct message);
ARRAY(unused, struct message);

volatile __u32 amount;

SEC("raw_tp/sys_enter") int write_declared(void *ctx)
{
	struct message message = { .number = amount };
	struct tail tail = { { amount } };
	struct event event = { 1 };
	__u64 longest[5] = { amount };

	bpf_perf_event_output(ctx, &placeholder, 0, &message, sizeof(message));
	bpf_perf_event_output(ctx, &placeholder_computed, 0, &message, amount & 31);
	bpf_perf_event_output(ctx, &placeholder_both, 0, &event, sizeof(event));
	bpf_perf_event_output(ctx, &placeholder_both, 0, &message, amount & 31);
	bpf_perf_event_output(ctx, &small, 0, &event, sizeof(event));
	bpf_perf_event_output(ctx, &equal, 0, &message, sizeof(message));
	bpf_perf_event_output(ctx, &equal_typedef, 0, &message, sizeof(message));
	bpf_perf_event_output(ctx, &equal_or_computed, 0, &message, sizeof(message));
	bpf_perf_event_output(ctx, &equal_or_computed, 0, &message, amount & 31);
	bpf_perf_event_output(ctx, &shorter, 0, &message, sizeof(message.number));
	bpf_perf_event_output(ctx, &longer, 0, longest, sizeof(longest));
	bpf_perf_event_output(ctx, &mixed, 0, &message, sizeof(message));
	bpf_perf_event_output(ctx, &mixed, 0, &tail, sizeof(tail));
	bpf_perf_event_output(ctx, &computed, 0, &message, amount & 31);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
