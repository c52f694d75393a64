/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CGROUP_HOOKS_H
#define CGROUP_HOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct hook_list;

/* Whether programs of this type are attached to cgroups. */
bool cgroup_hooks__takes(uint32_t program_type);

/* "egress", for what libbpf calls "cgroup_inet_egress". */
const char *cgroup_hooks__name(uint32_t attach_type);

/*
 * Adds the programs that are attached to the cgroups of the cgroup2 file system, if one is mounted
 * here: to the first thousands of them, should there be more.  0 or -ENOMEM.
 */
int cgroup_hooks__read(struct hook_list *list);

#endif /* CGROUP_HOOKS_H */
