// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* tail_calls_pinned: tail_calls, whose program array is pinned by its name. */
#define PINNED

#include "tail_calls.bpf.c"
