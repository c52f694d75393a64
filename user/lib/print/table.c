// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* table.c: events of one type in columns. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "schema/fields.h"
#include "print/table.h"
#include "schema/field_text.h"

#define HELD_ROWS  4096u
#define HELD_BYTES (1u << 20)

#define PID_WIDTH     7
#define COMM_WIDTH    15
#define TIME_WIDTH    15 /* 09:12:33.123456 */
#define SECONDS_WIDTH 14 /* 1234567.123456 */

#define GROWN_WIDTH 64 /* wider text does not fit its column, rather than widen it for all */
#define TEXT_WIDTH  16 /* at first, of text of whatever length */
#define LEAST_WIDTH 12 /* of columns that shrink for others, ... */
#define LAST_WIDTH  32 /* ... and what the last one gets before they stop */

#define ELLIPSIS "\xe2\x80\xa6"

struct column {
	const struct peat_field *field; /* NULL: a time, a process, its name */
	uint32_t base;			/* where the struct begins that the field is in */
	char *heading;
	bool right;	 /* a number, aligned at its end */
	bool shrinks;	 /* text that says something even if it is cut */
	uint32_t seen;	 /* the widest there was, in characters */
	uint32_t wanted; /* that, or more */
	uint32_t width;	 /* after shrinking */
};

struct cell {
	uint32_t at, bytes, characters;
	bool is_line; /* the whole of it */
};

struct table {
	uint32_t limit; /* of a line; 0: none */
	const struct peat_schema *schema;
	bool settled;
	bool failed;
	struct column *columns;
	uint32_t count, room;
	struct cell *cells; /* held, row by row */
	size_t cell_count, cell_room;
	uint32_t rows;
	struct out text; /* of the cells */
};

static uint32_t count_characters(const char *text, size_t bytes)
{
	uint32_t count = 0;

	for (size_t i = 0; i < bytes; i++)
		count += (text[i] & 0xc0) != 0x80;
	return count;
}

/* How many bytes the first `characters` have. */
static size_t bytes_of(const char *text, size_t bytes, uint32_t characters)
{
	size_t i = 0;

	for (; i < bytes; i++)
		if ((text[i] & 0xc0) != 0x80 && !characters--)
			break;
	return i;
}

void table__end_line(struct out *out, size_t start, uint32_t width)
{
	if (out->failed)
		return;
	while (out->count > start && out->bytes[out->count - 1] == ' ')
		out->count--;
	if (width && out->count - start > width) {
		char *line = out->bytes + start;
		size_t bytes = out->count - start, fitting = bytes_of(line, bytes, width);

		if (fitting < bytes) {
			out__cut(out, start + bytes_of(line, bytes, width - 1));
			out__text(out, ELLIPSIS);
		}
	}
	out__char(out, '\n');
}

/* ---- widths ---------------------------------------------------------------------------------- */

static bool is_number(enum peat_field_kind kind)
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

static bool is_text(enum peat_field_kind kind)
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

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t longest_name(const struct peat_field *field)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < field->name_count; i++) {
		size_t bytes = strlen(field->names[i].name);

		longest = bytes > longest ? bytes : longest;
	}
	return longest < TEXT_WIDTH ? (uint32_t)longest : TEXT_WIDTH;
}

/* What most values of the kind need. */
static uint32_t first_width(const struct peat_field *field)
{
	switch (field->kind) {
	case PEAT_FIELD_UNSIGNED:
	case PEAT_FIELD_SIGNED:
		return field->bits ? 1 : smaller(2 * field->bytes + 1, 7);
	case PEAT_FIELD_HEX:
		return smaller(2 * field->bytes + 2, 12);
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
		return longest_name(field);
	case PEAT_FIELD_STRING:
		return field->bytes ? smaller(field->bytes - 1, TEXT_WIDTH) : TEXT_WIDTH;
	case PEAT_FIELD_BYTES:
		return field->bytes ? smaller(2 * field->bytes, TEXT_WIDTH) : TEXT_WIDTH;
	case PEAT_FIELD_IPV4:
	case PEAT_FIELD_IPV6:
		return 15;
	case PEAT_FIELD_MAC:
		return 17;
	default:
		return TEXT_WIDTH;
	}
}

/* The blanks before a column: text, which can have some inside, keeps its distance. */
static uint32_t gap(const struct table *table, uint32_t i)
{
	return !i ? 0 : table->columns[i].right ? 1 : 2;
}

/* Gives up `excess` characters at most: at first blanks, of whatever column, then text. */
static uint32_t shrink(struct table *table, uint32_t excess, bool blanks)
{
	struct column *widest;

	for (; excess; excess--) {
		widest = NULL;
		for (uint32_t i = 0; i + 1 < table->count; i++) {
			struct column *column = &table->columns[i];
			uint32_t least = blanks		   ? column->seen
					 : column->shrinks ? LEAST_WIDTH
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

/* The last column is as wide as the line is long; here it counts with what it cannot do without. */
static void lay_out(struct table *table)
{
	uint32_t total = 0, excess;

	for (uint32_t i = 0; i < table->count; i++) {
		struct column *column = &table->columns[i];

		column->width = column->wanted;
		total +=
			gap(table, i) +
			(i + 1 < table->count ? column->width : smaller(column->width, LAST_WIDTH));
	}
	if (!table->limit || total <= table->limit)
		return;
	excess = shrink(table, total - table->limit, true);
	shrink(table, excess, false);
}

static void widen(struct table *table, const struct cell *cells)
{
	bool wider = false;

	for (uint32_t i = 0; i < table->count; i++) {
		struct column *column = &table->columns[i];
		uint32_t seen = cells[i].characters;

		if (!column->right)
			seen = smaller(seen, GROWN_WIDTH);
		if (seen <= column->seen)
			continue;
		wider |= seen > column->width;
		column->seen = seen;
		column->wanted = seen > column->wanted ? seen : column->wanted;
	}
	if (wider)
		lay_out(table);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_cell(struct table *table, struct out *out, uint32_t i, const struct cell *cell)
{
	const struct column *column = &table->columns[i];
	const char *text = table->text.bytes + cell->at;
	bool last = i + 1 == table->count, cut = table->limit && cell->characters > column->width;
	uint32_t blanks = cell->characters < column->width ? column->width - cell->characters : 0;

	out__fill(out, ' ', gap(table, i) + (column->right ? blanks : 0));
	if (cut && !last && !column->right) {
		out__bytes(out, text, bytes_of(text, cell->bytes, column->width - 1));
		out__text(out, ELLIPSIS);
	} else {
		out__bytes(out, text, cell->bytes);
	}
	if (!column->right && !last)
		out__fill(out, ' ', blanks);
}

static void put_row(struct table *table, struct out *out, const struct cell *cells)
{
	size_t start = out->count;

	if (cells->is_line)
		out__bytes(out, table->text.bytes + cells->at, cells->bytes);
	for (uint32_t i = 0; !cells->is_line && i < table->count; i++)
		put_cell(table, out, i, &cells[i]);
	table__end_line(out, start, table->limit);
}

static void drop_rows(struct table *table)
{
	table->cell_count = 0;
	table->rows = 0;
	out__cut(&table->text, 0);
	table->text.failed = false;
}

static void put_rows(struct table *table, struct out *out)
{
	for (size_t i = 0; i < table->cell_count; i += table->cells[i].is_line ? 1 : table->count)
		put_row(table, out, &table->cells[i]);
	drop_rows(table);
}

void table__settle(struct table *table, struct out *out)
{
	if (table->settled || !table->rows)
		return;
	table->settled = true;
	lay_out(table);
	put_rows(table, out);
}

/* Room for a row's cells behind those that are held. */
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

/* All that was added to the text since `at`. */
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

static void end_row(struct table *table, struct out *out, const struct cell *cells, uint32_t count)
{
	if (table->text.failed) {
		table->failed = true;
		drop_rows(table);
		return;
	}
	table->cell_count += count;
	table->rows++;
	if (!cells->is_line)
		widen(table, cells);
	if (table->settled)
		put_rows(table, out);
	else if (table->rows >= HELD_ROWS || table->text.count >= HELD_BYTES)
		table__settle(table, out);
}

/* The event's own schema has the same fields, but may have other names of numbers. */
static void append_cell(struct table *table, const struct column *column,
			const struct peat_event *event)
{
	const struct peat_field *field =
		event->schema->fields + (column->field - table->schema->fields);
	uint32_t base = smaller(column->base, event->size);
	const char *data = event->data ? event->data : "";

	value__append(&table->text, field, data + base, event->size - base);
}

void table__append_id(struct out *out, uint32_t id)
{
	if (id == PEAT_NO_TASK)
		out__char(out, '-');
	else
		out__unsigned(out, id);
}

static void append_comm(struct out *out, const char *comm)
{
	if (comm)
		escape__text(out, comm, strlen(comm), 0);
	else
		out__char(out, '-');
}

void table__add(struct table *table, struct out *out, const struct peat_event *event,
		const char *time)
{
	struct cell *cells = new_cells(table);
	uint32_t first = 0; /* of the columns without a field */

	if (!cells)
		return;
	for (uint32_t i = 0; i < table->count; i++) {
		const struct column *column = &table->columns[i];
		size_t at = table->text.count;

		if (column->field)
			append_cell(table, column, event);
		else if (time && i == 0)
			out__text(&table->text, time);
		else if (!first++)
			table__append_id(&table->text, event->pid);
		else
			append_comm(&table->text, event->comm);
		cells[i] = end_cell(table, at);
	}
	end_row(table, out, cells, table->count);
}

void table__add_line(struct table *table, struct out *out, const char *line, size_t bytes)
{
	struct cell *cells = new_cells(table);
	size_t at = table->text.count;

	if (!cells)
		return;
	out__bytes(&table->text, line, bytes);
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

/* A column with the heading and all else of `column`; the heading is NULL for want of memory. */
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

static bool has_members(const struct peat_field *field)
{
	return field->kind == PEAT_FIELD_STRUCT || field->kind == PEAT_FIELD_UNION;
}

/* "FROM.PORT" */
static char *new_heading(const char *path, const char *name)
{
	struct out out = { 0 };

	out__text(&out, path);
	if (*path && *name)
		out__char(&out, '.');
	escape__text(&out, name, strlen(name), 0);
	out__char(&out, 0);
	if (out.failed) {
		out__free(&out);
		return NULL;
	}
	for (char *p = out.bytes; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	return out.bytes;
}

static bool add_fields(struct table *table, const struct peat_field *field,
		       const struct peat_field *end, uint32_t base, const char *path)
{
	bool added = true;

	for (; added && field < end; field += field->span) {
		char *heading = new_heading(path, field->name);

		if (has_members(field)) {
			added = heading && add_fields(table, field + 1, field + field->span,
						      base + field->offset, heading);
			free(heading);
			continue;
		}
		added = add_column(table, (struct column){ .field = field,
							   .base = base,
							   .heading = heading,
							   .right = is_number(field->kind),
							   .shrinks = is_text(field->kind),
							   .wanted = first_width(field) });
	}
	return added;
}

uint32_t table__time_width(const struct peat_sink_opts *opts)
{
	return opts->wall_clock_ns ? TIME_WIDTH : SECONDS_WIDTH;
}

static bool add_columns(struct table *table, const struct peat_sink_opts *opts)
{
	const struct peat_schema *schema = opts->columns;
	struct column time = { .heading = new_heading("", "time"),
			       .right = !opts->wall_clock_ns,
			       .seen = opts->wall_clock_ns ? 0 : SECONDS_WIDTH,
			       .wanted = table__time_width(opts) };
	struct column pid = { .heading = new_heading("", "pid"),
			      .right = true,
			      .seen = PID_WIDTH,
			      .wanted = PID_WIDTH };
	struct column comm = { .heading = new_heading("", "comm"),
			       .shrinks = true,
			       .wanted = COMM_WIDTH };
	bool added = true;

	if (opts->wall_clock_ns || opts->seconds)
		added = add_column(table, time);
	else
		free(time.heading);
	added = add_column(table, pid) && added;
	added = add_column(table, comm) && added;
	return added && add_fields(table, schema->fields, schema->fields + schema->count, 0, "");
}

/* The heading is the first of the rows that are held, but is none that settles the table. */
static void add_heading(struct table *table)
{
	struct cell *cells = new_cells(table);

	if (!cells)
		return;
	for (uint32_t i = 0; i < table->count; i++) {
		size_t at = table->text.count;

		out__text(&table->text, table->columns[i].heading);
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
	table->schema = opts->columns;
	if (add_columns(table, opts)) {
		lay_out(table);
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
	out__free(&table->text);
	free(table);
}
