/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/rows.h: rows of a table: bytes that a schema describes, sorted by one of its columns. */
#ifndef PEAT_TABLES_ROWS_H
#define PEAT_TABLES_ROWS_H

#include <peat/schema.h>

#include "base/arena.h"

struct table_row {
	const void *data;
	uint32_t bytes;
	uint32_t index; /* in the order of their addition */
	uint64_t column,
		key; /* ranks of the column, and of the first key: most rows differ there */
};

struct table_rows {
	struct table_row *rows;
	uint32_t count, room;
	uint32_t next; /* to be returned */
	struct arena memory;
};

/* How rows are sorted. */
struct table_order {
	const struct peat_schema *schema;
	const struct peat_field *field; /* the column; NULL: by the key */
	uint32_t base;			/* of its struct: add field->offset */
	bool descending;
	uint32_t keys; /* the first columns: in ascending order, where the column is equal */
};

/* Adds a row, 8-byte aligned, whose bytes the caller sets.  NULL: no memory. */
void *table_rows__add(struct table_rows *rows, uint32_t bytes);

/* Sorts the rows; equal rows stay in their order. */
void table_rows__sort(struct table_rows *rows, const struct table_order *order);

void table_rows__clear(struct table_rows *rows);

/*
 * Finds the column of this name or path; NULL: "count", or else the first value with a number, or
 * else the key.  0, or -EINVAL: no such column, see the log.
 */
int table_order__find(struct table_order *order, const struct peat_schema *schema, uint32_t keys,
		      const char *column);

#endif /* PEAT_TABLES_ROWS_H */
