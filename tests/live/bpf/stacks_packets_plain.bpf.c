// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* stacks_packets_plain: the same for kernels before Linux 5.12: see take.bpf.h. */
#define PLAIN
#include "stacks_packets.bpf.c"
