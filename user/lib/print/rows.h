/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/rows.h: copied rows of a table, and their texts. */
#ifndef PEAT_PRINT_ROWS_H
#define PEAT_PRINT_ROWS_H

#include <peat/rows.h>

#include "base/strbuf.h"
#include "print/histogram.h"

#define ROWS_COLUMNS 32

/* The text of the first key of row.others. */
#define ROWS_OTHERS "others"

struct row {
	void *data;
	uint32_t bytes;
	bool others; /* of all keys above max_rows: the last row, which has no key */
};

struct peat_rows {
	struct peat_rows_opts opts;
	bool hides_arrays;
	uint32_t width; /* of lines; 0: unlimited */
	const struct peat_field *columns[ROWS_COLUMNS];
	uint32_t column_count;
	uint32_t keys; /* columns that are the key: the first ones */
	struct row *rows;
	size_t count, room;
	uint64_t events;	/* sum of the counts */
	struct histogram scale; /* of the column "slots" */
};

/* The column of this name; rows->column_count: none. */
uint32_t rows__find(const struct peat_rows *rows, const char *name);

/* The number of a column.  False: it has none. */
bool rows__number(const struct peat_rows *rows, size_t row, uint32_t column, uint64_t *number);

/* Appends the text of a column. */
void rows__append(struct strbuf *out, const struct peat_rows *rows, size_t row, uint32_t column);

/* The text, to be freed; NULL and errno. */
char *rows__finish(struct strbuf *out);

/* Appends the histogram of a row as a JSON array: print/row_bars.c. */
void rows__append_json_bars(struct strbuf *out, const struct peat_rows *rows, size_t row);

#endif /* PEAT_PRINT_ROWS_H */
