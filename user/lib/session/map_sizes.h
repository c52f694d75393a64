/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/map_sizes.h: sizes of maps that an object leaves to its loader. */
#ifndef PEAT_SESSION_MAP_SIZES_H
#define PEAT_SESSION_MAP_SIZES_H

#include <stddef.h>

struct bpf_map;
struct part;

#define MAP_SIZES_BYTES 192

/*
 * Completes the maps of an object before it is loaded: perf event arrays get keys and values of 4
 * bytes and a slot for each possible CPU; hash tables and stack traces without a number of entries
 * get a default, which is logged.  0 or a negative errno.
 */
int map_sizes__complete(const struct part *part);

/* Writes "hash, keys of 4 bytes, values of 8 bytes, 0 entries" to a text of MAP_SIZES_BYTES. */
void map_sizes__text(const struct bpf_map *map, char *text);

/* Returns the remedy if the kernel refuses the map: ": ...", or "". */
const char *map_sizes__remedy(const struct bpf_map *map);

#endif /* PEAT_SESSION_MAP_SIZES_H */
