/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/function_places.h: the functions of a probe in a file: each has its place and plan. */
#ifndef PEAT_FUNCTIONS_FUNCTION_PLACES_H
#define PEAT_FUNCTIONS_FUNCTION_PLACES_H

#include <stddef.h>
#include <stdint.h>

struct function_probe;

struct function_places {
	uint64_t *at;	   /* offset in the file, with that of the source; kernel: address */
	uint64_t *numbers; /* of the plan, from 1 on */
	size_t count;
	size_t differing; /* functions that are left out, since they would have another plan */
};

/* Those of the file that the probe was made from, or of the kernel.  0 or -ENOMEM. */
int function_places__of_probe(struct function_places *places, const struct function_probe *probe);

/*
 * Those of another file of the same library or program.  Functions that only this file has are not
 * found.  0, and count may be 0; -ENOENT: it has none of them; or a negative errno: the file cannot
 * be read.
 */
int function_places__of_file(struct function_places *places, const struct function_probe *probe,
			     const char *path);

void function_places__free(struct function_places *places);

#endif /* PEAT_FUNCTIONS_FUNCTION_PLACES_H */
