// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_local: the load over a channel whose slots are taken without atomic operations. */
#define PEAT_LOCAL_LOCKS
#include "bench_channel.bpf.c"
