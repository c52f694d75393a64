/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef MAP_FILE_H
#define MAP_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* What /proc says of a file that is a BPF map. */
struct map_file {
	uint32_t id;
	bool is_frozen;
};

/*
 * Of fd `fd` of process `pid`: a number, or "self".  False when it is no map, or gone, or a
 * stranger's.
 */
bool map_file__read(struct map_file *file, const char *pid, const char *fd);

/* Whether a link in /proc/PID/fd leads to a map; cheaper to ask first. */
bool map_file__is_link(const char *target);

/*
 * Calls `found` for every map that is pinned in a bpf file system that is mounted here.  What it
 * returns, if not 0, ends the search and is returned.
 */
int map_file__each_pin(int (*found)(void *context, const char *path, const struct map_file *file),
		       void *context);

#endif /* MAP_FILE_H */
