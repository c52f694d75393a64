/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* list_maps.h: peat list --maps: the maps of this machine that can be shown as tables. */
#ifndef CLI_LIST_MAPS_H
#define CLI_LIST_MAPS_H

#include <stdbool.h>

/*
 * Prints each hash table and array with the types of key and value, its pins, the processes that
 * hold it and the programs that use it.  0 or an exit status; errors have been printed.
 */
int list_maps__print(bool json);

#endif /* CLI_LIST_MAPS_H */
