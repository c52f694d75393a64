/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * table.h: events of one type in columns.
 *
 * Rows are held until their columns' widths are settled, then go straight to `out`.
 */
#ifndef TABLE_H
#define TABLE_H

#include <peat/sink.h>

#include "base/strbuf.h"

struct table;

/* opts->columns is its type.  NULL: no memory. */
struct table *table__new(const struct peat_sink_opts *opts);
void table__free(struct table *table); /* takes NULL */

/* At least, of what stands before an event. */
uint32_t table__time_width(const struct peat_sink_opts *opts);

/* An event of this type; `time` is what stands before it, NULL when none is wanted. */
void table__add(struct table *table, struct out *out, const struct peat_event *event,
		const char *time);

/* A line that is in no columns, without its newline. */
void table__add_line(struct table *table, struct out *out, const char *line, size_t bytes);

/* Rows that are held are held no longer. */
void table__settle(struct table *table, struct out *out);

/* True once: memory was short, and rows that were held are gone. */
bool table__failed(struct table *table);

/* A process or a thread; "-": it is none's. */
void table__append_id(struct out *out, uint32_t id);

/*
 * Ends the line that began at `start` of `out`: without blanks at its end, no wider than `width`
 * (0: as wide as it is).
 */
void table__end_line(struct out *out, size_t start, uint32_t width);

#endif /* TABLE_H */
