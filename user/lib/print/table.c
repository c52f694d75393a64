// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/table.c: lays out events of one type in columns. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "schema/fields.h"
#include "print/frames.h"
#include "print/table.h"
#include "schema/field_text.h"

#define BUFFERED_ROWS  4096u
#define BUFFERED_BYTES (1u << 20)

#define PID_WIDTH     7
#define COMM_WIDTH    15
#define TIME_WIDTH    15 /* 09:12:33.123456 */
#define SECONDS_WIDTH 14 /* 1234567.123456 */

#define TEXT_WIDTH     16 /* initial width of text of any length */
#define MAX_TEXT_WIDTH 64 /* wider text overflows its column instead of widening it */
#define MIN_TEXT_WIDTH 12 /* a text column shrinks no further than this, ... */
#define MIN_LAST_WIDTH 32 /* ... to leave this much for the last column */

#define ELLIPSIS "\xe2\x80\xa6"

/* The content of a column. */
enum content { CONTENT_FIELD, CONTENT_TIME, CONTENT_PID, CONTENT_COMM, CONTENT_CPU };

struct column {
	enum content content;
	const struct peat_field *field; /* of CONTENT_FIELD */
	uint32_t base;			/* offset of the struct that contains the field */
	char *heading;
	bool right;	 /* right-aligned: a number */
	bool shrinks;	 /* text that is still useful when cut */
	uint32_t seen;	 /* width of the widest cell, in characters */
	uint32_t wanted; /* width before shrinking, at least `seen` */
	uint32_t width;	 /* width after shrinking */
};

struct cell {
	uint32_t at, bytes, characters; /* at: offset in table.text */
	bool is_line;			/* a whole line, without columns */
};

struct table {
	bool no_symbols;
	uint32_t limit; /* width of a line in characters; 0: unlimited */
	const struct peat_schema *schema;
	bool laid_out; /* widths are fixed, rows are no longer buffered */
	bool failed;
	struct column *columns;
	uint32_t count, room;
	struct cell *cells; /* buffered, row by row */
	size_t cell_count, cell_room;
	uint32_t rows;
	struct strbuf text; /* text of all cells */
};

static uint32_t count_characters(const char *text, size_t bytes)
{
	uint32_t count = 0;

	for (size_t i = 0; i < bytes; i++)
		count += (text[i] & 0xc0) != 0x80;
	return count;
}

/* The number of bytes in the first `characters` characters. */
static size_t bytes_of_characters(const char *text, size_t bytes, uint32_t characters)
{
	size_t i = 0;

	for (; i < bytes; i++)
		if ((text[i] & 0xc0) != 0x80 && !characters--)
			break;
	return i;
}

void table__end_line(struct strbuf *out, size_t start, uint32_t width)
{
	if (out->failed)
		return;
	while (out->count > start && out->bytes[out->count - 1] == ' ')
		out->count--;
	if (width && out->count - start > width) {
		char *line = out->bytes + start;
		size_t bytes = out->count - start,
		       fitting = bytes_of_characters(line, bytes, width);

		if (fitting < bytes) {
			strbuf__cut(out, start + bytes_of_characters(line, bytes, width - 1));
			strbuf__text(out, ELLIPSIS);
		}
	}
	strbuf__char(out, '\n');
}

/* ---- widths ---------------------------------------------------------------------------------- */

static bool is_right_aligned(enum peat_field_kind kind)
{
	switch (kind) {
	case PEAT_FIELD_UNSIGNED:
	case PEAT_FIELD_SIGNED:
	case PEAT_FIELD_HEX:
	case PEAT_FIELD_FLOAT:
	case PEAT_FIELD_PORT:
	case PEAT_FIELD_ERRNO:
	case PEAT_FIELD_DURATION:
	case PEAT_FIELD_SIZE:
		return true;
	default:
		return false;
	}
}

static bool is_shrinkable(enum peat_field_kind kind)
{
	switch (kind) {
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_FLAGS:
	case PEAT_FIELD_STRING:
	case PEAT_FIELD_STRINGS:
	case PEAT_FIELD_BYTES:
	case PEAT_FIELD_KADDR:
	case PEAT_FIELD_KSTACK:
	case PEAT_FIELD_ARRAY:
		return true;
	default:
		return false;
	}
}

static uint32_t min_width(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t longest_enum_name(const struct peat_field *field)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < field->name_count; i++) {
		size_t bytes = strlen(field->names[i].name);

		longest = bytes > longest ? bytes : longest;
	}
	return longest < TEXT_WIDTH ? (uint32_t)longest : TEXT_WIDTH;
}

/* The width that most values of the kind need. */
static uint32_t initial_width(const struct peat_field *field)
{
	switch (field->kind) {
	case PEAT_FIELD_UNSIGNED:
	case PEAT_FIELD_SIGNED:
		return field->bits ? 1 : min_width(2 * field->bytes + 1, 7);
	case PEAT_FIELD_HEX:
		return min_width(2 * field->bytes + 2, 12);
	case PEAT_FIELD_BOOL:
	case PEAT_FIELD_PORT:
	case PEAT_FIELD_SIZE:
		return 5;
	case PEAT_FIELD_FLOAT:
	case PEAT_FIELD_ERRNO:
	case PEAT_FIELD_SIGNAL:
	case PEAT_FIELD_DURATION:
		return 7;
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_FLAGS:
		return longest_enum_name(field);
	case PEAT_FIELD_STRING:
		return field->bytes ? min_width(field->bytes - 1, TEXT_WIDTH) : TEXT_WIDTH;
	case PEAT_FIELD_BYTES:
		return field->bytes ? min_width(2 * field->bytes, TEXT_WIDTH) : TEXT_WIDTH;
	case PEAT_FIELD_IPV4:
	case PEAT_FIELD_IPV6:
		return 15;
	case PEAT_FIELD_MAC:
		return 17;
	case PEAT_FIELD_ENDPOINT:
		return 15; /* most have more */
	default:
		return TEXT_WIDTH;
	}
}

/* The number of blanks before a column: two before text, since text can contain blanks. */
static uint32_t column_gap(const struct table *table, uint32_t i)
{
	return !i ? 0 : table->columns[i].right ? 1 : 2;
}

/*
 * Narrows the widest columns by `excess` characters in all and returns the excess that is left.
 * `blanks`: narrows any column, but only as far as no text is cut; else cuts text.
 */
static uint32_t shrink_columns(struct table *table, uint32_t excess, bool blanks)
{
	struct column *widest;

	for (; excess; excess--) {
		widest = NULL;
		for (uint32_t i = 0; i + 1 < table->count; i++) {
			struct column *column = &table->columns[i];
			uint32_t least = blanks		   ? column->seen
					 : column->shrinks ? MIN_TEXT_WIDTH
							   : column->width;

			if (column->width > least && (!widest || column->width > widest->width))
				widest = column;
		}
		if (!widest)
			break;
		widest->width--;
	}
	return excess;
}

/* The last column gets the rest of the line; it counts with at most MIN_LAST_WIDTH here. */
static void lay_out_columns(struct table *table)
{
	uint32_t total = 0, excess;

	for (uint32_t i = 0; i < table->count; i++) {
		struct column *column = &table->columns[i];

		column->width = column->wanted;
		total += column_gap(table, i) +
			 (i + 1 < table->count ? column->width
					       : min_width(column->width, MIN_LAST_WIDTH));
	}
	if (!table->limit || total <= table->limit)
		return;
	excess = shrink_columns(table, total - table->limit, true);
	shrink_columns(table, excess, false);
}

static void widen_columns(struct table *table, const struct cell *cells)
{
	bool wider = false;

	for (uint32_t i = 0; i < table->count; i++) {
		struct column *column = &table->columns[i];
		uint32_t seen = cells[i].characters;

		if (!column->right)
			seen = min_width(seen, MAX_TEXT_WIDTH);
		if (seen <= column->seen)
			continue;
		wider |= seen > column->width;
		column->seen = seen;
		column->wanted = seen > column->wanted ? seen : column->wanted;
	}
	if (wider)
		lay_out_columns(table);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void append_cell(struct table *table, struct strbuf *out, uint32_t i,
			const struct cell *cell)
{
	const struct column *column = &table->columns[i];
	const char *text = table->text.bytes + cell->at;
	bool last = i + 1 == table->count, cut = table->limit && cell->characters > column->width;
	uint32_t blanks = cell->characters < column->width ? column->width - cell->characters : 0;

	strbuf__fill(out, ' ', column_gap(table, i) + (column->right ? blanks : 0));
	if (cut && !last && !column->right) {
		strbuf__bytes(out, text, bytes_of_characters(text, cell->bytes, column->width - 1));
		strbuf__text(out, ELLIPSIS);
	} else {
		strbuf__bytes(out, text, cell->bytes);
	}
	if (!column->right && !last)
		strbuf__fill(out, ' ', blanks);
}

static void append_row(struct table *table, struct strbuf *out, const struct cell *cells)
{
	size_t start = out->count;

	if (cells->is_line)
		strbuf__bytes(out, table->text.bytes + cells->at, cells->bytes);
	for (uint32_t i = 0; !cells->is_line && i < table->count; i++)
		append_cell(table, out, i, &cells[i]);
	table__end_line(out, start, table->limit);
}

static void discard_rows(struct table *table)
{
	table->cell_count = 0;
	table->rows = 0;
	strbuf__cut(&table->text, 0);
	table->text.failed = false;
}

static void append_rows(struct table *table, struct strbuf *out)
{
	for (size_t i = 0; i < table->cell_count; i += table->cells[i].is_line ? 1 : table->count)
		append_row(table, out, &table->cells[i]);
	discard_rows(table);
}

void table__flush(struct table *table, struct strbuf *out)
{
	if (table->laid_out || !table->rows)
		return;
	table->laid_out = true;
	lay_out_columns(table);
	append_rows(table, out);
}

/* Memory for the cells of a row, after the buffered ones. */
static struct cell *new_cells(struct table *table)
{
	size_t room = table->cell_room ? 2 * table->cell_room : 4 * (size_t)table->count;
	struct cell *cells;

	if (table->cell_count + table->count <= table->cell_room)
		return table->cells + table->cell_count;
	cells = realloc(table->cells, room * sizeof(*cells));
	if (!cells) {
		table->failed = true;
		return NULL;
	}
	table->cells = cells;
	table->cell_room = room;
	return cells + table->cell_count;
}

/* The cell made of all text from offset `at` on. */
static struct cell end_cell(const struct table *table, size_t at)
{
	size_t bytes = table->text.count - at;

	return (struct cell){ .at = (uint32_t)at,
			      .bytes = (uint32_t)bytes,
			      .characters =
				      table->text.failed || !bytes
					      ? 0
					      : count_characters(table->text.bytes + at, bytes) };
}

static void end_row(struct table *table, struct strbuf *out, const struct cell *cells,
		    uint32_t count)
{
	if (table->text.failed) {
		table->failed = true;
		discard_rows(table);
		return;
	}
	table->cell_count += count;
	table->rows++;
	if (!cells->is_line)
		widen_columns(table, cells);
	if (table->laid_out)
		append_rows(table, out);
	else if (table->rows >= BUFFERED_ROWS || table->text.count >= BUFFERED_BYTES)
		table__flush(table, out);
}

/* The event's own schema has the same fields, but may have other names for their values. */
static void append_field_value(struct table *table, const struct column *column,
			       const struct peat_event *event)
{
	const struct peat_field *field =
		event->schema->fields + (column->field - table->schema->fields);
	uint32_t base = min_width(column->base, event->size);
	const char *data = event->data ? event->data : "";

	field_text__append(&table->text, field, data + base, event->size - base,
			   frames__kernel_symbols(event, table->no_symbols));
}

void table__append_id(struct strbuf *out, uint32_t id)
{
	if (id == PEAT_NO_TASK)
		strbuf__char(out, '-');
	else
		strbuf__unsigned(out, id);
}

void table__append_cpu(struct strbuf *out, uint32_t cpu)
{
	if (cpu == PEAT_NO_CPU) {
		strbuf__char(out, '-');
		return;
	}
	strbuf__char(out, '[');
	if (cpu < 1000)
		strbuf__padded(out, cpu, 3);
	else
		strbuf__unsigned(out, cpu);
	strbuf__char(out, ']');
}

static void append_comm_cell(struct strbuf *out, const char *comm)
{
	if (comm)
		escape__text(out, comm, strlen(comm), 0);
	else
		strbuf__char(out, '-');
}

static void append_value(struct table *table, const struct column *column,
			 const struct peat_event *event, const char *time)
{
	switch (column->content) {
	case CONTENT_FIELD:
		append_field_value(table, column, event);
		return;
	case CONTENT_TIME:
		strbuf__text(&table->text, time);
		return;
	case CONTENT_PID:
		table__append_id(&table->text, event->pid);
		return;
	case CONTENT_COMM:
		append_comm_cell(&table->text, event->comm);
		return;
	case CONTENT_CPU:
		table__append_cpu(&table->text, event->cpu);
		return;
	}
}

void table__add(struct table *table, struct strbuf *out, const struct peat_event *event,
		const char *time)
{
	struct cell *cells = new_cells(table);

	if (!cells)
		return;
	for (uint32_t i = 0; i < table->count; i++) {
		size_t at = table->text.count;

		append_value(table, &table->columns[i], event, time);
		if (i + 1 == table->count)
			field_text__append_appended(&table->text, event->schema, event->data,
						    event->size);
		cells[i] = end_cell(table, at);
	}
	end_row(table, out, cells, table->count);
}

void table__add_line(struct table *table, struct strbuf *out, const char *line, size_t bytes)
{
	struct cell *cells = new_cells(table);
	size_t at = table->text.count;

	if (!cells)
		return;
	strbuf__bytes(&table->text, line, bytes);
	*cells = end_cell(table, at);
	cells->is_line = true;
	end_row(table, out, cells, 1);
}

bool table__failed(struct table *table)
{
	bool failed = table->failed;

	table->failed = false;
	return failed;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Adds a copy of `column` and takes ownership of its heading.  False: no memory, also if NULL. */
static bool add_column(struct table *table, struct column column)
{
	struct column *columns = table->columns;

	if (column.heading && table->count == table->room) {
		columns = realloc(columns, 2 * (table->room + 8) * sizeof(*columns));
		if (columns) {
			table->columns = columns;
			table->room = 2 * (table->room + 8);
		}
	}
	if (!column.heading || !columns) {
		free(column.heading);
		return false;
	}
	columns[table->count++] = column;
	return true;
}

/* "FROM.PORT": the path of the member in upper case. */
static char *new_heading(const char *path, const char *name)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, path);
	if (*path && *name)
		strbuf__char(&out, '.');
	escape__text(&out, name, strlen(name), 0);
	strbuf__char(&out, 0);
	if (out.failed) {
		strbuf__free(&out);
		return NULL;
	}
	for (char *p = out.bytes; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return out.bytes;
}

static bool add_field_columns(struct table *table, const struct peat_field *field,
			      const struct peat_field *end, uint32_t base, const char *path)
{
	bool added = true;

	for (; added && field < end; field += field->span) {
		char *heading = new_heading(path, field->name);

		if (fields__has_members(field) && field->kind != PEAT_FIELD_ENDPOINT) {
			added = heading && add_field_columns(table, field + 1, field + field->span,
							     base + field->offset, heading);
			free(heading);
			continue;
		}
		added = add_column(table, (struct column){ .field = field,
							   .base = base,
							   .heading = heading,
							   .right = is_right_aligned(field->kind),
							   .shrinks = is_shrinkable(field->kind),
							   .wanted = initial_width(field) });
	}
	return added;
}

uint32_t table__time_width(const struct peat_sink_opts *opts)
{
	return opts->wall_clock_ns ? TIME_WIDTH : SECONDS_WIDTH;
}

/* The columns that every table has, and the time if it is printed. */
static bool add_common_columns(struct table *table, const struct peat_sink_opts *opts)
{
	const struct column columns[] = {
		{ .content = CONTENT_TIME,
		  .heading = (char *)"TIME",
		  .right = !opts->wall_clock_ns,
		  .seen = opts->wall_clock_ns ? 0 : SECONDS_WIDTH,
		  .wanted = table__time_width(opts) },
		{ .content = CONTENT_PID,
		  .heading = (char *)"PID",
		  .right = true,
		  .seen = PID_WIDTH,
		  .wanted = PID_WIDTH },
		{ .content = CONTENT_COMM,
		  .heading = (char *)"COMM",
		  .shrinks = true,
		  .wanted = COMM_WIDTH },
		{ .content = CONTENT_CPU, .heading = (char *)"CPU", .wanted = TABLE_CPU_WIDTH },
	};
	bool added = true, has_time = opts->wall_clock_ns || opts->seconds;

	for (size_t i = !has_time; added && i < sizeof(columns) / sizeof(*columns); i++) {
		struct column column = columns[i];

		column.heading = strdup(column.heading);
		added = add_column(table, column);
	}
	return added;
}

static bool add_columns(struct table *table, const struct peat_sink_opts *opts)
{
	const struct peat_schema *schema = opts->columns;

	return add_common_columns(table, opts) &&
	       add_field_columns(table, schema->fields, fields__end(schema), 0, "");
}

/* The heading is the first buffered row; it is not counted, so that it is not flushed alone. */
static void add_heading(struct table *table)
{
	struct cell *cells = new_cells(table);

	if (!cells)
		return;
	for (uint32_t i = 0; i < table->count; i++) {
		size_t at = table->text.count;

		strbuf__text(&table->text, table->columns[i].heading);
		cells[i] = end_cell(table, at);
	}
	end_row(table, NULL, cells, table->count);
	table->rows = 0;
}

struct table *table__new(const struct peat_sink_opts *opts)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->limit = opts->width;
	table->no_symbols = opts->no_symbols;
	table->schema = opts->columns;
	if (add_columns(table, opts)) {
		lay_out_columns(table);
		if (!opts->no_heading)
			add_heading(table);
		if (!table->failed)
			return table;
	}
	table__free(table);
	return NULL;
}

void table__free(struct table *table)
{
	if (!table)
		return;
	for (uint32_t i = 0; i < table->count; i++)
		free(table->columns[i].heading);
	free(table->columns);
	free(table->cells);
	strbuf__free(&table->text);
	free(table);
}
