// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_channel: the load over a peat channel. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#include "load.bpf.h"
#include "staged.bpf.h"
