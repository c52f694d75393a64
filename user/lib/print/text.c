// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* text.c: events as text for people: a table, or a line an event with the names of its fields. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/escape.h"
#include "schema/fields.h"
#include "base/internal.h"
#include "print/sample_fields.h"
#include "print/table.h"
#include "print/text.h"
#include "print/tool_event.h"
#include "schema/field_text.h"

#define FLUSH_BYTES (64u << 10)

#define TYPE_WIDTH     8  /* at first */
#define TYPE_WIDTH_MAX 32 /* a longer name is not what all others are padded for */
#define PID_WIDTH      7
#define COMM_WIDTH     15

struct text {
	struct peat_sink sink;
	int fd;
	int64_t wall_clock_ns;
	bool seconds;
	uint32_t width;
	uint32_t time_width, type_width, pid_width; /* as wide as any before */
	struct table *table;			    /* NULL: lines alone */
	const struct peat_schema *columns;
	struct out out;
	struct out line; /* one that stands between the rows of a table */
	int64_t second;	 /* what `time` says, but for its fraction */
	char time[sizeof("18446744073.709551")];
};

/* ---- times ----------------------------------------------------------------------------------- */

static bool set_second(struct text *text, int64_t second)
{
	time_t time = (time_t)second;
	struct tm tm;

	if (text->time[0] && text->time[0] != '-' && text->second == second)
		return true;
	text->second = second;
	return localtime_r(&time, &tm) &&
	       strftime(text->time, sizeof(text->time), "%H:%M:%S.", &tm);
}

/* As perf script has it. */
static const char *seconds_of(struct text *text, uint64_t ns)
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

/* NULL: it is not wanted. */
static const char *time_of(struct text *text, const struct peat_event *event)
{
	int64_t ns = (int64_t)(event->time_ns + (uint64_t)text->wall_clock_ns);
	int64_t part = ns % 1000000000;
	char *digit = text->time + sizeof("09:12:33.") - 1;

	if (!text->wall_clock_ns)
		return text->seconds ? seconds_of(text, event->time_ns) : NULL;
	part += part < 0 ? 1000000000 : 0;
	if (!event->time_ns || !set_second(text, (ns - part) / 1000000000)) {
		strcpy(text->time, "-");
		return text->time;
	}
	for (int64_t unit = 100000000; unit >= 1000; unit /= 10)
		*digit++ = (char)('0' + part / unit % 10);
	*digit = 0;
	return text->time;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void pad(struct out *out, size_t columns, uint32_t width)
{
	if (columns < width)
		out__fill(out, ' ', width - columns);
}

static void append_type(struct text *text, struct out *out, const char *type)
{
	size_t columns = escape__text(out, type, strlen(type), 0);

	if (columns > text->type_width)
		text->type_width = columns < TYPE_WIDTH_MAX ? (uint32_t)columns : TYPE_WIDTH_MAX;
	pad(out, columns, text->type_width);
}

static uint32_t count_digits(uint32_t value)
{
	uint32_t digits = 1;

	for (; value >= 10; value /= 10)
		digits++;
	return digits;
}

static uint32_t width_of_id(uint32_t id)
{
	return id == PEAT_NO_TASK ? 1 : count_digits(id);
}

/* "22858", "22858/22860" of a thread that is not the first */
static void append_ids(struct text *text, struct out *out, const struct peat_event *event)
{
	bool both = event->tid != event->pid;
	uint32_t columns = width_of_id(event->pid) + (both ? 1 + width_of_id(event->tid) : 0);

	if (columns > text->pid_width)
		text->pid_width = columns;
	pad(out, columns, text->pid_width);
	table__append_id(out, event->pid);
	if (both) {
		out__char(out, '/');
		table__append_id(out, event->tid);
	}
}

static void append_comm(struct out *out, const char *comm)
{
	size_t start = out->count, characters = 0;

	if (comm)
		value__append_string(out, comm, strlen(comm));
	else
		out__char(out, '-');
	for (size_t i = start; i < out->count; i++)
		characters += (out->bytes[i] & 0xc0) != 0x80;
	pad(out, characters, COMM_WIDTH);
}

/* Seconds end below each other, as numbers do. */
static void append_time(struct text *text, struct out *out, const char *time)
{
	size_t columns = strlen(time);

	if (columns > text->time_width)
		text->time_width = (uint32_t)columns;
	if (!text->wall_clock_ns)
		pad(out, columns, text->time_width);
	out__text(out, time);
	if (text->wall_clock_ns)
		pad(out, columns, text->time_width);
	out__text(out, "  ");
}

static void append_head(struct text *text, struct out *out, const struct peat_event *event,
			const char *type)
{
	const char *time = time_of(text, event);

	if (time)
		append_time(text, out, time);
	append_type(text, out, type);
	out__char(out, ' ');
	append_ids(text, out, event);
	out__char(out, ' ');
	append_comm(out, event->comm);
	out__char(out, ' ');
}

static void append_fields(struct out *out, const struct peat_event *event)
{
	const struct peat_field *field = event->schema->fields;
	const struct peat_field *end = field + event->schema->count;
	const void *data = event->data ? event->data : "";

	for (; field < end; field += field->span) {
		out__char(out, ' ');
		escape__text(out, field->name, strlen(field->name), 0);
		out__char(out, '=');
		value__append_quoted(out, field, data, event->size);
	}
}

static void append_lost(struct out *out, const struct peat_event *event)
{
	out__text(out, "# ");
	out__unsigned(out, event->lost);
	out__text(out, event->lost == 1 ? " event lost" : " events lost");
	if (event->cpu == PEAT_NO_CPU)
		return;
	out__text(out, " on CPU ");
	out__unsigned(out, event->cpu);
}

/* As in xxd: what is text among the bytes says most of what they are. */
static void append_printable(struct out *out, const unsigned char *bytes, uint32_t count)
{
	out__text(out, " |");
	for (uint32_t i = 0; i < count; i++)
		out__char(out, bytes[i] < 0x20 || bytes[i] > 0x7e ? '.' : (char)bytes[i]);
	out__char(out, '|');
}

static void append_raw(struct out *out, const struct peat_event *event)
{
	const unsigned char *bytes = event->data;

	out__text(out, " size=");
	out__unsigned(out, event->size);
	out__text(out, " bytes=");
	for (uint32_t i = 0; i < event->size; i += 4) {
		if (i)
			out__char(out, ' ');
		out__hex_bytes(out, bytes + i, event->size - i < 4 ? event->size - i : 4);
	}
	append_printable(out, bytes, event->size);
}

static void append_record(struct out *out, const struct peat_event *event)
{
	const char *name = event->record ? peat_record__name(event->record->type) : NULL;

	out__text(out, " record=");
	if (name)
		out__text(out, name);
	else if (event->record)
		out__unsigned(out, event->record->type);
	else
		out__char(out, '-');
}

static void append_tool(struct text *text, struct out *out, const struct peat_event *event)
{
	char name[TOOL_EVENT_NAME_BYTES];

	tool_event__name(event, name);
	append_head(text, out, event, name);
	tool_event__tell(event, emit__pairs_members(out));
}

static void append_line(struct text *text, struct out *out, const struct peat_event *event)
{
	if (event->kind == PEAT_EVENT_LOST) {
		append_lost(out, event);
	} else if (event->kind == PEAT_EVENT_TOOL) {
		append_tool(text, out, event);
	} else if (event->schema) {
		append_head(text, out, event, event->schema->name);
		append_fields(out, event);
	} else if (event->kind == PEAT_EVENT_RECORD) {
		append_head(text, out, event, "record");
		append_record(out, event);
	} else {
		append_head(text, out, event, event->map ? event->map : "raw");
		append_raw(out, event);
	}
	sampled__text(out, event);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static bool is_a_row(const struct text *text, const struct peat_event *event)
{
	const struct peat_schema *schema = event->schema;

	return schema && event->kind != PEAT_EVENT_LOST &&
	       (schema == text->columns || schema->like == text->columns);
}

static void add_to_table(struct text *text, const struct peat_event *event)
{
	if (is_a_row(text, event)) {
		table__add(text->table, &text->out, event, time_of(text, event));
		return;
	}
	append_line(text, &text->line, event);
	if (text->line.failed)
		text->out.failed = true;
	else
		table__add_line(text->table, &text->out, text->line.bytes, text->line.count);
	out__cut(&text->line, 0);
	text->line.failed = false;
}

static int write_out(struct text *text)
{
	return text->out.count ? out__write(&text->out, text->fd) : 0;
}

/* After a failure a line is there as a whole or not at all. */
static int check_memory(struct text *text, size_t start)
{
	bool failed = text->table && table__failed(text->table);

	if (!text->out.failed && !failed)
		return 0;
	out__cut(&text->out, start);
	text->out.failed = false;
	return fail(-ENOMEM);
}

static int write_text(struct peat_sink *sink, const struct peat_event *event)
{
	struct text *text = (struct text *)sink;
	size_t start = text->out.count;
	int err;

	if (text->table) {
		add_to_table(text, event);
	} else {
		append_line(text, &text->out, event);
		table__end_line(&text->out, start, text->width);
	}
	err = check_memory(text, start);
	if (err)
		return err;
	return text->out.count >= FLUSH_BYTES ? write_out(text) : 0;
}

static int flush_text(struct peat_sink *sink)
{
	struct text *text = (struct text *)sink;
	size_t start = text->out.count;
	int err;

	if (text->table)
		table__settle(text->table, &text->out);
	err = check_memory(text, start);
	return err ? err : write_out(text);
}

static void free_text(struct peat_sink *sink)
{
	struct text *text = (struct text *)sink;

	table__free(text->table);
	out__free(&text->line);
	out__free(&text->out);
	free(text);
}

struct peat_sink *text__new(int fd, const struct peat_sink_opts *opts)
{
	struct text *text = calloc(1, sizeof(*text));

	if (!text)
		return fail_null(-ENOMEM);
	text->sink =
		(struct peat_sink){ .write = write_text, .flush = flush_text, .free = free_text };
	text->fd = fd;
	text->wall_clock_ns = opts->wall_clock_ns;
	text->seconds = opts->seconds;
	text->time_width = table__time_width(opts);
	text->width = opts->width;
	text->type_width = TYPE_WIDTH;
	text->pid_width = PID_WIDTH;
	text->columns = opts->columns;
	if (opts->columns) {
		text->table = table__new(opts);
		if (!text->table) {
			free_text(&text->sink);
			return fail_null(-ENOMEM);
		}
	}
	return &text->sink;
}
