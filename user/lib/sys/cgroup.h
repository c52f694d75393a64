/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_CGROUP_H
#define PEAT_SYS_CGROUP_H

/*
 * Opens the directory of a cgroup (cgroup2): `path` of the file system, or below the root cgroup,
 * as in /proc/PID/cgroup.  `access` is O_PATH or O_RDONLY.  The fd, or -ENOENT: no such cgroup, or
 * cgroup2 is not mounted; the log has the reason.
 */
int cgroup__open(const char *path, int access);

/* The same for a path that begins at a folder, without a message.  -1: no cgroup. */
int cgroup__open_at(int folder, const char *path, int access);

#endif /* PEAT_SYS_CGROUP_H */
