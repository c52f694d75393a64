// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/row_lines.c: rows as lines of text, in columns. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "print/line.h"
#include "print/row_frames.h"
#include "print/rows.h"

#define GAP 2

/* Shorter texts say too little: the line is cut at its end instead. */
#define LEAST_TEXT 8

static bool is_right_aligned(const struct peat_field *field)
{
	enum peat_field_class class = peat_field__class(field);

	return class == PEAT_CLASS_NUMBER || class == PEAT_CLASS_FLOAT;
}

static uint32_t width_of(const char *text)
{
	return line__characters(text, strlen(text));
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
	uint32_t widths[ROWS_COLUMNS];
};

static void add_cell(struct cells *cells, size_t line, uint32_t column)
{
	size_t start = cells->texts.count;
	uint32_t width;

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

static uint32_t line_width(const struct cells *cells)
{
	uint32_t width = 0;

	for (uint32_t i = 0; i < cells->rows->column_count; i++)
		if (!row_frames__has(cells->rows, i))
			width += (width ? GAP : 0) + cells->widths[i];
	return width;
}

/* The widest text that may be narrower; NULL: none. */
static uint32_t *widest_text(struct cells *cells)
{
	uint32_t *widest = NULL;

	for (uint32_t i = 0; i < cells->rows->column_count; i++)
		if (!row_frames__has(cells->rows, i) &&
		    !is_right_aligned(cells->rows->columns[i]) && cells->widths[i] > LEAST_TEXT &&
		    (!widest || cells->widths[i] > *widest))
			widest = &cells->widths[i];
	return widest;
}

/* Narrows the texts until a line fits. */
static void fit_texts(struct cells *cells)
{
	uint32_t limit = cells->rows->width, width = line_width(cells), *widest;

	if (!limit)
		return;
	for (; width > limit && (widest = widest_text(cells)); width--)
		--*widest;
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
	uint32_t room = cells->widths[column], width = width_of(text);
	uint32_t blanks = width < room ? room - width : 0;
	bool right = is_right_aligned(cells->rows->columns[column]);

	strbuf__fill(out, ' ', (column ? GAP : 0) + (right ? blanks : 0));
	line__append_cut(out, text, strlen(text), room, *text == '/');
	if (!right && column + 1 < last_column(cells->rows))
		strbuf__fill(out, ' ', blanks);
}

/* Returns the first text of the next line. */
static const char *append_line(struct strbuf *out, const struct cells *cells, const char *text,
			       size_t line)
{
	const struct peat_rows *rows = cells->rows;
	size_t start = out->count;

	for (uint32_t column = 0; column < rows->column_count; column++) {
		if (!row_frames__has(rows, column))
			append_cell(out, cells, text, column);
		text += strlen(text) + 1;
	}
	line__end(out, start, rows->width);
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
	fit_texts(&cells);
	out.failed = cells.texts.failed;
	text = cells.texts.bytes;
	for (size_t line = 0; !out.failed && line < lines; line++)
		text = append_line(&out, &cells, text, line);
	strbuf__free(&cells.texts);
	return rows__finish(&out);
}
