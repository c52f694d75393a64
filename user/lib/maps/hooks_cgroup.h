/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_MAPS_HOOKS_CGROUP_H
#define PEAT_MAPS_HOOKS_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

struct hook_list;

/* Whether programs of this type are attached to cgroups. */
bool hooks_cgroup__handles(uint32_t program_type);

/* "egress" for the attach type that libbpf calls "cgroup_inet_egress". */
const char *hooks_cgroup__name(uint32_t attach_type);

/*
 * Adds the programs attached to the cgroups of the cgroup2 file system that is mounted here, if
 * any.  Reads at most 10,000 cgroups.  0 or -ENOMEM.
 */
int hooks_cgroup__read(struct hook_list *list);

#endif /* PEAT_MAPS_HOOKS_CGROUP_H */
