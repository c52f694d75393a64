/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* copied.bpf.h: events of any length and any content: copies of pieces of a pattern. */
#ifndef TESTS_LIVE_BPF_COPIED_BPF_H
#define TESTS_LIVE_BPF_COPIED_BPF_H

unsigned char pattern[2 * STAGED_PATTERN_BYTES];

/* Returns 1 if there is no memory for the event.  A macro, as `max` has to be a constant. */
#define copied_emit(ctx, max)                                                                      \
	({                                                                                         \
		struct sized *e_ = peat_reserve_bytes(ctx, struct sized, max);                     \
		e_ ? copied_submit(ctx, e_, (ctx)->args[0], (ctx)->args[1], max) : 1;              \
	})

static __always_inline int copied_submit(void *ctx, void *event, __u64 bytes, __u64 offset,
					 __u64 max)
{
	barrier_var(bytes);
	barrier_var(offset);
	if (bytes > max || offset >= STAGED_PATTERN_BYTES) {
		peat_discard(ctx, event);
		return 2;
	}
	if (bytes && bpf_probe_read_kernel(event, bytes, pattern + offset)) {
		peat_discard(ctx, event);
		return 3;
	}
	peat_submit_bytes(ctx, event, bytes);
	return 0;
}

#endif /* TESTS_LIVE_BPF_COPIED_BPF_H */
