// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * burst: numbered events.  Each getpgid(2) of one process emits `per_call` events of `event_bytes`
 * bytes, numbered per CPU, and counts the results.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#include "burst.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} events SEC(".maps");

/* One payload per CPU; an element of a per-CPU map cannot be this large. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, BURST_CPUS);
	__type(key, __u32);
	__type(value, struct burst_payload);
} payloads SEC(".maps");

const volatile __u32 only_pid = 0;
const volatile __u32 getpgid_number = 0;

/* Set while the program runs. */
volatile __u32 per_call = 1;
volatile __u32 event_bytes = sizeof(struct burst_head);

struct burst_counts counts[BURST_CPUS];

static __always_inline void emit(void *ctx, struct burst_payload *payload, struct burst_counts *c)
{
	__u64 bytes = event_bytes;
	long err;

	payload->head.number = c->emitted;
	payload->head.check = ~c->emitted;
	asm volatile("" : "+r"(bytes));
	if (bytes > sizeof(*payload))
		bytes = sizeof(*payload);
	err = bpf_perf_event_output(ctx, &events, BPF_F_CURRENT_CPU, payload, bytes);
	c->emitted++;
	if (err)
		c->refused++;
}

SEC("raw_tp/sys_enter")
int burst(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 cpu = bpf_get_smp_processor_id();
	struct burst_payload *payload;
	struct burst_counts *c;
	__u32 key = cpu;

	if (ctx->args[1] != getpgid_number || bpf_get_current_pid_tgid() >> 32 != only_pid)
		return 0;
	payload = bpf_map_lookup_elem(&payloads, &key);
	asm volatile(""
		     : "+r"(cpu)); /* for the verifier: the value checked below is the one used */
	if (!payload || cpu >= BURST_CPUS)
		return 0;
	/* Clang 19 would spill `cpu` and add it in the loop: Linux 6.1 forgets its limit then. */
	c = &counts[cpu];
	asm volatile("" : "+r"(c));
	for (__u32 i = 0; i < BURST_PER_CALL_MAX && i < per_call; i++)
		emit(ctx, payload, c);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
