// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rows.c: copies and sorts the rows of a table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "row_frames.h"
#include "rows.h"

/* ---- copies ---------------------------------------------------------------------------------- */

static void forget(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->rows[i].data);
	rows->count = 0;
	rows->events = 0;
}

void rows__free(struct rows *rows)
{
	forget(rows);
	free(rows->rows);
	*rows = (struct rows){ 0 };
}

static void set_columns(struct rows *rows, const struct peat_table *table)
{
	const struct peat_schema *schema = peat_table__schema(table);
	const struct peat_field *field, *end;
	uint32_t count = 0;

	field = schema ? peat_schema__fields(schema, &count) : NULL;
	end = field + count;
	for (rows->column_count = 0; field < end && rows->column_count < ROWS_COLUMNS;
	     field += field->span)
		if (!rows->without_arrays || peat_field__class(field) != PEAT_CLASS_ELEMENTS)
			rows->columns[rows->column_count++] = field;
	rows->keys = schema ? peat_table__keys(table) : 0;
}

static int add(struct rows *rows, const void *data, uint32_t bytes, bool others)
{
	size_t room = rows->room ? 2 * rows->room : 64;
	struct row *grown = rows->rows;

	if (rows->count == rows->room) {
		grown = realloc(grown, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		rows->rows = grown;
		rows->room = room;
	}
	grown[rows->count] =
		(struct row){ .data = malloc(bytes), .bytes = bytes, .others = others };
	if (!grown[rows->count].data)
		return -ENOMEM;
	memcpy(grown[rows->count++].data, data, bytes);
	return 0;
}

/* No event: only the count exists, 0, and other values do not. */
static int add_zero(struct rows *rows)
{
	static const uint64_t zeros[8];
	uint32_t count = rows__find(rows, "count");

	if (rows->keys || count == rows->column_count)
		return 0;
	return add(rows, zeros, rows->columns[count]->offset + rows->columns[count]->bytes, false);
}

int rows__read(struct rows *rows, struct peat_table *table)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	uint64_t number;
	int more = peat_table__read(table), err = 0;

	if (more < 0)
		return more;
	forget(rows);
	set_columns(rows, table);
	while (!err && (more = peat_table__next(table, &row)) > 0)
		err = add(rows, row.data, row.bytes, row.others);
	if (!err && !more && !rows->count)
		err = add_zero(rows);
	for (size_t i = 0; i < rows->count; i++)
		if (rows__number(rows, i, rows__find(rows, "count"), &number))
			rows->events += number;
	return err ? err : more;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* A key can have the name of a value. */
uint32_t rows__find(const struct rows *rows, const char *name)
{
	for (uint32_t i = rows->keys; i < rows->column_count; i++)
		if (!strcmp(rows->columns[i]->name, name))
			return i;
	for (uint32_t i = 0; i < rows->keys; i++)
		if (!strcmp(rows->columns[i]->name, name))
			return i;
	return rows->column_count;
}

bool rows__number(const struct rows *rows, size_t row, uint32_t column, uint64_t *number)
{
	return column < rows->column_count &&
	       peat_field__number(rows->columns[column], rows->rows[row].data,
				  rows->rows[row].bytes, number);
}

char *rows__text(const struct rows *rows, size_t row, uint32_t column)
{
	const struct row *at = &rows->rows[row];
	const struct peat_field *field = rows->columns[column];
	size_t count;
	char *text;

	if (at->others && column < rows->keys)
		return strdup(column ? "-" : ROWS_OTHERS);
	count = peat_field__text(field, at->data, at->bytes, NULL, 0);
	text = malloc(count + 1);
	if (text)
		peat_field__text(field, at->data, at->bytes, text, count + 1);
	return text;
}

char *rows__json(const struct rows *rows, size_t row, uint32_t column)
{
	const struct row *at = &rows->rows[row];
	const struct peat_field *field = rows->columns[column];
	int count;
	char *text;

	if (at->others && column < rows->keys)
		return strdup("null");
	if (row_frames__has(rows, column))
		return row_frames__json(rows, row, column);
	count = peat_field__json(field, at->data, at->bytes, NULL, 0);
	text = count < 0 ? NULL : malloc((size_t)count + 1);
	if (text && peat_field__json(field, at->data, at->bytes, text, (size_t)count + 1) == count)
		return text;
	free(text);
	return NULL;
}

/* ---- order ----------------------------------------------------------------------------------- */

struct order {
	const struct rows *rows;
	uint32_t column;
	bool reversed;
};

static int compare_numbers(const struct peat_field *field, uint64_t a, uint64_t b)
{
	if (field->is_signed)
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	return (a > b) - (a < b);
}

static double real(const struct peat_field *field, const struct row *row)
{
	double value = 0;

	if (field->bytes == sizeof(value) && field->offset + field->bytes <= row->bytes)
		memcpy(&value, (const char *)row->data + field->offset, sizeof(value));
	return value;
}

/* Numbers by their value, everything else by its bytes, as text is. */
static int compare_column(const struct peat_field *field, const struct row *a, const struct row *b)
{
	uint32_t bytes = field->bytes;
	uint64_t x, y;

	if (peat_field__class(field) == PEAT_CLASS_FLOAT)
		return (real(field, a) > real(field, b)) - (real(field, a) < real(field, b));
	if (peat_field__number(field, a->data, a->bytes, &x) &&
	    peat_field__number(field, b->data, b->bytes, &y))
		return compare_numbers(field, x, y);
	if (field->offset + bytes > a->bytes || field->offset + bytes > b->bytes)
		return 0;
	return memcmp((const char *)a->data + field->offset, (const char *)b->data + field->offset,
		      bytes);
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct order *order = arg;
	const struct rows *rows = order->rows;
	const struct row *first = a, *second = b;
	int result;

	if (first->others != second->others)
		return first->others ? 1 : -1;
	result = compare_column(rows->columns[order->column], a, b);
	if (order->column >= rows->keys)
		result = -result;
	if (order->reversed)
		result = -result;
	for (uint32_t i = 0; !result && i < rows->keys; i++)
		result = compare_column(rows->columns[i], a, b);
	return result;
}

void rows__sort(struct rows *rows, uint32_t column, bool reversed)
{
	struct order order = { rows, column, reversed };

	if (column < rows->column_count && rows->count)
		qsort_r(rows->rows, rows->count, sizeof(*rows->rows), compare, &order);
}
