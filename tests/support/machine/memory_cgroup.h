/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* memory_cgroup.h: a cgroup with a limit of memory.  A failure here fails the running test. */
#ifndef TESTS_SUPPORT_MACHINE_MEMORY_CGROUP_H
#define TESTS_SUPPORT_MACHINE_MEMORY_CGROUP_H

#include <stddef.h>

/*
 * Makes a cgroup, of version 1 or 2, without swap.  Returns its path, or NULL: the kernel has no
 * controller of memory.  Enter it by mounts__enter_cgroup().
 */
const char *memory_cgroup__make(const char *name, size_t bytes);

/* Removes it as soon as its last process has ended. */
void memory_cgroup__remove(const char *path);

#endif /* TESTS_SUPPORT_MACHINE_MEMORY_CGROUP_H */
