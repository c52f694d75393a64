// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/rows.c: rows of a table. */
#include <limits.h>
#include <stdlib.h>

#include "base/array.h"
#include "tables/compare.h"
#include "tables/rows.h"

void *table_rows__add(struct table_rows *rows, uint32_t bytes)
{
	void *data;

	/* peat_table__read() returns an int. */
	if (rows->count == INT_MAX || !ARRAY_RESERVE(rows->rows, rows->count, rows->room))
		return NULL;
	data = arena__take(&rows->memory, bytes);
	if (!data)
		return NULL;
	rows->rows[rows->count] =
		(struct table_row){ .data = data, .bytes = bytes, .index = rows->count };
	rows->count++;
	return data;
}

static int compare_keys(const struct table_row *a, const struct table_row *b,
			const struct table_order *order)
{
	const struct peat_field *field = peat_schema__fields(order->schema, NULL);
	int result = 0;

	for (uint32_t i = 0; !result && i < order->keys; i++, field += field->span)
		result = table_compare(field, a->data, a->bytes, b->data, b->bytes);
	return result;
}

/* Bytes of a row from this offset on. */
static uint32_t bytes_from(const struct table_row *row, uint32_t offset)
{
	return row->bytes > offset ? row->bytes - offset : 0;
}

static int compare_columns(const struct table_row *a, const struct table_row *b,
			   const struct table_order *order)
{
	int result;

	if (!order->field)
		return 0;
	result = table_compare(order->field, (const char *)a->data + order->base,
			       bytes_from(a, order->base), (const char *)b->data + order->base,
			       bytes_from(b, order->base));
	return order->descending ? -result : result;
}

static int compare_rows(const void *one, const void *other, void *arg)
{
	const struct table_row *a = one, *b = other;
	int result;

	if (a->column != b->column)
		return a->column < b->column ? -1 : 1;
	result = compare_columns(a, b, arg);
	if (!result && a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (!result)
		result = compare_keys(a, b, arg);
	return result ? result : (a->index > b->index) - (a->index < b->index);
}

/* Sorting compares each row many times: so it reads the columns of a row only once. */
static void rank(struct table_row *row, const struct table_order *order)
{
	row->column = row->key = 0;
	if (order->field)
		row->column =
			table_compare__rank(order->field, (const char *)row->data + order->base,
					    bytes_from(row, order->base));
	if (order->descending)
		row->column = ~row->column;
	if (order->keys)
		row->key = table_compare__rank(peat_schema__fields(order->schema, NULL), row->data,
					       row->bytes);
}

void table_rows__sort(struct table_rows *rows, const struct table_order *order)
{
	for (uint32_t i = 0; i < rows->count; i++)
		rank(&rows->rows[i], order);
	if (rows->count)
		qsort_r(rows->rows, rows->count, sizeof(*rows->rows), compare_rows, (void *)order);
	rows->next = 0;
}

void table_rows__clear(struct table_rows *rows)
{
	free(rows->rows);
	arena__free(&rows->memory);
	*rows = (struct table_rows){ 0 };
}
