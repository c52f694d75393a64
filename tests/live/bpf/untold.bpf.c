// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * untold: an object without peat's header, whose event type cannot be inferred: its events differ
 * in length.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} written SEC(".maps");

enum color { RED = 1, GREEN, BLUE = -7 };

struct untold {
	__u32 number;
	enum color color;
	__s64 balance;
	__u16 small : 3, large : 13;
	bool odd;
	__u32 counts[3];
	char comm[16];
};

struct longer {
	struct untold untold;
	__u64 more[2];
};

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;
__u32 calls, outputs;
struct untold *untold_is_in_the_btf;

SEC("raw_tp/sys_enter")
int untold(struct bpf_raw_tracepoint_args *ctx)
{
	struct longer e = { .untold = { .color = BLUE, .balance = -5000000000LL } };
	long err;

	if (ctx->args[1] != getpgid_number || bpf_get_current_pid_tgid() >> 32 != only_pid)
		return 0;
	e.untold.number = calls++;
	e.untold.small = e.untold.number;
	e.untold.large = 8000 - e.untold.number;
	e.untold.odd = e.untold.number & 1;
	e.untold.counts[1] = e.untold.number + 1;
	bpf_get_current_comm(e.untold.comm, sizeof(e.untold.comm));
	if (e.untold.odd)
		err = bpf_perf_event_output(ctx, &written, BPF_F_CURRENT_CPU, &e, sizeof(e));
	else
		err = bpf_perf_event_output(ctx, &written, BPF_F_CURRENT_CPU, &e.untold,
					    sizeof(e.untold));
	outputs += !err;
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
