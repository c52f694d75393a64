/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* audit/ranges.h: a set of numbers, kept as ranges.  Pure. */
#ifndef PEAT_AUDIT_RANGES_H
#define PEAT_AUDIT_RANGES_H

#include <stddef.h>
#include <stdint.h>

/* Ranges that a set may have: numbers in more of them are refused. */
#define RANGES_MAX 65536

struct range {
	uint64_t first, last;
};

/* Zeroes: no numbers. */
struct ranges {
	struct range *ranges; /* in order; between two of them a number is missing */
	size_t count, room;
	uint64_t numbers; /* in all ranges */
};

/*
 * Adds the numbers from first to last; stores in `fresh` how many of them were not in the set.
 *
 *	0		added
 *	-EINVAL		last is less than first
 *	-ENOSPC		RANGES_MAX
 *	-ENOMEM
 */
int ranges__add(struct ranges *ranges, uint64_t first, uint64_t last, uint64_t *fresh);

void ranges__free(struct ranges *ranges);

#endif /* PEAT_AUDIT_RANGES_H */
