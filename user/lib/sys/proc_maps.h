/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/proc_maps.h: the memory mappings of a process, from /proc/PID/maps. */
#ifndef PEAT_SYS_PROC_MAPS_H
#define PEAT_SYS_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct proc_map {
	uint64_t start, end, offset, inode;
	uint32_t major, minor;
	bool is_readable, is_writable, is_executable, is_shared;
	const char *path; /* empty: anonymous memory */
};

/*
 * Parses a line, which ends before its newline.  map->path points into it.  Pure.  False: it is not
 * such a line.
 */
bool proc_maps__parse(struct proc_map *map, const char *line);

/* Calls `use` for each mapping of a process.  0, or a negative errno: -ENOENT: it has ended. */
int proc_maps__each(uint32_t pid, void (*use)(void *arg, const struct proc_map *map), void *arg);

#endif /* PEAT_SYS_PROC_MAPS_H */
