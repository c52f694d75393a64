/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/string_counts.h: a hash table of strings, each with a count.  Pure. */
#ifndef PEAT_BASE_STRING_COUNTS_H
#define PEAT_BASE_STRING_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct string_count {
	uint64_t count; /* set by the caller; 0 at first */
	size_t bytes;
	struct hash_link link;
	char text[]; /* with a NUL at its end */
};

struct string_counts {
	struct hash by_text;
};

/* Finds the string, or adds it.  The entry never moves.  NULL: no memory. */
struct string_count *string_counts__add(struct string_counts *counts, const char *text,
					size_t bytes);

/* All entries, sorted by their bytes; the caller frees the array.  NULL: no memory. */
const struct string_count **string_counts__sorted(const struct string_counts *counts);

void string_counts__free(struct string_counts *counts); /* all zero: nothing */

#endif /* PEAT_BASE_STRING_COUNTS_H */
