// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* flood_plain: the same for kernels before Linux 5.12. */
#define FLOOD_PLAIN
#include "../../../bpf/flood.bpf.c"
