/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* list_attached.h: peat list --attached: the perf event arrays of this machine. */
#ifndef CLI_LIST_ATTACHED_H
#define CLI_LIST_ATTACHED_H

#include <stdbool.h>

struct peat_map;
struct peat_maps;

/*
 * Prints each perf event array with its pins, the processes that hold it and the programs that
 * write to it.  0 or an exit status; errors have been printed.
 */
int list_attached__print(bool json);

/* Prints flags, pins, processes and programs of a map: lines, or members of a JSON object. */
void list_attached__print_users(const struct peat_map *map);
void list_attached__print_json_users(const struct peat_map *map);

/*
 * Prints each map by `print`, with JSON as the elements of an array, and frees `maps`; NULL: they
 * could not be listed.  0 or an exit status.
 */
int list_attached__print_maps(struct peat_maps *maps, bool json,
			      void (*print)(const struct peat_map *map));

#endif /* CLI_LIST_ATTACHED_H */
