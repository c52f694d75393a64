/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kinds.bpf.h: the body of a program of any type: emits one numbered event. */
#ifndef TESTS_LIVE_BPF_KINDS_BPF_H
#define TESTS_LIVE_BPF_KINDS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#include "take.bpf.h"

struct kind {
	__u64 number;
};

__u64 submitted = 0, refused = 0;

static __always_inline int kinds_emit(void *ctx, int ret)
{
	struct kind *e = peat_reserve(ctx, struct kind);

	if (!e) {
		__sync_fetch_and_add(&refused, 1);
		return ret;
	}
	e->number = TAKE(submitted);
	peat_submit(ctx, e);
	return ret;
}

#define KIND(section, name, check, ret)                                                            \
	SEC(section)                                                                               \
	int name(void *ctx)                                                                        \
	{                                                                                          \
		return check ? kinds_emit(ctx, ret) : ret;                                         \
	}

#endif /* TESTS_LIVE_BPF_KINDS_BPF_H */
