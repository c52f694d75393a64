/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/map_memory.h: the limit of the memory of BPF maps and programs: RLIMIT_MEMLOCK before
 * Linux 5.11, the memory cgroup since then.
 */
#ifndef PEAT_OBJECT_MAP_MEMORY_H
#define PEAT_OBJECT_MAP_MEMORY_H

#include <stdbool.h>

/*
 * Whether RLIMIT_MEMLOCK is the limit.  It is tried, as distributions have parts of newer kernels.
 * False also if the process may load no program, or no more.
 */
bool map_memory__is_limited(void);

/*
 * Call it before the first map is created.  Raises RLIMIT_MEMLOCK up to its hard limit, if it
 * limits maps.  libbpf raises both, but only with CAP_SYS_RESOURCE.
 */
void map_memory__raise_limit(void);

#endif /* PEAT_OBJECT_MAP_MEMORY_H */
