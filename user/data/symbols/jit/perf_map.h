/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/jit/perf_map.h: the names that a JIT compiler writes into /tmp/perf-PID.map: a line
 * "START SIZE NAME" for each function, numbers in hexadecimal.  Pure.
 *
 * Later lines replace earlier ones at their addresses, since the compiler reuses memory.
 */
#ifndef PEAT_SYMBOLS_JIT_PERF_MAP_H
#define PEAT_SYMBOLS_JIT_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct perf_map_symbol {
	uint64_t begin, end;
	const char *raw_name;
	const char *name; /* demangled; NULL: not yet */
};

/* A part of symbol `entry` that no later one of its level covers. */
struct perf_map_part {
	uint64_t begin, end;
	uint32_t entry;
};

/* The parts of the lines from `first` on; parts of a later level cover them. */
struct perf_map_level {
	uint32_t first, count;
	struct perf_map_part *parts; /* sorted, not overlapping */
	uint32_t parts_count;
};

/* Each level has more lines than all later ones. */
#define PERF_MAP_LEVELS 33

struct perf_map {
	struct perf_map_symbol *list; /* in the order of the file */
	uint32_t count, room;
	struct perf_map_level levels[PERF_MAP_LEVELS]; /* in the order of their lines */
	uint32_t levels_count;
	uint64_t swept;	    /* lines that were sorted, each time counted */
	uint64_t bad_lines; /* skipped */
	struct arena names;

	/*
	 * For symbols/jit/jit_names.c: the file, the number of its bytes that were read, and the
	 * memory that was added to two counters, NULL: none.
	 */
	uint64_t inode, read_bytes;
	uint64_t *counters[2];
	uint64_t counted;
	bool is_full; /* there is no more memory for it */
	bool is_warned;
};

struct perf_map *perf_map__new(void); /* NULL: no memory */

/*
 * Adds all lines that end with a newline, and counts lines of another shape.  Returns the number of
 * bytes of these lines, or -ENOMEM.
 */
int64_t perf_map__add(struct perf_map *map, const char *bytes, size_t count);

/* Sorts the lines that were added; perf_map__find() needs no time for it then.  0 or -ENOMEM. */
int perf_map__sort(struct perf_map *map);

/* Bytes of memory, after sorting. */
uint64_t perf_map__bytes(const struct perf_map *map);

/* Adds the memory to the counters, in place of what was added before. */
void perf_map__count(struct perf_map *map);

/* The function of an address; NULL: none, or no memory. */
struct perf_map_symbol *perf_map__find(struct perf_map *map, uint64_t address);

/* Its demangled name; valid as long as the map. */
const char *perf_map__name(struct perf_map *map, struct perf_map_symbol *symbol, bool no_demangle);

/* Accepts NULL.  Its memory is subtracted from the counters. */
void perf_map__free(struct perf_map *map);

#endif /* PEAT_SYMBOLS_JIT_PERF_MAP_H */
