/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * page/rows.h: what all events of a page have, in their order: type, time, duration, CPU, task and
 * stack, a column of varints each.
 */
#ifndef PEAT_PAGE_ROWS_H
#define PEAT_PAGE_ROWS_H

#include <peat/reader.h>

#include "page/type_rows.h"

#define PAGE_NO_STACK UINT32_MAX

enum page_rows_column {
	PAGE_ROWS_TYPE,
	PAGE_ROWS_TIME,	    /* ns, less the event before; the first one is 0 */
	PAGE_ROWS_DURATION, /* ns + 1; 0: none */
	PAGE_ROWS_CPU,	    /* + 1; 0: unknown */
	PAGE_ROWS_TASK,	    /* a number of counted_frames.h */
	PAGE_ROWS_STACK,    /* a node of stack_tree.h; 0: none */
	PAGE_ROWS_COLUMNS
};

/* All zero: empty. */
struct page_rows {
	struct strbuf columns[PAGE_ROWS_COLUMNS];
	uint32_t rows;
	uint64_t events;
	uint64_t first_ns, last_ns; /* of the first event with a time, and of the previous event */
};

/* `node` PAGE_NO_STACK: the event has no stack. */
void page_rows__add(struct page_rows *rows, const struct page_type *type,
		    const struct peat_event *event, uint32_t task, uint32_t node);

bool page_rows__are_full(const struct page_rows *rows);

/* Appends the columns, each with its size before it, and empties them. */
void page_rows__put(struct page_rows *rows, struct strbuf *out);

void page_rows__free(struct page_rows *rows);

#endif /* PEAT_PAGE_ROWS_H */
