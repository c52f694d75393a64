// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/text.c: the text sink: a table, or one line per event with "name=value" for each field. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "event/recorded.h"
#include "field/fields.h"
#include "field/sampled.h"
#include "base/errors.h"
#include "print/line.h"
#include "print/lost_event.h"
#include "print/sample_fields.h"
#include "print/cell_text.h"
#include "print/column_view.h"
#include "print/text.h"
#include "print/destination.h"
#include "print/tool_event.h"
#include "field/field_text.h"

#define FLUSH_BYTES (64u << 10)

#define TYPE_WIDTH     8  /* initial width */
#define TYPE_WIDTH_MAX 32 /* longer names do not widen the column */
#define PID_WIDTH      7
#define COMM_WIDTH     15
#define CPU_LINE_WIDTH 100 /* lines of at least this width have the CPU */

struct text {
	struct peat_sink sink;
	struct destination destination;
	int err;      /* of writing: nothing is written after it */
	bool dropped; /* an event, for lack of memory */
	int64_t wall_clock_ns;
	bool seconds, no_symbols;
	struct peat_symbols *symbols;
	bool has_heading; /* printed, or not wanted */
	bool has_cpu;	  /* lines have the CPU */
	bool colour;
	uint32_t width;
	struct chosen_fields chosen;
	uint32_t time_width, type_width, pid_width; /* of the widest so far, in characters */
	struct column_view *view;		    /* NULL: no columns */
	const struct peat_schema *columns;
	struct strbuf out;
	struct strbuf line; /* lines of an event that is no row of a table */
	int64_t second;	    /* the whole second that `time` shows */
	char time[sizeof("18446744073.709551")];
};

/* ---- times ----------------------------------------------------------------------------------- */

static bool format_second(struct text *text, int64_t second)
{
	time_t time = (time_t)second;
	struct tm tm;

	if (text->time[0] && text->time[0] != '-' && text->second == second)
		return true;
	text->second = second;
	return localtime_r(&time, &tm) &&
	       strftime(text->time, sizeof(text->time), "%H:%M:%S.", &tm);
}

/* The same format as perf script's: seconds with six digits of fraction. */
static const char *format_seconds(struct text *text, uint64_t ns)
{
	char *digit = text->time + sizeof(text->time) - 1;
	uint64_t rest = ns / 1000;

	*digit = 0;
	if (!ns) {
		*--digit = '-';
		return digit;
	}
	for (int digits = 0; digits < 7 || rest; digits++) {
		if (digits == 6)
			*--digit = '.';
		*--digit = (char)('0' + rest % 10);
		rest /= 10;
	}
	return digit;
}

/* NULL: no time was asked for. */
static const char *format_time(struct text *text, const struct peat_event *event)
{
	int64_t wall_clock_ns = recorded__wall_clock(event, text->wall_clock_ns);
	int64_t ns = (int64_t)(event->time_ns + (uint64_t)wall_clock_ns);
	int64_t part = ns % 1000000000;
	char *digit = text->time + sizeof("09:12:33.") - 1;

	if (!text->wall_clock_ns)
		return text->seconds ? format_seconds(text, event->time_ns) : NULL;
	part += part < 0 ? 1000000000 : 0;
	if (!event->time_ns || !format_second(text, (ns - part) / 1000000000)) {
		strcpy(text->time, "-");
		return text->time;
	}
	for (int64_t unit = 100000000; unit >= 1000; unit /= 10)
		*digit++ = (char)('0' + part / unit % 10);
	*digit = 0;
	return text->time;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void pad(struct strbuf *out, size_t columns, uint32_t width)
{
	if (columns < width)
		strbuf__fill(out, ' ', width - columns);
}

static void print_type(struct text *text, struct strbuf *out, const char *type)
{
	size_t columns = escape__text(out, type, strlen(type), 0);

	if (columns > text->type_width)
		text->type_width = columns < TYPE_WIDTH_MAX ? (uint32_t)columns : TYPE_WIDTH_MAX;
	pad(out, columns, text->type_width);
}

static uint32_t decimal_digits(uint32_t value)
{
	uint32_t digits = 1;

	for (; value >= 10; value /= 10)
		digits++;
	return digits;
}

static uint32_t id_width(uint32_t id)
{
	return id == PEAT_NO_TASK ? 1 : decimal_digits(id);
}

/* "22858"; "22858/22860" for a thread that is not the main thread */
static void print_ids(struct text *text, struct strbuf *out, const struct peat_event *event)
{
	bool both = event->tid != event->pid;
	uint32_t columns = id_width(event->pid) + (both ? 1 + id_width(event->tid) : 0);

	if (columns > text->pid_width)
		text->pid_width = columns;
	pad(out, columns, text->pid_width);
	cell_text__append_id(out, event->pid);
	if (both) {
		strbuf__char(out, '/');
		cell_text__append_id(out, event->tid);
	}
}

static void print_comm(struct strbuf *out, const char *comm)
{
	size_t start = out->count, characters = 0;

	if (comm)
		field_text__append_string(out, comm, strlen(comm));
	else
		strbuf__char(out, '-');
	if (!out->failed)
		characters = line__characters(out->bytes + start, out->count - start);
	pad(out, characters, COMM_WIDTH);
}

static void print_cpu(struct strbuf *out, uint32_t cpu)
{
	size_t start = out->count;

	cell_text__append_cpu(out, cpu);
	pad(out, out->count - start, CELL_TEXT_CPU_WIDTH);
}

/* Seconds are right-aligned, like numbers. */
static void print_time(struct text *text, struct strbuf *out, const char *time)
{
	size_t columns = strlen(time);

	if (columns > text->time_width)
		text->time_width = (uint32_t)columns;
	if (!text->wall_clock_ns)
		pad(out, columns, text->time_width);
	strbuf__text(out, time);
	if (text->wall_clock_ns)
		pad(out, columns, text->time_width);
	strbuf__text(out, "  ");
}

static void print_head(struct text *text, struct strbuf *out, const struct peat_event *event,
		       const char *type)
{
	const char *time = format_time(text, event);

	if (time)
		print_time(text, out, time);
	print_type(text, out, type);
	strbuf__char(out, ' ');
	print_ids(text, out, event);
	strbuf__char(out, ' ');
	print_comm(out, event->comm);
	if (!text->has_cpu)
		return;
	strbuf__char(out, ' ');
	print_cpu(out, event->cpu);
}

static void print_field(const struct text *text, struct strbuf *out, const char *name,
			const struct chosen_field *part, const struct peat_event *event,
			enum symbols symbols)
{
	uint32_t base = part->base < event->size ? part->base : event->size;
	const char *data = (event->data ? (const char *)event->data : "") + base;
	bool red = text->colour && cell_text__is_error(part->field, data, event->size - base);

	strbuf__char(out, ' ');
	escape__text(out, name, strlen(name), 0);
	strbuf__char(out, '=');
	strbuf__text(out, red ? LINE_RED : "");
	field_text__append_quoted(out, part->field, data, event->size - base, symbols);
	strbuf__text(out, red ? LINE_PLAIN : "");
}

static void print_identity(struct strbuf *out, const struct chosen_field *part,
			   const struct peat_event *event)
{
	strbuf__char(out, ' ');
	strbuf__text(out, part->sampled->field.name);
	strbuf__char(out, '=');
	cell_text__append_common(out, part, event);
}

static bool has_part(const struct chosen_field *part, const struct peat_event *event)
{
	const char *text = sampled__text(part->sampled, event);
	uint64_t id;

	return text ? *text : sampled__read(part->sampled, event, &id) && id;
}

/* Without the parts that the task does not have. */
static void print_all_identity(struct strbuf *out, const struct peat_event *event)
{
	struct chosen_field part;

	if (!event->identity)
		return;
	for (uint32_t i = 0; chosen_fields__identity(event->schema, i, &part); i++)
		if (has_part(&part, event))
			print_identity(out, &part, event);
}

static bool is_omitted(const struct text *text, const struct peat_field *field,
		       const struct peat_event *event)
{
	return text->width &&
	       cell_text__is_nothing(field, event->data ? event->data : "", event->size);
}

/* Without hidden fields, and without minor ones if `brief`. */
static void print_all_fields(const struct text *text, struct strbuf *out,
			     const struct peat_event *event, enum symbols symbols, bool brief)
{
	const struct peat_field *field = event->schema->fields;
	const struct peat_field *end = fields__end(event->schema);

	for (; field < end; field += field->span)
		if (!field->is_hidden && (!brief || !field->is_minor) &&
		    !is_omitted(text, field, event))
			print_field(text, out, field->name,
				    &(struct chosen_field){ .field = field }, event, symbols);
}

static void print_chosen_fields(const struct text *text, struct strbuf *out,
				const struct peat_event *event, enum symbols symbols)
{
	struct chosen_field found;

	for (const char *name = NULL; (name = chosen_fields__next(&text->chosen, name));) {
		if (!chosen_fields__find(event->schema, name, &found))
			continue;
		if (found.content == CONTENT_FIELD)
			print_field(text, out, name, &found, event, symbols);
		else if (found.content == CONTENT_IDENTITY)
			print_identity(out, &found, event);
	}
}

/* Minor fields are left out if the line is too long with them. */
static void print_fields(const struct text *text, struct strbuf *out, size_t start,
			 const struct peat_event *event, enum symbols symbols)
{
	size_t at;

	if (text->chosen.count) {
		print_chosen_fields(text, out, event, symbols);
		return;
	}
	print_all_identity(out, event);
	at = out->count;
	print_all_fields(text, out, event, symbols, false);
	if (!text->width || out->failed ||
	    line__characters(out->bytes + start, out->count - start) <= text->width)
		return;
	strbuf__cut(out, at);
	print_all_fields(text, out, event, symbols, true);
}

static void print_lost(struct strbuf *out, const struct peat_event *event)
{
	strbuf__text(out, "# ");
	strbuf__unsigned(out, event->lost);
	strbuf__text(out, event->lost == 1 ? " event lost" : " events lost");
	if (event->cpu != PEAT_NO_CPU) {
		strbuf__text(out, " on CPU ");
		strbuf__unsigned(out, event->cpu);
	}
	lost_event__text(out, event);
}

/* The printable characters among the bytes, as in xxd. */
static void print_printable(struct strbuf *out, const unsigned char *bytes, uint32_t count)
{
	strbuf__text(out, " |");
	for (uint32_t i = 0; i < count; i++)
		strbuf__char(out, bytes[i] < 0x20 || bytes[i] > 0x7e ? '.' : (char)bytes[i]);
	strbuf__char(out, '|');
}

static void print_raw(struct strbuf *out, const struct peat_event *event)
{
	const unsigned char *bytes = event->data;

	strbuf__text(out, " size=");
	strbuf__unsigned(out, event->size);
	strbuf__text(out, " bytes=");
	for (uint32_t i = 0; i < event->size; i += 4) {
		if (i)
			strbuf__char(out, ' ');
		strbuf__hex_bytes(out, bytes + i, event->size - i < 4 ? event->size - i : 4);
	}
	print_printable(out, bytes, event->size);
}

static void print_record_type(struct strbuf *out, const struct peat_event *event)
{
	const char *name = event->record ? peat_record__name(event->record->type) : NULL;

	strbuf__text(out, " record=");
	if (name)
		strbuf__text(out, name);
	else if (event->record)
		strbuf__unsigned(out, event->record->type);
	else
		strbuf__char(out, '-');
}

static void print_tool(struct text *text, struct strbuf *out, const struct peat_event *event)
{
	char name[TOOL_EVENT_NAME_BYTES];

	tool_event__name(event, name);
	print_head(text, out, event, name);
	tool_event__print(event, emit__pairs_members(out));
}

static void print_line(struct text *text, struct strbuf *out, const struct peat_event *event)
{
	struct address_names names = frames__names(event, text->no_symbols, text->symbols);
	size_t start = out->count;

	if (event->kind == PEAT_EVENT_LOST) {
		print_lost(out, event);
	} else if (event->kind == PEAT_EVENT_TOOL) {
		print_tool(text, out, event);
	} else if (event->schema) {
		print_head(text, out, event, event->schema->name);
		print_fields(text, out, start, event, names.kernel);
		field_text__append_appended(out, event->schema, event->data, event->size);
	} else if (event->kind == PEAT_EVENT_RECORD) {
		print_head(text, out, event, "record");
		print_record_type(out, event);
	} else {
		print_head(text, out, event, event->map ? event->map : "raw");
		print_raw(out, event);
	}
	sample_fields__text(out, event, &names);
}

/* Begins with a newline, unless there are no frames. */
static void print_frames(struct text *text, struct strbuf *out, const struct peat_event *event)
{
	struct address_names names = frames__names(event, text->no_symbols, text->symbols);

	if (event->schema && event->kind != PEAT_EVENT_LOST && event->kind != PEAT_EVENT_TOOL)
		field_text__append_frames(out, event->schema, event->data ? event->data : "",
					  event->size, names.kernel);
	if (event->kind == PEAT_EVENT_DATA)
		frames__append_user_fields(out, event, &names);
	if (event->kind == PEAT_EVENT_DATA)
		frames__append_stack(out, event, &names);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static bool is_table_row(const struct text *text, const struct peat_event *event)
{
	const struct peat_schema *schema = event->schema;

	return schema && event->kind != PEAT_EVENT_LOST &&
	       (schema == text->columns || schema->like == text->columns);
}

static void add_line(struct text *text, const char *line, size_t bytes, bool is_error)
{
	size_t start = text->out.count;
	bool red = text->colour && is_error;

	if (text->view) {
		column_view__add_line(text->view, &text->out, line, bytes, is_error);
		return;
	}
	strbuf__text(&text->out, red ? LINE_RED : "");
	strbuf__bytes(&text->out, line, bytes);
	strbuf__text(&text->out, red ? LINE_PLAIN : "");
	line__end(&text->out, start, text->width);
}

/* Adds the lines in text->line from `at` on, each without its newline, and empties it. */
static void add_lines(struct text *text, size_t at, bool is_error)
{
	struct strbuf *lines = &text->line;

	if (lines->failed) {
		text->out.failed = true;
		lines->count = 0;
	}
	while (at < lines->count) {
		const char *line = lines->bytes + at, *end;

		end = memchr(line, '\n', lines->count - at);
		if (!end)
			end = lines->bytes + lines->count;
		add_line(text, line, (size_t)(end - line), is_error);
		at = (size_t)(end - lines->bytes) + 1;
	}
	strbuf__cut(lines, 0);
	lines->failed = false;
}

/* Above the first line, whose widths it has. */
static void add_heading(struct text *text)
{
	struct strbuf *out = &text->out;
	size_t start = out->count;

	if (text->has_heading)
		return;
	text->has_heading = true;
	if (text->wall_clock_ns || text->seconds)
		print_time(text, out, "TIME");
	print_type(text, out, "TYPE");
	strbuf__fill(out, ' ', 1 + text->pid_width - strlen("PID"));
	strbuf__text(out, "PID ");
	print_comm(out, "COMM");
	strbuf__text(out, text->has_cpu ? " CPU" : "");
	line__end(out, start, text->width);
}

static void add_event_lines(struct text *text, const struct peat_event *event)
{
	if (text->view && is_table_row(text, event)) {
		column_view__add(text->view, &text->out, event, format_time(text, event));
		print_frames(text, &text->line, event);
		add_lines(text, 1, false);
		return;
	}
	print_line(text, &text->line, event);
	print_frames(text, &text->line, event);
	add_heading(text);
	add_lines(text, 0, event->kind == PEAT_EVENT_LOST);
}

static int write_buffer(struct text *text)
{
	if (!text->err && text->out.count)
		text->err = destination__write(&text->destination, &text->out);
	return text->err ? fail(text->err) : 0;
}

/* If memory ran out, removes the incomplete line. */
static int check_memory(struct text *text, size_t start)
{
	bool failed = text->view && column_view__failed(text->view);

	if (!text->out.failed && !failed)
		return 0;
	strbuf__cut(&text->out, start);
	text->out.failed = false;
	text->dropped = true;
	return fail(-ENOMEM);
}

static int write_text(struct peat_sink *sink, const struct peat_event *event)
{
	struct text *text = (struct text *)sink;
	size_t start = text->out.count;
	int err;

	if (text->err)
		return fail(text->err);
	add_event_lines(text, event);
	err = check_memory(text, start);
	if (err)
		return err;
	return text->out.count >= FLUSH_BYTES ? write_buffer(text) : 0;
}

static int flush_text(struct peat_sink *sink)
{
	struct text *text = (struct text *)sink;
	size_t start = text->out.count;
	int err;

	if (text->view)
		column_view__flush(text->view, &text->out);
	err = check_memory(text, start);
	return err ? err : write_buffer(text);
}

static int finish_text(struct peat_sink *sink)
{
	int err = flush_text(sink);

	return !err && ((struct text *)sink)->dropped ? fail(-ENOMEM) : err;
}

int text__append(struct peat_sink *sink, const struct peat_event *event, struct strbuf *to)
{
	struct text *text = (struct text *)sink;
	struct strbuf *line = &text->line;

	print_line(text, line, event);
	print_frames(text, line, event);
	while (line->count && line->bytes[line->count - 1] == '\n')
		line->count--;
	if (!line->failed)
		strbuf__bytes(to, line->bytes, line->count);
	to->failed |= line->failed;
	strbuf__cut(line, 0);
	line->failed = false;
	return to->failed ? -ENOMEM : 0;
}

static void free_text(struct peat_sink *sink)
{
	struct text *text = (struct text *)sink;

	column_view__free(text->view);
	chosen_fields__free(&text->chosen);
	strbuf__free(&text->line);
	strbuf__free(&text->out);
	free(text);
}

static void set_width(struct text *text, uint32_t width)
{
	text->width = width;
	text->has_cpu = !width || width >= CPU_LINE_WIDTH;
}

int text__set_width(struct peat_sink *sink, uint32_t width)
{
	struct text *text = (struct text *)sink;
	size_t start = text->out.count;

	if (sink->write != write_text)
		return -EINVAL;
	set_width(text, width);
	if (!text->view)
		return 0;
	column_view__resize(text->view, &text->out, width);
	return check_memory(text, start);
}

int text__hidden_columns(const struct peat_sink *sink, struct strbuf *names)
{
	const struct text *text = (const struct text *)sink;

	if (sink->write != write_text)
		return -EINVAL;
	if (text->view)
		column_view__hidden(text->view, names);
	return names->failed ? -ENOMEM : 0;
}

/* Makes the parts that may fail.  0 or a negative errno. */
static int make_parts(struct text *text, const struct peat_sink_opts *opts)
{
	int err = chosen_fields__read(&text->chosen, opts->fields, opts->columns);

	text->seconds |= chosen_fields__has(&text->chosen, "time");
	if (err || !opts->columns)
		return err;
	text->view = column_view__new(opts, &text->chosen);
	return text->view ? 0 : -ENOMEM;
}

struct peat_sink *text__new(int fd, const struct peat_sink_opts *opts)
{
	struct text *text = calloc(1, sizeof(*text));
	int err;

	if (!text)
		return fail_null(-ENOMEM);
	text->sink = (struct peat_sink){ .sz = sizeof(struct peat_sink),
					 .write = write_text,
					 .flush = flush_text,
					 .free = free_text,
					 .finish = finish_text };
	text->destination = destination__of(fd, opts);
	text->wall_clock_ns = opts->wall_clock_ns;
	text->seconds = opts->seconds;
	text->no_symbols = opts->no_symbols;
	text->symbols = opts->symbols;
	text->time_width = column_view__time_width(opts);
	set_width(text, opts->width);
	text->colour = opts->colour;
	text->has_heading = opts->no_heading || opts->columns;
	text->type_width = TYPE_WIDTH;
	text->pid_width = PID_WIDTH;
	text->columns = opts->columns;
	err = make_parts(text, opts);
	if (!err)
		return &text->sink;
	free_text(&text->sink);
	return fail_null(err);
}
