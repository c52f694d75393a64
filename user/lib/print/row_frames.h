/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/row_frames.h: the named frames of stacks in the rows of a table. */
#ifndef PEAT_PRINT_ROW_FRAMES_H
#define PEAT_PRINT_ROW_FRAMES_H

#include "print/rows.h"

/* Whether the column has frames, which follow their row instead of being in it. */
bool row_frames__has(const struct peat_rows *rows, uint32_t column);

/* Appends the frames of a row, innermost first: lines; or a JSON array. */
void row_frames__append(struct strbuf *out, const struct peat_rows *rows, size_t row,
			uint32_t column);
void row_frames__append_json(struct strbuf *out, const struct peat_rows *rows, size_t row,
			     uint32_t column);

#endif /* PEAT_PRINT_ROW_FRAMES_H */
