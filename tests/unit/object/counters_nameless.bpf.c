// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* counters_nameless: a counter without the name of an event. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/counter.bpf.h>

PEAT_COUNTER(nameless, "");
