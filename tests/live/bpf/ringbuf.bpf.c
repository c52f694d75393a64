// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ringbuf: an object that emits through a BPF ring buffer. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

enum { MAP_TYPE_RINGBUF = 27 };

struct {
	__uint(type, MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
} events SEC(".maps");

SEC("raw_tp/sys_enter") int none(void *ctx)
{
	(void)ctx;
	bpf_ringbuf_output(&events, &(int){ 1 }, 4, 0);
	return 0;
}
