// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* limits: types with too many fields, and events of special sizes; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#define ARRAY(name)                                                                                \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);                                       \
		__uint(key_size, sizeof(__u32));                                                   \
		__uint(value_size, sizeof(__u32));                                                 \
	} name SEC(".maps")

#define TYPED_ARRAY(name, value_type)                                                              \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);                                       \
		__type(key, int);                                                                  \
		__type(value, value_type);                                                         \
	} name SEC(".maps")

/* 17 * 17 * 17 numbers: an event has at most 4096 fields. */
#define SEVENTEEN(n)                                                                               \
	n##0, n##1, n##2, n##3, n##4, n##5, n##6, n##7, n##8, n##9, n##10, n##11, n##12, n##13,    \
		n##14, n##15, n##16
struct numbers {
	__u32 SEVENTEEN(number);
};
struct groups {
	struct numbers SEVENTEEN(group);
};
struct refused {
	struct groups SEVENTEEN(groups);
};

struct message {
	__u64 number;
	char text[24];
};

/* Maps: see the outputs. */
ARRAY(too_many);
ARRAY(single);
ARRAY(pair);
TYPED_ARRAY(too_many_typed, struct refused);
TYPED_ARRAY(padded, struct message);
TYPED_ARRAY(appended, struct message);

struct refused refused;
volatile __u32 amount;

SEC("raw_tp/sys_enter") int write_limits(void *ctx)
{
	__u64 room[5] = { amount };

	bpf_perf_event_output(ctx, &too_many, 0, &refused, sizeof(refused));
	bpf_perf_event_output(ctx, &too_many_typed, 0, &refused, sizeof(refused));
	bpf_perf_event_output(ctx, &single, 0, room, 1);
	bpf_perf_event_output(ctx, &pair, 0, room, 2);
	bpf_perf_event_output(ctx, &padded, 0, room, sizeof(struct message) + 7);
	bpf_perf_event_output(ctx, &appended, 0, room, sizeof(struct message) + 8);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
