/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* text_counts.h: texts, each held once, and a number beside it.  Pure. */
#ifndef TEXT_COUNTS_H
#define TEXT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct text_count {
	uint64_t count; /* the caller's; 0 at first */
	uint64_t hash;
	size_t bytes;
	char text[]; /* with a NUL behind it */
};

struct text_counts {
	struct text_count **slots; /* by open addressing; a power of two of them, or none */
	size_t slots_count, count;
};

/* The text's own, which stays where it is; NULL: no memory. */
struct text_count *text_counts__of(struct text_counts *counts, const char *text, size_t bytes);

/* All of them, sorted by their bytes; the caller frees the array.  NULL: no memory, or none. */
const struct text_count **text_counts__sorted(const struct text_counts *counts);

void text_counts__free(struct text_counts *counts); /* one of zeroes, too */

#endif /* TEXT_COUNTS_H */
