/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stacks/profile_tables.h: the tables of a profile (profile.proto): each text, function, mapping
 * and location once, by number.  Pure.
 *
 * Memory is short if `failed` is set: all numbers are 0 from then on.
 */
#ifndef PEAT_STACKS_PROFILE_TABLES_H
#define PEAT_STACKS_PROFILE_TABLES_H

#include <profile.pb-c.h>

#include "base/arena.h"
#include "stacks/counted_frames.h"

struct profile_tables {
	Profile__Profile profile;				    /* the tables, up to n_... */
	struct arena arena;					    /* all messages */
	struct string_counts texts, functions, mappings, locations; /* count: number + 1, or id */
	bool failed;
};

void profile_tables__init(struct profile_tables *tables); /* the empty text is number 0 */

/* Zeroed memory that lives as long as the tables; NULL: `failed`. */
void *profile_tables__allocate(struct profile_tables *tables, size_t bytes);

/* The number of a text.  Bytes that are not UTF-8 are replaced.  NULL: the empty text. */
int64_t profile_tables__text(struct profile_tables *tables, const char *text);

/*
 * The id of a location: the frames at one address, innermost first, all but the last inlined into
 * the next.  `numbers` are those of `frames`.
 */
uint64_t profile_tables__location(struct profile_tables *tables,
				  const struct counted_frames *frames, const uint32_t *numbers,
				  uint32_t count);

void profile_tables__free(struct profile_tables *tables);

#endif /* PEAT_STACKS_PROFILE_TABLES_H */
