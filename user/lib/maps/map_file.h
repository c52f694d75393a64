/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_MAPS_MAP_FILE_H
#define PEAT_MAPS_MAP_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* A BPF map, as /proc/PID/fdinfo describes it. */
struct map_file {
	uint32_t id;
	bool is_frozen;
};

/*
 * Reads fd `fd` of process `pid` (a number, or "self").  False: no map, or it is closed, or the
 * process may not be inspected.
 */
bool map_file__read(struct map_file *file, const char *pid, const char *fd);

/* Whether the target of a link in /proc/PID/fd is a map: a cheap check before map_file__read(). */
bool map_file__is_link(const char *target);

/*
 * Calls `found` for every map pinned in a bpf file system that is mounted here.  A result other
 * than 0 ends the search and is returned.
 */
int map_file__each_pin(int (*found)(void *context, const char *path, const struct map_file *file),
		       void *context);

#endif /* PEAT_MAPS_MAP_FILE_H */
