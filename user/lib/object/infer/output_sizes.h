/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/infer/output_sizes.h: the sizes of the events that an object's code writes to a map. */
#ifndef PEAT_OBJECT_INFER_OUTPUT_SIZES_H
#define PEAT_OBJECT_INFER_OUTPUT_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct Elf; /* libelf's */

/* Calls of helpers that write to a perf event array. */
struct output_calls {
	uint32_t count;
	bool is_computed;     /* the size of an event is not a constant in the code */
	uint32_t least, most; /* bytes of the events of constant size; 0: there are none */
};

struct output_sizes {
	struct output_calls to_map;
	struct output_calls to_unknown; /* the map is not a constant: it may be this one */
	/* A call's flags may have a number of bytes to append to the event: a packet, for example.
	 */
	bool appends;
};

/*
 * Searches all code of the object, which has this machine's byte order, for output to `map`.  Sizes
 * that are not constant set `is_computed`; nothing is guessed.  0; -EBADMSG: invalid code; -E2BIG;
 * -ENOMEM.
 */
int output_sizes__read(struct Elf *elf, const char *map, struct output_sizes *sizes);

#endif /* PEAT_OBJECT_INFER_OUTPUT_SIZES_H */
