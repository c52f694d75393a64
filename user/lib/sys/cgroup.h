/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_CGROUP_H
#define PEAT_SYS_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Opens the directory of a cgroup (cgroup2): `path` of the file system, or below the root cgroup,
 * as in /proc/PID/cgroup.  `access` is O_PATH or O_RDONLY.  The fd, or -ENOENT: no such cgroup, or
 * cgroup2 is not mounted; the log has the reason.
 */
int cgroup__open(const char *path, int access);

/* The same for a path that begins at a folder, without a message.  -1: no cgroup. */
int cgroup__open_at(int folder, const char *path, int access);

/* The mount point of cgroup2; false: it is not mounted. */
bool cgroup__find_root(char *root, size_t room);

/*
 * The path of an open cgroup below the mount point of cgroup2, as /proc/PID/cgroup has it: "/" or
 * "/a/b".  False: it is unknown.
 */
bool cgroup__path(int cgroup, char *path, size_t room);

/* The same for the cgroup of a process. */
bool cgroup__path_of(uint32_t pid, char *path, size_t room);

/* Whether a cgroup is `above`, or below it, by their paths.  Pure. */
bool cgroup__is_below(const char *path, const char *above);

#endif /* PEAT_SYS_CGROUP_H */
