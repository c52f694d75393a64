// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* staged_local: the same, but slots are taken without atomic operations where the kernel lets them
 * be. */
#define PEAT_LOCAL_LOCKS
#include "staged.bpf.c"
