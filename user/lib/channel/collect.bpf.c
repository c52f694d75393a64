// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * channel/collect.bpf.c: collects the staged events of a slot on the slot's CPU, where the reader
 * runs it (BPF_PROG_TEST_RUN, Linux 5.10): with plain locks, no other CPU may lock the slot.  It
 * interrupts the programs of the CPU, and unlocks before they go on.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#include "channel/collect.h"

/* The collected frame, after its length (u32): so it begins at 4 mod 8, as in a ring. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 8192); /* set to that of the stage on load */
} peat_collected SEC(".maps");

/* The caller holds the lock. */
static __always_inline int collect_frame(struct peat_slot *s, void *collected)
{
	__u64 len = s->len;

	if (len > PEAT_DATA_BYTES) /* never true: for the verifier */
		len = PEAT_DATA_BYTES;
	peat_fill_head(s);
	*(__u32 *)collected = PEAT_FRAME_HEAD_BYTES + len;
	if (bpf_probe_read_kernel(collected + sizeof(__u32), PEAT_FRAME_HEAD_BYTES + len,
				  &s->frame))
		return COLLECT_REFUSED;
	s->len = 0;
	s->count = 0;
	return COLLECT_DONE;
}

/* args: the slot's number on its CPU, and the number of events that it must have sent before. */
SEC("raw_tp")
int peat_collect(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 index = bpf_get_smp_processor_id() * PEAT_SLOTS + ctx->args[0] % PEAT_SLOTS,
	      first = 0;
	void *collected = bpf_map_lookup_elem(&peat_collected, &first);
	struct peat_slot *s = peat_slot_at(index);
	int result = COLLECT_EMPTY;

	if (!s || !collected || !peat_lock(s, index))
		return COLLECT_BUSY;
	if (s->seq - s->count - s->lost_ring_full - s->lost_no_ring - s->lost_other != ctx->args[1])
		result = COLLECT_NOT_NEXT;
	else if (s->len)
		result = collect_frame(s, collected);
	peat_unlock(s);
	return result;
}
