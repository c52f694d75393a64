/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perfetto/nesting.h: decides which slices share a track: slices of a track have to nest.  Pure.
 *
 * Slices come in the order of their ends.  A slice joins a lane if each slice there is before it or
 * inside it.  A lane remembers its outermost slices, up to a limit: beyond, the two with the
 * smallest gap between them count as one, so that some slices that nest are refused.
 */
#ifndef PEAT_PERFETTO_NESTING_H
#define PEAT_PERFETTO_NESTING_H

#include <stdbool.h>
#include <stdint.h>

#define NESTING_SPANS 32

struct nesting_span {
	uint64_t begin, end;
};

struct nesting {
	uint32_t count;
	struct nesting_span spans[NESTING_SPANS]; /* in order, disjoint */
};

/* True: the slice joined the lane.  False: it does not nest with the lane's slices. */
bool nesting__add(struct nesting *lane, uint64_t begin, uint64_t end);

#endif /* PEAT_PERFETTO_NESTING_H */
