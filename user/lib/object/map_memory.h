/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/map_memory.h: the limit of the memory of BPF maps and programs: RLIMIT_MEMLOCK before
 * Linux 5.11, the memory cgroup since then.
 */
#ifndef PEAT_OBJECT_MAP_MEMORY_H
#define PEAT_OBJECT_MAP_MEMORY_H

#include <stdbool.h>

/* Whether RLIMIT_MEMLOCK is the limit.  It is tried, as distributions have parts of newer kernels.
 */
bool map_memory__is_limited(void);

/*
 * Raises RLIMIT_MEMLOCK as far as the process may, if it is the limit.  libbpf does so only with
 * CAP_SYS_RESOURCE.
 */
void map_memory__raise_limit(void);

/* The cause of an EPERM of a map or program, with its remedy, for messages.  A static text. */
const char *map_memory__explain(void);

#endif /* PEAT_OBJECT_MAP_MEMORY_H */
