/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* outputs.h: what the programs of an object write into a perf event array, read from their code. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

struct Elf; /* libelf's */

struct outputs {
	uint32_t calls;	      /* of a helper that writes to the map */
	bool is_computed;     /* the size of some is not in the code, or where they write is not */
	uint32_t least, most; /* bytes of the events whose size is in the code; 0: of none */
};

/*
 * Looks through all code of the object, which has this machine's byte order, for what is written
 * to `map`.  What does not show is `is_computed`, never guessed.  0, -EBADMSG (no such code was
 * ever compiled), -E2BIG, -ENOMEM.
 */
int outputs__read(struct Elf *elf, const char *map, struct outputs *outputs);

#endif /* OUTPUTS_H */
