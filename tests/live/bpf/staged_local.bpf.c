// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* staged_local: the same with local locks: no atomic operations, if the kernel supports that. */
#define PEAT_LOCAL_LOCKS
#include "staged.bpf.c"
