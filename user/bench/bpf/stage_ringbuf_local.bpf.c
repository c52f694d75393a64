// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_stage_ringbuf_local: like bench_stage_ringbuf, without atomic operations. */
#define PEAT_LOCAL_LOCKS
#include "stage_ringbuf.bpf.c"
