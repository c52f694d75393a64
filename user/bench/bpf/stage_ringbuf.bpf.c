// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bench_stage_ringbuf: the load over peat's stage, with a BPF ring buffer instead of a perf ring.
 * Only the ring differs from bench_channel.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

#include "load.bpf.h"

struct {
	__uint(type, BENCH_RINGBUF);
	__uint(max_entries, 1 << 16); /* set by the loader */
} bench_ring SEC(".maps");

#define bpf_perf_event_output(ctx, map, flags, data, size)                                         \
	bpf_ringbuf_output(&bench_ring, data, size, bench_wakeup(&bench_ring))

#include <peat/peat.bpf.h>

#include "staged.bpf.h"

/* Sends the events staged on this CPU.  The reader runs it, as peat's reader does. */
SEC("raw_tp")
int bench_collect(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 first = bpf_get_smp_processor_id() * PEAT_SLOTS;

	for (__u32 i = 0; i < PEAT_SLOTS; i++) {
		struct peat_slot *s = peat_slot_at(first + i);

		if (!s || !s->len || !peat_lock(s, first + i))
			continue;
		peat_flush_(ctx, s);
		peat_unlock(s);
	}
	return 0;
}
