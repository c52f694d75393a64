// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/column_view.c: lays out events of one type in columns. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "field/call_fields.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "print/cell_text.h"
#include "print/column_view.h"
#include "print/columns.h"
#include "print/frames.h"
#include "print/line.h"

#define BUFFERED_ROWS  4096u
#define BUFFERED_BYTES (1u << 20)

#define TYPE_WIDTH    8
#define PID_WIDTH     7
#define COMM_WIDTH    15
#define COMM_NARROW   9	 /* most names are shorter */
#define TIME_WIDTH    15 /* 09:12:33.123456 */
#define SECONDS_WIDTH 14 /* 1234567.123456 */

#define MAX_TEXT_WIDTH 64 /* wider text does not widen its column: it overflows or is cut */

struct column {
	struct chosen_field part;
	char *heading;
	bool right;	 /* right-aligned: a number */
	bool is_string;	 /* its cells can be paths */
	bool has_errors; /* its cells can be negative errnos */
	bool was_hidden; /* before columns were chosen anew */
};

struct cell {
	uint32_t at, bytes, characters; /* at: offset in column_view.text */
	bool is_line;			/* a whole line, without columns */
	bool is_error;			/* printed in red */
	bool is_path;			/* its end is more useful than its beginning */
};

struct column_view {
	bool no_symbols, has_heading, colour;
	uint32_t limit; /* width of a line in characters; 0: unlimited */
	const struct peat_schema *schema;
	bool has_chosen;		 /* all columns are shown, without bytes after the type */
	const struct peat_field *chosen; /* the last one by name: also if it is hidden */
	bool laid_out;			 /* widths are fixed, rows are no longer buffered */
	bool has_unseen;		 /* columns of rare members that are not shown yet */
	bool failed;
	struct column *columns;
	struct column_size *sizes; /* of the columns */
	uint32_t count, room;
	uint32_t last;	    /* the last column that is shown */
	struct cell *cells; /* buffered, row by row */
	size_t cell_count, cell_room;
	uint32_t rows;
	struct strbuf text; /* text of all cells */
};

/* ---- widths ---------------------------------------------------------------------------------- */

/* Whether a value is useful when it is cut. */
static bool is_shrinkable(const struct field_type *type)
{
	switch (type->class) {
	case PEAT_CLASS_TEXT:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_ELEMENTS:
		return true;
	case PEAT_CLASS_NAMED:
		return type->has_own_names;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_FLOAT:
	case PEAT_CLASS_ADDRESS:
	case PEAT_CLASS_MEMBERS:
	case PEAT_CLASS_STACK:
		break;
	}
	return false;
}

static uint32_t min_width(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Rows that are appended later have these widths. */
static void lay_out_columns(struct column_view *view)
{
	columns__lay_out(view->sizes, view->count, view->limit);
	view->last = columns__last(view->sizes, view->count);
}

static void widen_columns(struct column_view *view, const struct cell *cells)
{
	bool wider = false;

	for (uint32_t i = 0; i < view->count; i++) {
		struct column_size *size = &view->sizes[i];
		uint32_t seen = cells[i].characters;

		if (!view->columns[i].right)
			seen = min_width(seen, MAX_TEXT_WIDTH);
		if (seen <= size->seen)
			continue;
		wider |= seen > size->width && !size->hidden;
		size->seen = seen;
		size->wanted = seen > size->wanted ? seen : size->wanted;
	}
	if (wider)
		lay_out_columns(view);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The last column gets the rest of the line that begins at `start`. */
static uint32_t cell_room(const struct column_view *view, const struct strbuf *out, size_t start,
			  uint32_t i)
{
	uint32_t used;

	if (!view->limit || view->columns[i].right)
		return UINT32_MAX;
	if (i != view->last)
		return view->sizes[i].width;
	used = out->failed ? 0 : line__characters(out->bytes + start, out->count - start);
	return used < view->limit ? view->limit - used : 1;
}

static void append_text(struct strbuf *out, const struct column_view *view, const struct cell *cell,
			uint32_t room)
{
	bool red = view->colour && cell->is_error;

	strbuf__text(out, red ? LINE_RED : "");
	line__append_cut(out, view->text.bytes + cell->at, cell->bytes, room, cell->is_path);
	strbuf__text(out, red ? LINE_PLAIN : "");
}

static void append_cell(struct column_view *view, struct strbuf *out, size_t start, uint32_t i,
			const struct cell *cell)
{
	const struct column_size *size = &view->sizes[i];
	bool right = view->columns[i].right;
	uint32_t blanks = cell->characters < size->width ? size->width - cell->characters : 0;

	strbuf__fill(out, ' ', (out->count > start ? size->gap : 0) + (right ? blanks : 0));
	append_text(out, view, cell, cell_room(view, out, start, i));
	if (!right && i != view->last)
		strbuf__fill(out, ' ', blanks);
}

static void append_row(struct column_view *view, struct strbuf *out, const struct cell *cells)
{
	size_t start = out->count;

	if (cells->is_line)
		append_text(out, view, cells, UINT32_MAX);
	for (uint32_t i = 0; !cells->is_line && i < view->count; i++)
		if (!view->sizes[i].hidden)
			append_cell(view, out, start, i, &cells[i]);
	line__end(out, start, view->limit);
}

static void discard_rows(struct column_view *view)
{
	view->cell_count = 0;
	view->rows = 0;
	strbuf__cut(&view->text, 0);
	view->text.failed = false;
}

static void append_rows(struct column_view *view, struct strbuf *out)
{
	for (size_t i = 0; i < view->cell_count; i += view->cells[i].is_line ? 1 : view->count)
		append_row(view, out, &view->cells[i]);
	discard_rows(view);
}

void column_view__flush(struct column_view *view, struct strbuf *out)
{
	if (view->laid_out || !view->rows)
		return;
	view->laid_out = true;
	lay_out_columns(view);
	append_rows(view, out);
}

/* Memory for the cells of a row, after the buffered ones. */
static struct cell *new_cells(struct column_view *view)
{
	if (ARRAY_RESERVE_MORE(view->cells, view->cell_count, view->cell_room, view->count))
		return view->cells + view->cell_count;
	view->failed = true;
	return NULL;
}

/* The cell made of all text from offset `at` on. */
static struct cell end_cell(const struct column_view *view, size_t at)
{
	size_t bytes = view->text.count - at;

	return (struct cell){ .at = (uint32_t)at,
			      .bytes = (uint32_t)bytes,
			      .characters =
				      view->text.failed || !bytes
					      ? 0
					      : line__characters(view->text.bytes + at, bytes) };
}

static void end_row(struct column_view *view, struct strbuf *out, const struct cell *cells,
		    uint32_t count)
{
	if (view->text.failed) {
		view->failed = true;
		discard_rows(view);
		return;
	}
	view->cell_count += count;
	view->rows++;
	if (!cells->is_line)
		widen_columns(view, cells);
	if (view->laid_out)
		append_rows(view, out);
	else if (view->rows >= BUFFERED_ROWS || view->text.count >= BUFFERED_BYTES)
		column_view__flush(view, out);
}

/* The event's own schema has the same fields, but may have other names for their values. */
static void append_field_value(struct column_view *view, const struct chosen_field *part,
			       const struct peat_event *event)
{
	const struct peat_field *field =
		event->schema->fields + (part->field - view->schema->fields);
	uint32_t base = min_width(part->base, event->size);
	const char *data = event->data ? event->data : "";

	field_text__append(&view->text, field, data + base, event->size - base,
			   frames__kernel_symbols(event, view->no_symbols));
}

static void append_value(struct column_view *view, const struct chosen_field *part,
			 const struct peat_event *event, const char *time)
{
	if (part->content == CONTENT_FIELD)
		append_field_value(view, part, event);
	else if (part->content == CONTENT_TIME)
		strbuf__text(&view->text, time);
	else
		cell_text__append_common(&view->text, part, event);
}

static struct cell make_cell(struct column_view *view, uint32_t i, const struct peat_event *event,
			     const char *time)
{
	const struct column *column = &view->columns[i];
	const struct chosen_field *part = &column->part;
	size_t at = view->text.count;
	uint32_t base = min_width(part->base, event->size);
	const char *data = event->data ? event->data : "";
	struct cell cell;

	append_value(view, part, event, time);
	if (i == view->last && !view->has_chosen)
		field_text__append_appended(&view->text, event->schema, event->data, event->size);
	cell = end_cell(view, at);
	cell.is_path = column->is_string && cell.bytes && !view->text.failed &&
		       view->text.bytes[at] == '/';
	cell.is_error = column->has_errors &&
			cell_text__is_error(part->field, data + base, event->size - base);
	return cell;
}

/* The heading is the first buffered row; it is not counted, so that it is not flushed alone. */
static void add_heading(struct column_view *view)
{
	struct cell *cells = new_cells(view);

	if (!cells)
		return;
	for (uint32_t i = 0; i < view->count; i++) {
		size_t at = view->text.count;

		strbuf__text(&view->text, view->columns[i].heading);
		cells[i] = end_cell(view, at);
	}
	end_row(view, NULL, cells, view->count);
	view->rows = 0;
}

static void choose_columns(struct column_view *view)
{
	columns__choose(view->sizes, view->count, view->limit);
	lay_out_columns(view);
}

/* Chooses the columns anew.  The heading is printed again if rows have been. */
static void begin_again(struct column_view *view, struct strbuf *out)
{
	bool was_laid_out = view->laid_out;

	choose_columns(view);
	if (!view->has_heading)
		return;
	discard_rows(view); /* a heading without rows, if anything */
	view->laid_out = false;
	add_heading(view);
	if (!was_laid_out)
		return;
	view->laid_out = true;
	append_rows(view, out);
}

/* ---- rare members ---------------------------------------------------------------------------- */

/* Whether the event has values for columns that were not shown, which are to be shown now. */
static bool is_revealing(struct column_view *view, const struct peat_event *event)
{
	bool reveals = false, is_unseen;

	view->has_unseen = false;
	for (uint32_t i = 0; i < view->count; i++) {
		const struct chosen_field *part = &view->columns[i].part;
		uint32_t base = min_width(part->base, event->size);
		const char *data = event->data ? event->data : "";

		if (!view->sizes[i].unseen)
			continue;
		is_unseen = cell_text__is_nothing(part->field, data + base, event->size - base);
		view->sizes[i].unseen = is_unseen;
		view->has_unseen |= is_unseen;
		reveals |= !is_unseen;
	}
	return reveals;
}

/* Chooses the columns anew, and returns whether others are shown now. */
static bool choose_others(struct column_view *view)
{
	bool changed = false;

	for (uint32_t i = 0; i < view->count; i++)
		view->columns[i].was_hidden = view->sizes[i].hidden;
	columns__choose(view->sizes, view->count, view->limit);
	for (uint32_t i = 0; i < view->count; i++)
		changed |= view->columns[i].was_hidden != view->sizes[i].hidden;
	return changed;
}

/* A revealed column may not fit into the line: then the heading stays. */
static void show_revealed(struct column_view *view, struct strbuf *out)
{
	if (!choose_others(view))
		return;
	if (view->laid_out)
		begin_again(view, out);
	else
		lay_out_columns(view);
}

/* Columns that may be shown before the buffered rows are printed have their text. */
static bool needs_cell(const struct column_view *view, uint32_t i)
{
	return !view->sizes[i].hidden || (view->sizes[i].unseen && !view->laid_out);
}

void column_view__add(struct column_view *view, struct strbuf *out, const struct peat_event *event,
		      const char *time)
{
	struct cell *cells;

	if (view->has_unseen && is_revealing(view, event))
		show_revealed(view, out);
	cells = new_cells(view);
	if (!cells)
		return;
	for (uint32_t i = 0; i < view->count; i++)
		cells[i] = needs_cell(view, i) ? make_cell(view, i, event, time)
					       : (struct cell){ .at = 0 };
	end_row(view, out, cells, view->count);
}

void column_view__add_line(struct column_view *view, struct strbuf *out, const char *line,
			   size_t bytes, bool is_error)
{
	struct cell *cells = new_cells(view);
	size_t at = view->text.count;

	if (!cells)
		return;
	strbuf__bytes(&view->text, line, bytes);
	*cells = end_cell(view, at);
	cells->is_line = true;
	cells->is_error = is_error;
	end_row(view, out, cells, 1);
}

bool column_view__failed(struct column_view *view)
{
	bool failed = view->failed;

	view->failed = false;
	return failed;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Makes room for another column.  False: no memory. */
static bool grow_columns(struct column_view *view)
{
	uint32_t room = 2 * (view->room + 8);
	struct column *columns = realloc(view->columns, room * sizeof(*columns));
	struct column_size *sizes = NULL;

	if (columns) {
		view->columns = columns;
		sizes = realloc(view->sizes, room * sizeof(*sizes));
	}
	if (!sizes)
		return false;
	view->sizes = sizes;
	view->room = room;
	return true;
}

/* Adds a copy of `column` and takes ownership of its heading.  False: no memory, also if NULL. */
static bool add_column(struct column_view *view, struct column column, struct column_size size)
{
	uint32_t heading;

	if (!column.heading || (view->count == view->room && !grow_columns(view))) {
		free(column.heading);
		return false;
	}
	heading = line__characters(column.heading, strlen(column.heading));
	if (view->has_heading && size.wanted < heading)
		size.wanted = heading;
	size.gap = column.right ? 1 : 2; /* text can contain blanks */
	view->sizes[view->count] = size;
	view->columns[view->count++] = column;
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

/*
 * The first field of a type is always shown.  Long text such as a path, which most people look for,
 * is left out last.  Before it, results and addresses are left out: without results, failures look
 * like successes.
 */
static enum column_rank rank_of(const struct column_view *view, const struct peat_field *field,
				bool is_minor)
{
	const struct field_type *type = field_type__of(field);

	if (view->has_chosen || field == view->schema->fields)
		return COLUMN_KEPT;
	if (is_minor)
		return COLUMN_MINOR;
	if (call_fields__are(field))
		return COLUMN_LONG_TEXT;
	if (type->class == PEAT_CLASS_TEXT && (!field->bytes || field->bytes > COLUMNS_MIN_LAST))
		return COLUMN_LONG_TEXT;
	return type->class == PEAT_CLASS_ADDRESS || type->is_error_below_0 ? COLUMN_SOUGHT
									   : COLUMN_PLAIN;
}

static bool add_field_column(struct column_view *view, const struct peat_field *field,
			     uint32_t base, const char *path, bool is_minor)
{
	const struct field_type *type = field_type__of(field);
	const struct column column = { .part = { .field = field, .base = base },
				       .heading = new_heading(path, field->name),
				       .right = type->is_right,
				       .is_string = type->strings == FIELD_ONE_STRING,
				       .has_errors = type->is_error_below_0 };
	const struct column_size size = {
		.rank = rank_of(view, field, is_minor),
		.narrow = is_shrinkable(type) ? COLUMNS_MIN_TEXT : 0,
		.least = type->least,
		.wanted = type->measure ? type->measure(field) : type->width,
		.unseen = field->is_rare && view->limit && !view->has_chosen
	};

	view->has_unseen |= size.unseen;
	return add_column(view, column, size);
}

static bool add_field_columns(struct column_view *view, const struct peat_field *field,
			      const struct peat_field *end, uint32_t base, const char *path,
			      bool is_minor)
{
	bool added = true;

	for (; added && field < end; field += field->span) {
		char *heading;

		if (field->is_hidden && field != view->chosen)
			continue;
		if (field_type__of(field)->class != PEAT_CLASS_MEMBERS) {
			added = add_field_column(view, field, base, path,
						 is_minor || field->is_minor);
			continue;
		}
		heading = new_heading(path, field->name);
		added = heading && add_field_columns(view, field + 1, field + field->span,
						     base + field->offset, heading,
						     is_minor || field->is_minor);
		free(heading);
	}
	return added;
}

uint32_t column_view__time_width(const struct peat_sink_opts *opts)
{
	return opts->wall_clock_ns ? TIME_WIDTH : SECONDS_WIDTH;
}

static bool add_common_column(struct column_view *view, const struct peat_sink_opts *opts,
			      enum content content)
{
	const struct {
		const char *heading;
		bool right;
		struct column_size size;
	} commons[] = {
		[CONTENT_TYPE] = { "TYPE",
				   .size = { .narrow = COLUMNS_MIN_TEXT, .wanted = TYPE_WIDTH } },
		[CONTENT_TIME] = { "TIME", .right = !opts->wall_clock_ns,
				   .size = { .seen = opts->wall_clock_ns ? 0 : SECONDS_WIDTH,
					     .wanted = column_view__time_width(opts) } },
		[CONTENT_PID] = { "PID", .right = true,
				  .size = { .seen = PID_WIDTH, .wanted = PID_WIDTH } },
		[CONTENT_TID] = { "TID", .right = true,
				  .size = { .seen = PID_WIDTH, .wanted = PID_WIDTH } },
		[CONTENT_COMM] = { "COMM",
				   .size = { .narrow = COMM_NARROW, .wanted = COMM_WIDTH } },
		[CONTENT_CPU] = { "CPU",
				  .size = { .rank = COLUMN_CPU, .wanted = CELL_TEXT_CPU_WIDTH } },
	};
	struct column_size size = commons[content].size;

	if (view->has_chosen)
		size.rank = COLUMN_KEPT;
	return add_column(view,
			  (struct column){ .part = { .content = content },
					   .heading = strdup(commons[content].heading),
					   .right = commons[content].right },
			  size);
}

static bool add_identity_column(struct column_view *view, const struct chosen_field *part)
{
	const struct column column = { .part = *part,
				       .heading = new_heading("", part->sampled->field.name),
				       .right = !part->sampled->read_text };
	const struct column_size size = { .rank = view->has_chosen ? COLUMN_KEPT : COLUMN_MINOR,
					  .narrow = column.right ? 0 : COLUMNS_MIN_TEXT,
					  .wanted = column.right ? PID_WIDTH : COLUMNS_MIN_TEXT };

	return add_column(view, column, size);
}

static bool add_identity(struct column_view *view)
{
	struct chosen_field part;
	bool added = true;

	for (uint32_t i = 0; added && chosen_fields__identity(view->schema, i, &part); i++)
		added = add_identity_column(view, &part);
	return added;
}

static bool add_all_columns(struct column_view *view, const struct peat_sink_opts *opts)
{
	const struct peat_schema *schema = opts->columns;
	bool has_time = opts->wall_clock_ns || opts->seconds;

	return (!has_time || add_common_column(view, opts, CONTENT_TIME)) &&
	       add_common_column(view, opts, CONTENT_PID) &&
	       add_common_column(view, opts, CONTENT_COMM) &&
	       add_common_column(view, opts, CONTENT_CPU) &&
	       (!opts->identity || add_identity(view)) &&
	       add_field_columns(view, schema->fields, fields__end(schema), 0, "", false);
}

static bool add_chosen_column(struct column_view *view, const struct peat_sink_opts *opts,
			      const char *name)
{
	struct chosen_field found;
	char *path;
	bool added;

	if (!chosen_fields__find(opts->columns, name, &found))
		return false;
	if (found.content == CONTENT_IDENTITY)
		return add_identity_column(view, &found);
	if (found.content != CONTENT_FIELD)
		return add_common_column(view, opts, found.content);
	view->chosen = found.field;
	path = chosen_fields__outer(name);
	added = path && add_field_columns(view, found.field, found.field + found.field->span,
					  found.base, path, false);
	free(path);
	return added;
}

static bool add_columns(struct column_view *view, const struct peat_sink_opts *opts,
			const struct chosen_fields *chosen)
{
	bool added = true;

	if (!chosen->count)
		return add_all_columns(view, opts);
	for (const char *name = NULL; added && (name = chosen_fields__next(chosen, name));)
		added = add_chosen_column(view, opts, name);
	return added;
}

struct column_view *column_view__new(const struct peat_sink_opts *opts,
				     const struct chosen_fields *chosen)
{
	struct column_view *view = calloc(1, sizeof(*view));

	if (!view)
		return NULL;
	view->limit = opts->width;
	view->no_symbols = opts->no_symbols;
	view->colour = opts->colour;
	view->has_heading = !opts->no_heading;
	view->has_chosen = chosen->count;
	view->schema = opts->columns;
	if (add_columns(view, opts, chosen)) {
		choose_columns(view);
		if (view->has_heading)
			add_heading(view);
		if (!view->failed)
			return view;
	}
	column_view__free(view);
	return NULL;
}

void column_view__hidden(const struct column_view *view, struct strbuf *names)
{
	for (uint32_t i = 0; view->laid_out && i < view->count; i++) {
		if (!view->sizes[i].hidden || view->sizes[i].unseen)
			continue;
		strbuf__text(names, names->count ? ", " : "");
		strbuf__text(names, view->columns[i].heading);
	}
}

void column_view__resize(struct column_view *view, struct strbuf *out, uint32_t width)
{
	if (view->limit == width)
		return;
	column_view__flush(view, out);
	view->limit = width;
	begin_again(view, out);
}

void column_view__free(struct column_view *view)
{
	if (!view)
		return;
	for (uint32_t i = 0; i < view->count; i++)
		free(view->columns[i].heading);
	free(view->columns);
	free(view->sizes);
	free(view->cells);
	strbuf__free(&view->text);
	free(view);
}
