/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/found_functions.h: the functions that a pattern stands for. */
#ifndef PEAT_FUNCTIONS_FOUND_FUNCTIONS_H
#define PEAT_FUNCTIONS_FOUND_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/suggestion.h"

struct found_function {
	char *name;	 /* as it is attached: "vfs_read"; user: as it is printed, "ns::f" */
	char *module;	 /* kernel: "nf_tables"; NULL: the kernel itself, or a user function */
	char *arguments; /* of USDT: "8@%rbx -4@%eax"; NULL: others, or none */
	uint64_t place;	 /* kernel: address of the symbol, 0: unknown; user: offset in the file */
	uint32_t prototype; /* user: in BTF of user_prototypes__read(); 0: unknown */
};

struct found_functions {
	struct found_function *at; /* sorted by name; each place once */
	size_t count, room;
	size_t left_out;	 /* functions that match, and cannot be probed */
	struct suggestion alike; /* if there is none: the most alike name; has the pattern */
};

/* Adds a function.  Names are copied; `module` may be NULL.  0 or -ENOMEM. */
int found_functions__add(struct found_functions *found, const char *name, const char *module,
			 uint64_t place);

/* Gives the function that was added last its arguments, which are copied.  0 or -ENOMEM. */
int found_functions__set_arguments(struct found_functions *found, const char *arguments);

/*
 * Sorts the functions by name, and keeps one for each place: of several names, the one with the
 * fewest underscores at its start, then the shortest.  A function whose place is unknown is kept if
 * its module has no other of this name.
 */
void found_functions__sort(struct found_functions *found);

/* Sorts the functions by name, and keeps the lowest place of each name in a module. */
void found_functions__sort_names(struct found_functions *found);

/* Removes function `i`, which is counted as left out. */
void found_functions__leave_out(struct found_functions *found, size_t i);

void found_functions__free(struct found_functions *found);

#endif /* PEAT_FUNCTIONS_FOUND_FUNCTIONS_H */
