// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/columns.c: the columns that fit into a line, and their widths. */
#include <stddef.h>

#include "print/columns.h"

static uint32_t min_width(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

uint32_t columns__last(const struct column_size *columns, uint32_t count)
{
	for (uint32_t i = count; i; i--)
		if (!columns[i - 1].hidden)
			return i - 1;
	return count;
}

/* ---- which columns --------------------------------------------------------------------------- */

/* Enough of a long text at the end to keep other columns beside it. */
#define SHORT_LAST 20

/* The width below which a column is of little use; `long_text` is that of long text at the end. */
static uint32_t least_width(const struct column_size *column, bool is_last, uint32_t long_text)
{
	if (is_last && column->rank == COLUMN_LONG_TEXT)
		return long_text;
	if (column->least > column->wanted)
		return column->least;
	return column->narrow ? min_width(column->wanted, column->narrow) : column->wanted;
}

static uint32_t least_line(const struct column_size *columns, uint32_t count, uint32_t long_text)
{
	uint32_t last = columns__last(columns, count), total = 0;

	for (uint32_t i = 0; i < count; i++)
		if (!columns[i].hidden)
			total += (total ? columns[i].gap : 0) +
				 least_width(&columns[i], i == last, long_text);
	return total;
}

/* The one to leave out next; NULL: all that are shown have at most the rank `kept`. */
static struct column_size *least_important(struct column_size *columns, uint32_t count,
					   enum column_rank kept)
{
	struct column_size *least = NULL;

	for (uint32_t i = 0; i < count; i++)
		if (!columns[i].hidden && columns[i].rank > kept &&
		    (!least || columns[i].rank >= least->rank))
			least = &columns[i];
	return least;
}

/* Leaves out columns above the rank `kept`. */
static void hide_columns(struct column_size *columns, uint32_t count, uint32_t limit,
			 enum column_rank kept, uint32_t long_text)
{
	struct column_size *least;

	while (least_line(columns, count, long_text) > limit &&
	       (least = least_important(columns, count, kept)))
		least->hidden = true;
}

void columns__choose(struct column_size *columns, uint32_t count, uint32_t limit)
{
	for (uint32_t i = 0; i < count; i++)
		columns[i].hidden = columns[i].unseen;
	if (!limit)
		return;
	hide_columns(columns, count, limit, COLUMN_PLAIN, COLUMNS_MIN_LAST);
	hide_columns(columns, count, limit, COLUMN_SOUGHT, SHORT_LAST);
	hide_columns(columns, count, limit, COLUMN_KEPT, COLUMNS_MIN_TEXT);
}

/* ---- widths ---------------------------------------------------------------------------------- */

/*
 * Narrows the widest columns before `last` by `excess` characters in all and returns the excess
 * that is left.  `blanks`: narrows any column, but only as far as no text is cut; else cuts text.
 */
static uint32_t shrink_columns(struct column_size *columns, uint32_t last, uint32_t excess,
			       bool blanks)
{
	struct column_size *widest;

	for (; excess; excess--) {
		widest = NULL;
		for (uint32_t i = 0; i < last; i++) {
			struct column_size *column = &columns[i];
			uint32_t least = blanks		  ? column->seen
					 : column->narrow ? column->narrow
							  : column->width;

			if (!column->hidden && column->width > least &&
			    (!widest || column->width > widest->width))
				widest = column;
		}
		if (!widest)
			break;
		widest->width--;
	}
	return excess;
}

void columns__lay_out(struct column_size *columns, uint32_t count, uint32_t limit)
{
	uint32_t last = columns__last(columns, count), total = 0, excess;

	for (uint32_t i = 0; i < count; i++) {
		struct column_size *column = &columns[i];

		column->width = column->hidden ? 0 : column->wanted;
		if (!column->hidden)
			total += (total ? column->gap : 0) +
				 (i < last ? column->width
					   : min_width(column->width, COLUMNS_MIN_LAST));
	}
	if (!limit || total <= limit)
		return;
	excess = shrink_columns(columns, last, total - limit, true);
	shrink_columns(columns, last, excess, false);
}
