/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_FUNCTIONS_H
#define CLI_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <peat/peat.h>

/* functions.h: the time spent in each function, from the stacks of samples. */

struct function {
	char *symbol; /* NULL: unknown */
	char *module; /* NULL: unknown */
	uint64_t hash;
	uint64_t self,
		total; /* weight of the stacks that begin with it, and of those that have it */
	uint64_t last_stack; /* number of the last stack that has it */
};

struct functions {
	struct function *at;
	size_t count, room;
	uint32_t *index; /* hash table: indexes into `at`, plus 1; 0: free */
	size_t index_size;
	uint64_t stacks, weight; /* added so far */
	bool by_module;		 /* set by the owner: all functions of a module are one */
};

/* How functions are printed. */
struct functions_style {
	bool by_total; /* sort by `total` instead of `self` */
	bool is_time;  /* weights are nanoseconds; otherwise, they are numbers of samples */
	bool no_heading;
	uint64_t rows; /* at most so many; UINT64_MAX: all */
};

/*
 * Adds the frames of a stack, the innermost first.  A function that calls itself is counted once.
 * 0 or -ENOMEM.
 */
int functions__add(struct functions *functions, const struct peat_stack_frame *frames, size_t count,
		   uint64_t weight);

/* Sorts the functions, and prints them in columns, or as one JSON document. */
void functions__print(struct functions *functions, const struct functions_style *style, FILE *out);
void functions__print_json(struct functions *functions, const struct functions_style *style,
			   FILE *out);

void functions__free(struct functions *functions);

#endif /* CLI_FUNCTIONS_H */
