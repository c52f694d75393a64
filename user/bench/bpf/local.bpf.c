// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_local: the load over a channel that locks its slots without atomic operations. */
#define PEAT_LOCAL_LOCKS
#include "channel.bpf.c"
