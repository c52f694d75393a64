/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * rows.h: the rows of a table, copied: to be sorted, and printed as peat count, hist and top do.
 *
 *	struct peat_rows *rows = peat_rows__new(NULL);
 *	char *text;
 *
 *	peat_rows__read(rows, table);
 *	text = peat_rows__text(rows, 10);	the heading and at most 10 rows
 *	fputs(text, stdout);
 *	free(text);
 *	peat_rows__free(rows);
 *
 * Names and values that other users may have chosen are escaped: a terminal shows them as they are.
 */
#ifndef PEAT_ROWS_H
#define PEAT_ROWS_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_stack_frame;
struct peat_symbols;
struct peat_table;

struct peat_rows_opts {
	size_t sz; /* sizeof(struct peat_rows_opts) */
	/* Names the frames of user stacks, which then follow their row; NULL: ids of stacks. */
	struct peat_symbols *symbols;
	/*
	 * For the key "stack": stores the frames of the stack that has this number, innermost
	 * first, and returns their count; 0: it has none.  NULL: numbers of stacks.
	 */
	int (*stack)(void *arg, uint64_t id, const struct peat_stack_frame **frames);
	void *stack_arg;
};

#define PEAT_ROWS_OPTS_INIT                                                                        \
	{                                                                                          \
		sizeof(struct peat_rows_opts), NULL, NULL, NULL                                    \
	}

struct peat_rows;

/* Makes an object without rows.  NULL and errno: EINVAL: wrong options, in the log; ENOMEM. */
PEAT_API struct peat_rows *peat_rows__new(const struct peat_rows_opts *opts);

/*
 * Reads the table (peat_table__read()) and copies its rows, in their order.  A table without a key
 * always has a row.  The table may be cleared afterwards; its columns are used, so it has to live
 * until the next call or peat_rows__free().  Columns after the 32nd are left out.  0 or a negative
 * errno.
 */
PEAT_API int peat_rows__read(struct peat_rows *rows, struct peat_table *table);

/* Leaves out columns that are arrays, such as the slots of histograms, from the next reading on. */
PEAT_API void peat_rows__hide_arrays(struct peat_rows *rows);

/*
 * Fits the lines of peat_rows__text() into this many characters; 0, the default: as wide as they
 * are.  Texts are cut so that the numbers beside them stay; paths keep their end.
 */
PEAT_API void peat_rows__set_width(struct peat_rows *rows, uint32_t width);

/* The number of rows; the sum of their counts. */
PEAT_API size_t peat_rows__count(const struct peat_rows *rows);
PEAT_API uint64_t peat_rows__events(const struct peat_rows *rows);

/* Whether a row counts all keys above max_rows: the last one, see peat_table_row. */
PEAT_API bool peat_rows__is_others(const struct peat_rows *rows, size_t row);

/* Column `i`, from 0; NULL after the last.  Arrays are one column. */
PEAT_API const struct peat_field *peat_rows__column(const struct peat_rows *rows, uint32_t i);

/* The index of the column of this name, a value before a key; -ENOENT: none. */
PEAT_API int peat_rows__find(const struct peat_rows *rows, const char *column);

/*
 * Sorts by a column, if there is one with this index: values descending, keys ascending; `reversed`
 * the other way round.
 */
PEAT_API void peat_rows__sort(struct peat_rows *rows, int column, bool reversed);

/* Whether the rows have a histogram, the column "slots". */
PEAT_API bool peat_rows__have_bars(const struct peat_rows *rows);

/*
 * The first `most` rows as text: lines in columns, below a heading; and the histogram of each row,
 * below its key.  To be freed; "": no columns.  NULL and errno: ENOMEM.
 */
PEAT_API char *peat_rows__text(const struct peat_rows *rows, size_t most);
PEAT_API char *peat_rows__bars(const struct peat_rows *rows, size_t most);

/*
 * A row as a JSON object: its columns; with `bars` its key and count, and "slots" as ranges,
 * [{"min":1024,"max":2047,"count":3},...], where no bound is null.  The row of all other keys has
 * "others":true, and null for its keys.  To be freed.  NULL and errno: ENOMEM; EINVAL: no such
 * row.
 */
PEAT_API char *peat_rows__json(const struct peat_rows *rows, size_t row, bool bars);

/* Accepts NULL. */
PEAT_API void peat_rows__free(struct peat_rows *rows);

PEAT_END_DECLS

#endif /* PEAT_ROWS_H */
