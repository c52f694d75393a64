/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * mounts.h: mounts in a namespace of this process and its children.  A failure here fails the
 * running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_MOUNTS_H
#define TESTS_SUPPORT_MACHINE_MOUNTS_H

#include <stdbool.h>

/* Mounts tracefs, if it is not mounted: for stock perf and libbpf, as peat needs no mount. */
void mounts__need_tracefs(void);

/* Unmounts tracefs, and debugfs, which contains it. */
void mounts__hide_tracefs(void);

/* Leaves tracefs where debugfs contains it, and nowhere else. */
void mounts__only_in_debugfs(void);

/* Makes tracefs unreadable without CAP_DAC_READ_SEARCH, even for root. */
void mounts__lock_tracefs(void);

/* Hides the BTF of the kernel. */
void mounts__hide_btf(void);

/* Mounts an empty bpffs on /sys/fs/bpf; its pins end with this process. */
void mounts__own_bpffs(void);

/* Mounts an empty tmpfs on /sys/fs/bpf. */
void mounts__hide_bpffs(void);

/*
 * Gives a CPU another core and socket in /sys/devices/system/cpu/cpuN/topology, as on a larger
 * machine, or none if they are -1.  False: the CPU has no topology that could be replaced.
 */
bool mounts__set_topology(unsigned cpu, int core, int socket);

/* The mount point of cgroup2, which is mounted if necessary. */
const char *mounts__cgroup2(void);

/*
 * The same, with the controller perf_event in new cgroups: it comes with the first write to
 * cgroup.subtree_control, which systemd makes.
 */
const char *mounts__perf_cgroup2(void);

/* Moves this process into a cgroup. */
void mounts__enter_cgroup(const char *path);

#endif /* TESTS_SUPPORT_MACHINE_MOUNTS_H */
