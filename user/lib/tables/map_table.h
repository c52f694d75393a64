/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_TABLES_MAP_TABLE_H
#define PEAT_TABLES_MAP_TABLE_H

#include <peat/table.h>

#include "schema/map_schema.h"

/*
 * Makes a table of a map whose types the caller knows; `type` is needed during the call only.  The
 * fd is duplicated.  Stacks are in the map `stacks_fd`, which stays the caller's; -1: none.
 */
struct peat_table *map_table__new(int map_fd, const struct map_type *type, int stacks_fd,
				  uint32_t stack_max, const struct peat_map_table_opts *opts);

#endif /* PEAT_TABLES_MAP_TABLE_H */
