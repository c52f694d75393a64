// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/row_frames.c: the named frames of stacks in the rows of a table. */
#include "event/frame_names.h"
#include "field/field_text.h"
#include "field/field_type.h"
#include "print/frames.h"
#include "print/row_frames.h"

bool row_frames__has(const struct peat_rows *rows, uint32_t column)
{
	const struct peat_field *field = rows->columns[column];

	return peat_field__class(field) == PEAT_CLASS_STACK
		       ? rows->opts.stack != NULL
		       : rows->opts.symbols && field_type__of(field)->frames == FIELD_USER_FRAMES;
}

/* The process of a row is in its column "pid". */
static int name(const struct peat_rows *rows, size_t row, uint32_t column,
		const struct peat_stack_frame **frames)
{
	const struct row *at = &rows->rows[row];
	uint64_t pid = 0, id;

	if (at->others)
		return 0;
	if (peat_field__class(rows->columns[column]) == PEAT_CLASS_STACK)
		return rows__number(rows, row, column, &id)
			       ? rows->opts.stack(rows->opts.stack_arg, id, frames)
			       : 0;
	rows__number(rows, row, rows__find(rows, "pid"), &pid);
	return frame_names__of(rows->opts.symbols)
		->field(rows->opts.symbols, rows->columns[column], at->data, at->bytes,
			(uint32_t)pid, 0, frames);
}

void row_frames__append(struct strbuf *out, const struct peat_rows *rows, size_t row,
			uint32_t column)
{
	const struct peat_stack_frame *frames;
	int count = name(rows, row, column, &frames);

	if (rows->rows[row].others)
		strbuf__text(out, FIELD_TEXT_FRAME_INDENT ROWS_OTHERS "\n");
	for (int i = 0; i < count; i++) {
		strbuf__text(out, FIELD_TEXT_FRAME_INDENT);
		frames__append(out, &frames[i]);
		strbuf__char(out, '\n');
	}
	out->failed |= count < 0;
}

void row_frames__append_json(struct strbuf *out, const struct peat_rows *rows, size_t row,
			     uint32_t column)
{
	const struct peat_stack_frame *frames;
	int count = name(rows, row, column, &frames);

	strbuf__char(out, '[');
	for (int i = 0; i < count; i++) {
		if (i)
			strbuf__char(out, ',');
		frames__append_json(out, &frames[i]);
	}
	strbuf__char(out, ']');
	out->failed |= count < 0;
}
