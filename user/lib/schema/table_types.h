/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SCHEMA_TABLE_TYPES_H
#define PEAT_SCHEMA_TABLE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a map of this type (BPF_MAP_TYPE_*) can be read as a table, and its values are per CPU:
 * hash tables and arrays, also LRU and per-CPU ones, and LPM tries.
 */
bool table_types__has(uint32_t type, bool *is_per_cpu);

#endif /* PEAT_SCHEMA_TABLE_TYPES_H */
