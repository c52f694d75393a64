/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* row_frames.h: the named frames of stacks in the rows of a table. */
#ifndef CLI_ROW_FRAMES_H
#define CLI_ROW_FRAMES_H

#include "rows.h"

/* Whether the column has frames, which follow their row instead of being in it. */
bool row_frames__has(const struct rows *rows, uint32_t column);

/*
 * The frames of a row, innermost first, one per line; "": the row has no stack.  To be freed; NULL:
 * no memory.
 */
char *row_frames__text(const struct rows *rows, size_t row, uint32_t column);

/* Likewise, as a JSON array. */
char *row_frames__json(const struct rows *rows, size_t row, uint32_t column);

#endif /* CLI_ROW_FRAMES_H */
