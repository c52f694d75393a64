/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * print/column_view.h: lays out events of one type in columns.
 *
 * Rows are buffered until the widths of the columns are fixed; later rows are appended to `out`
 * immediately.
 */
#ifndef PEAT_PRINT_COLUMN_VIEW_H
#define PEAT_PRINT_COLUMN_VIEW_H

#include <peat/sink.h>

#include "base/strbuf.h"
#include "print/chosen_fields.h"

struct column_view;

/* Columns for events of the type opts->columns, with these fields of it.  NULL: no memory. */
struct column_view *column_view__new(const struct peat_sink_opts *opts,
				     const struct chosen_fields *chosen);
void column_view__free(struct column_view *view); /* NULL is allowed */

/* The least width of the time column. */
uint32_t column_view__time_width(const struct peat_sink_opts *opts);

/* Adds an event of this type.  `time`: text of the time column; NULL: there is no such column. */
void column_view__add(struct column_view *view, struct strbuf *out, const struct peat_event *event,
		      const char *time);

/* Adds a line that is not split into columns, without its newline.  Errors are red. */
void column_view__add_line(struct column_view *view, struct strbuf *out, const char *line,
			   size_t bytes, bool is_error);

/* Fixes the widths of the columns and appends the buffered rows to `out`. */
void column_view__flush(struct column_view *view, struct strbuf *out);

/*
 * Changes the width of lines: the columns that fit are chosen anew.  If rows have been printed, the
 * heading is printed again.
 */
void column_view__resize(struct column_view *view, struct strbuf *out, uint32_t width);

/* Appends the headings of the columns that have no room in the lines, once some were printed. */
void column_view__hidden(const struct column_view *view, struct strbuf *names);

/* Returns true once after an allocation failed; buffered rows are then lost. */
bool column_view__failed(struct column_view *view);

#endif /* PEAT_PRINT_COLUMN_VIEW_H */
