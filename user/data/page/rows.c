// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/rows.c: what all events of a page have, as columns. */
#include "page/rows.h"

#define ROWS_MAX 32768

/* Events without a time are where the one before is. */
static int64_t step_of(struct page_rows *rows, const struct peat_event *event)
{
	uint64_t before = rows->last_ns;

	if (!event->time_ns)
		return 0;
	rows->last_ns = event->time_ns;
	if (rows->first_ns)
		return (int64_t)(event->time_ns - before);
	rows->first_ns = event->time_ns;
	return 0;
}

void page_rows__add(struct page_rows *rows, const struct page_type *type,
		    const struct peat_event *event, uint32_t task, uint32_t node)
{
	uint64_t duration = 0;
	bool has_duration = page_type__duration(type, event, &duration);
	struct strbuf *columns = rows->columns;

	varint__put(&columns[PAGE_ROWS_TYPE], type->number);
	varint__put_signed(&columns[PAGE_ROWS_TIME], step_of(rows, event));
	varint__put(&columns[PAGE_ROWS_DURATION], has_duration ? duration + 1 : 0);
	varint__put(&columns[PAGE_ROWS_CPU], event->cpu == PEAT_NO_CPU ? 0 : event->cpu + 1ULL);
	varint__put(&columns[PAGE_ROWS_TASK], task);
	varint__put(&columns[PAGE_ROWS_STACK], node == PAGE_NO_STACK ? 0 : node);
	rows->rows++;
	rows->events++;
}

bool page_rows__are_full(const struct page_rows *rows)
{
	return rows->rows >= ROWS_MAX;
}

void page_rows__put(struct page_rows *rows, struct strbuf *out)
{
	for (int i = 0; i < PAGE_ROWS_COLUMNS; i++) {
		struct strbuf *column = &rows->columns[i];

		varint__put_bytes(out, column->bytes, column->count);
		out->failed |= column->failed;
		strbuf__cut(column, 0);
	}
	rows->rows = 0;
}

void page_rows__free(struct page_rows *rows)
{
	for (int i = 0; i < PAGE_ROWS_COLUMNS; i++)
		strbuf__free(&rows->columns[i]);
}
