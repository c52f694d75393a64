// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* mixed: programs on packets and in cgroups beside one of tasks, for all kernels: see take.bpf.h.
 */
#define PLAIN
#include "kinds.bpf.h"

KIND("tc", of_tc, true, 0)
KIND("cgroup_skb/egress", of_egress, true, 1)
KIND("raw_tp/task_rename", of_renames, true, 0)
