// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bars.c: the histograms of a table's rows. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bars.h"
#include "histogram.h"
#include "row_frames.h"
#include "terminal_text.h"

bool bars__has_any(const struct tally *tally)
{
	const struct rows *rows = &tally->rows;
	uint32_t column = rows__find(rows, "slots");

	return column < rows->column_count &&
	       peat_field__class(rows->columns[column]) == PEAT_CLASS_ELEMENTS &&
	       rows->columns[column]->count == PEAT_TABLE_SLOTS;
}

/* Of a BPF map, the unit is a word; of events, the kind of the field. */
static enum peat_field_kind unit_of(const struct tally *tally)
{
	const char *unit = tally->field ? NULL : peat_table__unit(tally->table);

	if (tally->field)
		return tally->field->kind;
	if (unit && !strcmp(unit, "ns"))
		return PEAT_FIELD_DURATION;
	return unit && !strcmp(unit, "bytes") ? PEAT_FIELD_SIZE : PEAT_FIELD_UNSIGNED;
}

/* The slots of a row; zeros if it has none. */
static struct histogram histogram_of(const struct tally *tally, size_t i)
{
	const struct options *options = tally->options;
	const struct row *row = &tally->rows.rows[i];
	struct histogram histogram = {
		.is_linear = options->values & PEAT_TABLE_LINEAR,
		.first = options->linear_first,
		.width = options->linear_width,
		.unit = unit_of(tally),
	};
	uint32_t column = rows__find(&tally->rows, "slots");
	const struct peat_field *slots =
		column < tally->rows.column_count ? tally->rows.columns[column] : NULL;

	if (!rows__number(&tally->rows, i, rows__find(&tally->rows, "negative"),
			  &histogram.negative))
		histogram.negative = 0;
	if (slots && slots->offset + sizeof(histogram.slots) <= row->bytes)
		memcpy(histogram.slots, (const char *)row->data + slots->offset,
		       sizeof(histogram.slots));
	return histogram;
}

/* The frames of keys that are stacks, one per line. */
static int print_frames(const struct rows *rows, size_t i)
{
	for (uint32_t column = 0; column < rows->keys; column++) {
		char *text;

		if (!row_frames__has(rows, column))
			continue;
		text = row_frames__text(rows, i, column);
		if (!text)
			return -ENOMEM;
		fputs(text, stdout);
		free(text);
	}
	return 0;
}

/* "comm=bash error=ENOENT", above the bars. */
static int print_key(const struct rows *rows, size_t i)
{
	uint32_t printed = 0;

	if (rows->rows[i].others) {
		puts(ROWS_OTHERS);
		return 0;
	}
	/* An array with one element: its index says nothing. */
	if (rows->count == 1 && rows->keys == 1 && !strcmp(rows->columns[0]->name, "key"))
		return 0;
	for (uint32_t column = 0; column < rows->keys; column++) {
		char *text;

		if (row_frames__has(rows, column))
			continue;
		text = rows__text(rows, i, column);
		if (!text)
			return -ENOMEM;
		terminal_text__print(stdout, "%s%s=%s", printed++ ? " " : "",
				     rows->columns[column]->name, text);
		free(text);
	}
	if (printed)
		putchar('\n');
	return print_frames(rows, i);
}

int bars__print(struct tally *tally)
{
	int err = 0;

	for (size_t i = 0; !err && i < tally__shown(tally); i++) {
		struct histogram histogram = histogram_of(tally, i);

		if (i)
			putchar('\n');
		err = print_key(&tally->rows, i);
		histogram__print(&histogram);
	}
	return err;
}

int bars__print_json(struct tally *tally, size_t i)
{
	struct histogram histogram = histogram_of(tally, i);
	int err = tally__print_members(tally, i, tally->rows.keys + 1);

	fputs(",\"slots\":", stdout);
	histogram__print_json(&histogram);
	return err;
}
