/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sys/cgroup_tree.h: the paths of all cgroups (v2), below the mount point of cgroup2.  The id of a
 * cgroup, as programs see it, is the inode of its directory.
 */
#ifndef PEAT_SYS_CGROUP_TREE_H
#define PEAT_SYS_CGROUP_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Calls `visit` with each cgroup, parents first: "/" for the mount point, "/a/b".  Stops when it
 * returns non-zero, and returns that.  -ENOENT: cgroup2 is not mounted; or another negative errno.
 */
int cgroup_tree__walk(int (*visit)(void *arg, uint64_t id, const char *path), void *arg);

/*
 * Finds the path of the cgroup with this id.  0; -ESTALE: there is no such cgroup; -EPERM: needs
 * CAP_DAC_READ_SEARCH in the initial user namespace; -ENOENT: cgroup2 is not mounted; or another
 * negative errno.
 */
int cgroup_tree__find(uint64_t id, char *path, size_t room);

/*
 * Whether records of new cgroups (PERF_RECORD_CGROUP) are those of cgroup2: not if the controller
 * perf_event belongs to a hierarchy of version 1, whose cgroups have the same ids as others of
 * cgroup2.
 */
bool cgroup_tree__has_records(void);

#endif /* PEAT_SYS_CGROUP_TREE_H */
