// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* staged_plain: the same for kernels before Linux 5.12: see take.bpf.h. */
#define PLAIN
#include "staged.bpf.c"
