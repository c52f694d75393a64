/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/columns.h: the columns that fit into a line, and their widths, in characters. */
#ifndef PEAT_PRINT_COLUMNS_H
#define PEAT_PRINT_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#define COLUMNS_MIN_TEXT 12 /* most text columns shrink no further than this, ... */
#define COLUMNS_MIN_LAST 32 /* ... to leave this much for the last column */

/* Columns of a higher rank are left out first, and of the same rank, the last one. */
enum column_rank {
	COLUMN_KEPT,	  /* never left out */
	COLUMN_LONG_TEXT, /* text of any length, such as a path: left out last */
	COLUMN_SOUGHT,	  /* without which a line says little, such as a result */
	COLUMN_PLAIN,
	COLUMN_CPU,
	COLUMN_MINOR /* PEAT_MINOR */
};

struct column_size {
	enum column_rank rank;
	uint32_t gap;	 /* blanks before it, unless it is the first in the line */
	uint32_t seen;	 /* of its widest cell, at most the width that it shall have */
	uint32_t least;	 /* if it has to fit; 0: by `wanted` */
	uint32_t wanted; /* before shrinking, at least `seen` */
	uint32_t width;	 /* after shrinking */
	uint32_t narrow; /* to which it shrinks, as text that is useful when cut; 0: does not */
	bool unseen;	 /* left out until the caller has a value for it */
	bool hidden;	 /* left out: it has no width */
};

/*
 * Sets `hidden`: leaves out as few columns as possible, so that the others fit into `limit`
 * characters.  `wanted` decides: before the first row, a type has the same columns in each run.  0:
 * no limit.
 */
void columns__choose(struct column_size *columns, uint32_t count, uint32_t limit);

/*
 * Sets `width` of the columns that are not hidden.  The last one gets the rest of the line; it
 * counts with at most COLUMNS_MIN_LAST characters.
 */
void columns__lay_out(struct column_size *columns, uint32_t count, uint32_t limit);

/* The index of the last column that is not hidden; `count` if all are. */
uint32_t columns__last(const struct column_size *columns, uint32_t count);

#endif /* PEAT_PRINT_COLUMNS_H */
