/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * mounts.h: file systems of the kernel as a test needs them, for this process and its children
 * alone.  Whatever fails here fails the running test.
 */
#ifndef MOUNTS_H
#define MOUNTS_H

/* tracefs is there. */
void mounts__need_tracefs(void);

/* tracefs is nowhere, and neither is debugfs, which has it too. */
void mounts__hide_tracefs(void);

/* The kernel tells nothing of its types. */
void mounts__hide_btf(void);

/* A bpf file system of our own, an empty one, on /sys/fs/bpf: what is pinned in it ends with us. */
void mounts__own_bpffs(void);

/* Where cgroup2 is mounted. */
const char *mounts__cgroup2(void);

/* Moves this process into a cgroup. */
void mounts__enter_cgroup(const char *path);

#endif /* MOUNTS_H */
