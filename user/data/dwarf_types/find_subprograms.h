/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* dwarf_types/find_subprograms.h: finds the entries of functions by their addresses. */
#ifndef PEAT_DWARF_TYPES_FIND_SUBPROGRAMS_H
#define PEAT_DWARF_TYPES_FIND_SUBPROGRAMS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wanted_subprogram {
	uint64_t address; /* of its first instruction, in the file */
	Dwarf_Die die;	  /* result, if is_found */
	bool is_found;
};

struct search_limits {
	uint32_t entries;
	bool opens_split; /* files .dwo that units name, wherever these lead */
};

/*
 * Finds the functions, which are sorted by address, in units of C, C++, Objective-C and Rust: other
 * languages pass arguments in other places.  A function that is inlined everywhere has no address,
 * and so is not found.  Stops after limits->entries, or too much time; functions not found
 * by then stay unknown.
 */
void find_subprograms__run(Dwarf *dwarf, const struct search_limits *limits,
			   struct wanted_subprogram *wanted, size_t count);

#endif /* PEAT_DWARF_TYPES_FIND_SUBPROGRAMS_H */
