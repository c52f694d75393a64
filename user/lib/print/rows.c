// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/rows.c: copies, sorts and prints the rows of a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <peat/sink.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/json_value.h"
#include "base/opts.h"
#include "field/field_text.h"
#include "print/row_frames.h"
#include "print/rows.h"
#include "tables/table.h"

/* ---- copies ---------------------------------------------------------------------------------- */

struct peat_rows *peat_rows__new(const struct peat_rows_opts *opts)
{
	struct peat_rows *rows = calloc(1, sizeof(*rows));
	int err = rows ? 0 : -ENOMEM;

	if (!err)
		err = opts__read(&rows->opts, sizeof(rows->opts), opts, "peat_rows_opts");
	if (!err)
		return rows;
	free(rows);
	return fail_null(err);
}

static void forget(struct peat_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->rows[i].data);
	rows->count = 0;
	rows->events = 0;
}

void peat_rows__free(struct peat_rows *rows)
{
	if (!rows)
		return;
	forget(rows);
	free(rows->rows);
	free(rows);
}

static void set_columns(struct peat_rows *rows, const struct peat_table *table)
{
	const struct peat_schema *schema = peat_table__schema(table);
	const struct peat_field *field, *end;
	uint32_t count = 0;

	field = schema ? peat_schema__fields(schema, &count) : NULL;
	end = field ? field + count : NULL;
	for (rows->column_count = 0; field < end && rows->column_count < ROWS_COLUMNS;
	     field += field->span)
		if (!rows->hides_arrays || peat_field__class(field) != PEAT_CLASS_ELEMENTS)
			rows->columns[rows->column_count++] = field;
	rows->keys = schema ? peat_table__keys(table) : 0;
}

/* A table of a BPF map has no options: its histograms are logarithmic. */
static void set_scale(struct peat_rows *rows, const struct peat_table *table)
{
	const struct peat_table_opts *opts = table__opts(table);
	const char *unit = peat_table__unit(table);

	rows->scale = (struct histogram){
		.is_linear = opts->values & PEAT_TABLE_LINEAR,
		.first = opts->linear_first,
		.width = opts->linear_width,
		.unit = PEAT_FIELD_UNSIGNED,
	};
	if (unit && !strcmp(unit, "ns"))
		rows->scale.unit = PEAT_FIELD_DURATION;
	else if (unit && !strcmp(unit, "bytes"))
		rows->scale.unit = PEAT_FIELD_SIZE;
}

static int copy_row(struct peat_rows *rows, const void *data, uint32_t bytes, bool others)
{
	struct row row = { .data = malloc(bytes), .bytes = bytes, .others = others };

	if (!row.data || !ARRAY_RESERVE(rows->rows, rows->count, rows->room)) {
		free(row.data);
		return -ENOMEM;
	}
	memcpy(row.data, data, bytes);
	rows->rows[rows->count++] = row;
	return 0;
}

/* No event: only the count exists, 0, and other values do not. */
static int add_zero(struct peat_rows *rows)
{
	static const uint64_t zeros[8];
	uint32_t count = rows__find(rows, "count");

	if (rows->keys || count == rows->column_count)
		return 0;
	return copy_row(rows, zeros, rows->columns[count]->offset + rows->columns[count]->bytes,
			false);
}

int peat_rows__read(struct peat_rows *rows, struct peat_table *table)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	uint64_t number;
	int more = peat_table__read(table), err = 0;

	if (more < 0)
		return more;
	forget(rows);
	set_columns(rows, table);
	set_scale(rows, table);
	while (!err && (more = peat_table__next(table, &row)) > 0)
		err = copy_row(rows, row.data, row.size, row.others);
	if (!err && !more && !rows->count)
		err = add_zero(rows);
	for (size_t i = 0; i < rows->count; i++)
		if (rows__number(rows, i, rows__find(rows, "count"), &number))
			rows->events += number;
	return err ? err : more;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* A key can have the name of a value. */
uint32_t rows__find(const struct peat_rows *rows, const char *name)
{
	for (uint32_t i = rows->keys; i < rows->column_count; i++)
		if (!strcmp(rows->columns[i]->name, name))
			return i;
	for (uint32_t i = 0; i < rows->keys; i++)
		if (!strcmp(rows->columns[i]->name, name))
			return i;
	return rows->column_count;
}

bool rows__number(const struct peat_rows *rows, size_t row, uint32_t column, uint64_t *number)
{
	return column < rows->column_count &&
	       peat_field__number(rows->columns[column], rows->rows[row].data,
				  rows->rows[row].bytes, number);
}

void peat_rows__hide_arrays(struct peat_rows *rows)
{
	rows->hides_arrays = true;
}

void peat_rows__set_width(struct peat_rows *rows, uint32_t width)
{
	rows->width = width;
}

size_t peat_rows__count(const struct peat_rows *rows)
{
	return rows->count;
}

uint64_t peat_rows__events(const struct peat_rows *rows)
{
	return rows->events;
}

bool peat_rows__is_others(const struct peat_rows *rows, size_t row)
{
	return row < rows->count && rows->rows[row].others;
}

const struct peat_field *peat_rows__column(const struct peat_rows *rows, uint32_t i)
{
	return i < rows->column_count ? rows->columns[i] : NULL;
}

int peat_rows__find(const struct peat_rows *rows, const char *column)
{
	uint32_t found = rows__find(rows, column);

	return found < rows->column_count ? (int)found : -ENOENT;
}

/* ---- texts ----------------------------------------------------------------------------------- */

char *rows__finish(struct strbuf *out)
{
	strbuf__char(out, 0);
	if (!out->failed)
		return out->bytes;
	strbuf__free(out);
	return fail_null(-ENOMEM);
}

/* Averages of large numbers keep all digits before the point.  False: the value is no FLOAT. */
static bool append_average(struct strbuf *out, const struct peat_field *field,
			   const struct row *row)
{
	double value;

	if (peat_field__class(field) != PEAT_CLASS_FLOAT || row->bytes < field->offset ||
	    !field_text__float(field, row->data, row->bytes, &value))
		return false;
	field_text__append_float(out, fabs(value) < 100000 ? "%g" : "%.1f", value);
	return true;
}

void rows__append(struct strbuf *out, const struct peat_rows *rows, size_t row, uint32_t column)
{
	const struct row *at = &rows->rows[row];
	const struct peat_field *field = rows->columns[column];
	size_t count;
	char *to;

	if (at->others && column < rows->keys) {
		strbuf__text(out, column ? "-" : ROWS_OTHERS);
		return;
	}
	if (column >= rows->keys && append_average(out, field, at))
		return;
	count = peat_field__text(field, at->data, at->bytes, NULL, 0);
	to = strbuf__room(out, count + 1);
	if (!to)
		return;
	if (peat_field__text(field, at->data, at->bytes, to, count + 1) == count)
		out->count += count;
	else
		out->failed = true; /* memory for the text is short, or was */
}

static void append_json(struct strbuf *out, const struct peat_rows *rows, size_t row,
			uint32_t column)
{
	const struct row *at = &rows->rows[row];
	const struct peat_field *field = rows->columns[column];
	int count;
	char *to;

	if (at->others && column < rows->keys) {
		strbuf__text(out, "null");
		return;
	}
	if (row_frames__has(rows, column)) {
		row_frames__append_json(out, rows, row, column);
		return;
	}
	count = peat_field__json(field, at->data, at->bytes, NULL, 0);
	to = count < 0 ? NULL : strbuf__room(out, (size_t)count + 1);
	if (to && peat_field__json(field, at->data, at->bytes, to, (size_t)count + 1) == count)
		out->count += (size_t)count;
	else
		out->failed = true;
}

char *peat_rows__json(const struct peat_rows *rows, size_t row, bool bars)
{
	uint32_t columns = bars ? rows->keys + 1 : rows->column_count;
	struct strbuf out = { 0 };

	if (row >= rows->count)
		return fail_null(-EINVAL);
	strbuf__text(&out, rows->rows[row].others ? "{\"others\":true," : "{");
	for (uint32_t column = 0; column < columns; column++) {
		if (column)
			strbuf__char(&out, ',');
		json_value__name(&out, rows->columns[column]->name);
		strbuf__char(&out, ':');
		append_json(&out, rows, row, column);
	}
	if (bars) {
		strbuf__text(&out, ",\"slots\":");
		rows__append_json_bars(&out, rows, row);
	}
	strbuf__char(&out, '}');
	return rows__finish(&out);
}

/* ---- order ----------------------------------------------------------------------------------- */

struct order {
	const struct peat_rows *rows;
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

static int compare_rows(const void *a, const void *b, void *arg)
{
	const struct order *order = arg;
	const struct peat_rows *rows = order->rows;
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

void peat_rows__sort(struct peat_rows *rows, int column, bool reversed)
{
	struct order order = { rows, (uint32_t)column, reversed };

	if (column >= 0 && order.column < rows->column_count && rows->count)
		qsort_r(rows->rows, rows->count, sizeof(*rows->rows), compare_rows, &order);
}
