// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/row_bars.c: the histograms of rows: their column "slots". */
#include "base/escape.h"
#include "print/row_frames.h"
#include "print/rows.h"

bool peat_rows__have_bars(const struct peat_rows *rows)
{
	uint32_t column = rows__find(rows, "slots");

	return column < rows->column_count &&
	       peat_field__class(rows->columns[column]) == PEAT_CLASS_ELEMENTS &&
	       rows->columns[column]->count == PEAT_TABLE_SLOTS;
}

/* The slots of a row; zeros if it has none. */
static struct histogram histogram_of(const struct peat_rows *rows, size_t i)
{
	struct histogram histogram = rows->scale;
	const struct row *row = &rows->rows[i];
	uint32_t column = rows__find(rows, "slots");
	const struct peat_field *slots = peat_rows__column(rows, column);

	if (!rows__number(rows, i, rows__find(rows, "negative"), &histogram.negative))
		histogram.negative = 0;
	if (slots && slots->offset + sizeof(histogram.slots) <= row->bytes)
		memcpy(histogram.slots, (const char *)row->data + slots->offset,
		       sizeof(histogram.slots));
	return histogram;
}

/* "comm=bash error=ENOENT", above the bars; then the frames of keys that are stacks. */
static void append_key(struct strbuf *out, const struct peat_rows *rows, size_t i)
{
	size_t start = out->count;

	/* An array with one element: its index says nothing. */
	if (rows->count == 1 && rows->keys == 1 && !strcmp(rows->columns[0]->name, "key"))
		return;
	for (uint32_t column = 0; column < rows->keys; column++) {
		const char *name = rows->columns[column]->name;

		if (row_frames__has(rows, column))
			continue;
		if (out->count > start)
			strbuf__char(out, ' ');
		escape__text(out, name, strlen(name), 0);
		strbuf__char(out, '=');
		rows__append(out, rows, i, column);
	}
	if (out->count > start)
		strbuf__char(out, '\n');
	for (uint32_t column = 0; column < rows->keys; column++)
		if (row_frames__has(rows, column))
			row_frames__append(out, rows, i, column);
}

char *peat_rows__bars(const struct peat_rows *rows, size_t most)
{
	struct strbuf out = { 0 };

	for (size_t i = 0; i < rows->count && i < most; i++) {
		struct histogram histogram = histogram_of(rows, i);

		if (i)
			strbuf__char(&out, '\n');
		if (rows->rows[i].others)
			strbuf__text(&out, ROWS_OTHERS "\n");
		else
			append_key(&out, rows, i);
		histogram__append(&out, &histogram);
	}
	return rows__finish(&out);
}

void rows__append_json_bars(struct strbuf *out, const struct peat_rows *rows, size_t row)
{
	struct histogram histogram = histogram_of(rows, row);

	histogram__append_json(out, &histogram);
}
