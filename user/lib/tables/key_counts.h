/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/key_counts.h: the numbers of a key: adding to them, and their columns in a row.  Pure. */
#ifndef PEAT_TABLES_KEY_COUNTS_H
#define PEAT_TABLES_KEY_COUNTS_H

#include <peat/table.h>

#include "schema/plan.h"
#include "tables/table.h"

/* How a table computes its values. */
struct table_numbers {
	uint32_t values; /* PEAT_TABLE_*, or-ed */
	bool is_signed, has_unit;
	int64_t linear_first;
	uint64_t linear_width;
};

/* Bytes of struct key_counts that a table needs for each key. */
size_t key_counts__bytes(const struct table_numbers *numbers);

/* Counts an event with this number; `number` is unused if only COUNT is computed. */
void key_counts__add(struct key_counts *counts, const struct table_numbers *numbers,
		     uint64_t number);

/* Adds counts of the same key. */
void key_counts__merge(struct key_counts *counts, const struct table_numbers *numbers,
		       const struct key_counts *more);

/* Bytes of a row's values, a multiple of 8. */
uint32_t key_counts__row_bytes(const struct table_numbers *numbers);

/* Stores the values at `row`. */
void key_counts__store(const struct key_counts *counts, const struct table_numbers *numbers,
		       char *row);

/*
 * Appends the columns of values that begin at `offset` of a row.  `field` has the kind, and the
 * names, of the numbers; NULL: there are none.  0 or a negative errno.
 */
int key_counts__plan(struct plan *plan, const struct table_numbers *numbers, uint32_t offset,
		     const struct peat_field *field);

/* The value whose column has this name; 0: none has. */
uint32_t key_counts__value(const char *column);

/* Whether a table has a column of this name beside its key, whatever it computes. */
bool key_counts__is_column(const char *name);

#endif /* PEAT_TABLES_KEY_COUNTS_H */
