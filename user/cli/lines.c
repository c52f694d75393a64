// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* lines.c: rows as lines of text, in columns. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "row_frames.h"
#include "terminal_text.h"

#define GAP 2

static bool is_right_aligned(const struct peat_field *field)
{
	enum peat_field_class class = peat_field__class(field);

	return class == PEAT_CLASS_NUMBER || class == PEAT_CLASS_FLOAT;
}

/* Characters of UTF-8. */
static size_t width(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

static char *heading(const struct peat_field *field)
{
	char *text = terminal_text__escape(field->name);

	for (char *at = text; at && *at; at++)
		*at = (char)toupper((unsigned char)*at);
	return text;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Texts of the heading, then of each row; NULL: no memory. */
struct cells {
	char **texts;
	size_t lines;
	uint32_t columns;
	size_t widths[ROWS_COLUMNS];
};

static void free_cells(struct cells *cells)
{
	for (size_t i = 0; i < cells->lines * cells->columns; i++)
		free(cells->texts[i]);
	free(cells->texts);
}

static bool set_cell(struct cells *cells, const struct rows *rows, size_t line, uint32_t column)
{
	char *text = line ? rows__text(rows, line - 1, column) : heading(rows->columns[column]);
	size_t wide = text ? width(text) : 0;

	cells->texts[line * cells->columns + column] = text;
	if (wide > cells->widths[column])
		cells->widths[column] = wide;
	return text;
}

static int make_cells(struct cells *cells, const struct rows *rows, size_t lines)
{
	bool made = true;

	*cells = (struct cells){ .lines = lines, .columns = rows->column_count };
	cells->texts = calloc(lines * cells->columns + 1, sizeof(*cells->texts));
	if (!cells->texts)
		return -ENOMEM;
	for (size_t line = 0; line < lines; line++)
		for (uint32_t column = 0; column < cells->columns; column++)
			made = set_cell(cells, rows, line, column) && made;
	if (made)
		return 0;
	free_cells(cells);
	return -ENOMEM;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Columns with frames are not in the line; the last column that is needs no blanks after it. */
static uint32_t last_column(const struct rows *rows)
{
	uint32_t last = rows->column_count;

	while (last && row_frames__has(rows, last - 1))
		last--;
	return last;
}

static void print_cell(FILE *to, const struct cells *cells, const struct rows *rows, size_t line,
		       uint32_t column)
{
	const char *text = cells->texts[line * cells->columns + column];
	int blanks = (int)(cells->widths[column] - width(text));
	bool right = is_right_aligned(rows->columns[column]);

	fprintf(to, "%*s%*s%s", column ? GAP : 0, "", right ? blanks : 0, "", text);
	if (!right && column + 1 < last_column(rows))
		fprintf(to, "%*s", blanks, "");
}

static char *make_line(const struct cells *cells, const struct rows *rows, size_t line)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	for (uint32_t column = 0; column < cells->columns; column++)
		if (!row_frames__has(rows, column))
			print_cell(to, cells, rows, line, column);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

/* Owns `text`; NULL: no memory. */
static bool add_line(struct lines *lines, char *text)
{
	char **grown = text ? reallocarray(lines->lines, lines->count + 1, sizeof(*grown)) : NULL;

	if (!grown) {
		free(text);
		return false;
	}
	lines->lines = grown;
	grown[lines->count++] = text;
	return true;
}

static bool add_frames(struct lines *lines, const struct rows *rows, size_t row, uint32_t column)
{
	char *text = row_frames__text(rows, row, column), *rest = text, *line;
	bool added = text;

	while (added && (line = strsep(&rest, "\n")))
		added = !*line || add_line(lines, strdup(line));
	free(text);
	return added;
}

static bool add_row(struct lines *lines, const struct cells *cells, const struct rows *rows,
		    size_t line)
{
	bool added = add_line(lines, make_line(cells, rows, line));

	for (uint32_t column = 0; line && added && column < rows->column_count; column++)
		if (row_frames__has(rows, column))
			added = add_frames(lines, rows, line - 1, column);
	return added;
}

int lines__make(struct lines *lines, const struct rows *rows, size_t shown)
{
	struct cells cells;
	size_t count = 1 + (shown < rows->count ? shown : rows->count);
	bool made = true;

	*lines = (struct lines){ 0 };
	if (make_cells(&cells, rows, count))
		return -ENOMEM;
	for (size_t line = 0; made && line < count; line++)
		made = add_row(lines, &cells, rows, line);
	free_cells(&cells);
	if (made)
		return 0;
	lines__free(lines);
	return -ENOMEM;
}

void lines__free(struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->lines[i]);
	free(lines->lines);
	*lines = (struct lines){ 0 };
}
