// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* wide: events of the largest size. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

#include "staged.bpf.h"
#include "copied.bpf.h"

SEC("raw_tp/sys_enter")
int copied(struct bpf_raw_tracepoint_args *ctx)
{
	return copied_emit(ctx, WIDE_MAX);
}
