// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * collect.bpf.c: takes what is staged in a slot, on the slot's CPU, where the reader has it run
 * (BPF_PROG_TEST_RUN): with local locks nobody may touch a slot from elsewhere.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#define PEAT_LOCAL_LOCKS
#include <peat/peat.bpf.h>

#include "channel/collect.h"

/* What was taken: its bytes, and then the frame, which so begins at 4 mod 8 as in a ring. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, 8192); /* the stage's */
} peat_taken SEC(".maps");

/* The slot is the caller's. */
static __always_inline int take(struct peat_slot *s, void *taken)
{
	__u64 len = s->len;

	if (len > PEAT_DATA_BYTES) /* never: the verifier does not know */
		len = PEAT_DATA_BYTES;
	peat_fill_head(s);
	*(__u32 *)taken = PEAT_FRAME_HEAD_BYTES + len;
	if (bpf_probe_read_kernel(taken + sizeof(__u32), PEAT_FRAME_HEAD_BYTES + len, &s->frame))
		return COLLECT_REFUSED;
	s->len = 0;
	s->count = 0;
	return COLLECT_TAKEN;
}

/* args: the slot's number on its CPU, and how many events it has to have sent before. */
SEC("raw_tp")
int peat_collect(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 index = bpf_get_smp_processor_id() * PEAT_SLOTS + ctx->args[0] % PEAT_SLOTS,
	      first = 0;
	void *taken = bpf_map_lookup_elem(&peat_taken, &first);
	struct peat_slot *s = peat_slot_at(index);
	int answer = COLLECT_EMPTY;

	if (!s || !taken || !peat_lock(s, index))
		return COLLECT_BUSY;
	if (s->seq - s->count - s->lost_ring_full - s->lost_no_ring - s->lost_other != ctx->args[1])
		answer = COLLECT_NOT_NEXT;
	else if (s->len)
		answer = take(s, taken);
	peat_unlock(s);
	return answer;
}
