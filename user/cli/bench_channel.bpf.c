// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bench_channel: the load over a channel of peat's. */
#include <vmlinux.h>
#include <peat/peat.bpf.h>

#include "bench_load.bpf.h"
#include "bench_staged.bpf.h"
