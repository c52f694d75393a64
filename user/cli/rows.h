/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include <stdio.h>

#include <peat/peat.h>

#include "kept_stacks.h"

/* rows.h: the rows of a table, copied, to be sorted and printed at any time. */

#define ROWS_COLUMNS 32

/* The text of the first key of row.others. */
#define ROWS_OTHERS "others"

struct row {
	void *data;
	uint32_t bytes;
	bool others; /* of all keys above --max-rows: the last row, which has no key */
};

struct rows {
	const struct peat_field *columns[ROWS_COLUMNS];
	uint32_t column_count;
	uint32_t keys; /* columns that are the key: the first ones */
	struct row *rows;
	size_t count, room;
	uint64_t events;	      /* sum of the counts */
	struct peat_symbols *symbols; /* names user stacks; set by the owner; NULL: no names */
	const struct kept_stacks
		*stacks;     /* of the key "stack"; set by the owner; NULL: no frames */
	bool without_arrays; /* set by the owner: leaves out columns such as the slots of histograms
			      */
};

/*
 * Reads the table and copies its rows, in their order.  Without a key there is always a row.  0 or
 * a negative errno.
 */
int rows__read(struct rows *rows, struct peat_table *table);
void rows__free(struct rows *rows);

/* The column of this name; rows->column_count: none. */
uint32_t rows__find(const struct rows *rows, const char *name);

/* Sorts by a column: values descending, keys ascending; or the other way round. */
void rows__sort(struct rows *rows, uint32_t column, bool reversed);

/* The number of a column.  False: it has none. */
bool rows__number(const struct rows *rows, size_t row, uint32_t column, uint64_t *number);

/* The text of a column, or its JSON, to be freed; NULL: no memory. */
char *rows__text(const struct rows *rows, size_t row, uint32_t column);
char *rows__json(const struct rows *rows, size_t row, uint32_t column);

#endif /* CLI_ROWS_H */
