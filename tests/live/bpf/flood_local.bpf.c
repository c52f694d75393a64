// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* flood_local: the same with local locks: no atomic operations, if the kernel supports that. */
#define PEAT_LOCAL_LOCKS
#include "../../../bpf/flood.bpf.c"
