// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_rival_local: the same in front of a ring buffer, without atomic operations. */
#define PEAT_LOCAL_LOCKS
#include "bench_rival.bpf.c"
