// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/row_lines.c: rows as lines of text, in columns. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "print/row_frames.h"
#include "print/rows.h"

#define GAP 2

static bool is_right_aligned(const struct peat_field *field)
{
	enum peat_field_class class = peat_field__class(field);

	return class == PEAT_CLASS_NUMBER || class == PEAT_CLASS_FLOAT;
}

/* Characters of UTF-8. */
static size_t width_of(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

static void append_heading(struct strbuf *out, const struct peat_field *field)
{
	size_t start = out->count;

	escape__text(out, field->name, strlen(field->name), 0);
	for (size_t i = start; i < out->count; i++)
		out->bytes[i] = (char)toupper((unsigned char)out->bytes[i]);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Texts of the heading, then of each row, line by line, each with a NUL. */
struct cells {
	const struct peat_rows *rows;
	struct strbuf texts;
	size_t widths[ROWS_COLUMNS];
};

static void add_cell(struct cells *cells, size_t line, uint32_t column)
{
	size_t start = cells->texts.count, width;

	if (line)
		rows__append(&cells->texts, cells->rows, line - 1, column);
	else
		append_heading(&cells->texts, cells->rows->columns[column]);
	strbuf__char(&cells->texts, 0);
	width = cells->texts.failed ? 0 : width_of(cells->texts.bytes + start);
	if (width > cells->widths[column])
		cells->widths[column] = width;
}

static void make_cells(struct cells *cells, size_t lines)
{
	for (size_t line = 0; line < lines; line++)
		for (uint32_t column = 0; column < cells->rows->column_count; column++)
			add_cell(cells, line, column);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Columns with frames are not in the line; the last column that is needs no blanks after it. */
static uint32_t last_column(const struct peat_rows *rows)
{
	uint32_t last = rows->column_count;

	while (last && row_frames__has(rows, last - 1))
		last--;
	return last;
}

static void append_cell(struct strbuf *out, const struct cells *cells, const char *text,
			uint32_t column)
{
	size_t blanks = cells->widths[column] - width_of(text);
	bool right = is_right_aligned(cells->rows->columns[column]);

	strbuf__fill(out, ' ', (column ? GAP : 0) + (right ? blanks : 0));
	strbuf__text(out, text);
	if (!right && column + 1 < last_column(cells->rows))
		strbuf__fill(out, ' ', blanks);
}

/* Returns the first text of the next line. */
static const char *append_line(struct strbuf *out, const struct cells *cells, const char *text,
			       size_t line)
{
	const struct peat_rows *rows = cells->rows;

	for (uint32_t column = 0; column < rows->column_count; column++) {
		if (!row_frames__has(rows, column))
			append_cell(out, cells, text, column);
		text += strlen(text) + 1;
	}
	strbuf__char(out, '\n');
	for (uint32_t column = 0; line && column < rows->column_count; column++)
		if (row_frames__has(rows, column))
			row_frames__append(out, rows, line - 1, column);
	return text;
}

char *peat_rows__text(const struct peat_rows *rows, size_t most)
{
	size_t lines = rows->column_count ? 1 + (most < rows->count ? most : rows->count) : 0;
	struct cells cells = { .rows = rows };
	struct strbuf out = { 0 };
	const char *text;

	make_cells(&cells, lines);
	out.failed = cells.texts.failed;
	text = cells.texts.bytes;
	for (size_t line = 0; !out.failed && line < lines; line++)
		text = append_line(&out, &cells, text, line);
	strbuf__free(&cells.texts);
	return rows__finish(&out);
}
