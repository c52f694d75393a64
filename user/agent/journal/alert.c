// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* journal/alert.c: writes an event as an alert. */
#include <ctype.h>

#include <peat/sink.h>

#include "batch/own_alert.h"
#include "field/fields.h"
#include "journal/alert.h"
#include "journal/entry.h"

#define MOST_NAME_BYTES 64 /* of a field; journald ignores fields with longer names */
#define NS_PER_SEC	1000000000

bool alert__is_wanted(const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_DATA || event->kind == PEAT_EVENT_RECORD ||
	       event->kind == PEAT_EVENT_LOST;
}

static void append_lost(struct strbuf *out, const struct peat_event *event)
{
	strbuf__unsigned(out, event->lost);
	strbuf__text(out, event->lost == 1 ? " event was lost: " : " events were lost: ");
	strbuf__text(out, peat_lost_cause__name(event->cause) ?: "unknown");
}

static void append_text(struct strbuf *out, const struct peat_event *event)
{
	int bytes = peat_event__text(event, NULL, 0);
	char *at = bytes < 0 ? NULL : strbuf__room(out, (size_t)bytes + 1);

	if (at && peat_event__text(event, at, (size_t)bytes + 1) == bytes)
		out->count += (size_t)bytes;
	else
		out->failed = true;
}

void alert__message(struct strbuf *out, const char *source, const struct peat_event *event)
{
	const char *own = own_alert__message(event);

	strbuf__text(out, source);
	strbuf__text(out, ": ");
	if (own)
		strbuf__text(out, own);
	else if (event->kind == PEAT_EVENT_LOST)
		append_lost(out, event);
	else
		append_text(out, event);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void append_text_field(struct strbuf *out, const char *name, const char *value)
{
	entry__field(out, name, value, strlen(value));
}

static void append_number_field(struct strbuf *out, const char *name, uint64_t value)
{
	strbuf__text(out, name);
	strbuf__char(out, '=');
	strbuf__unsigned(out, value);
	strbuf__char(out, '\n');
}

struct field_writer {
	struct strbuf *out;
	char name[MOST_NAME_BYTES + 1]; /* of the struct that contains the fields */
	struct strbuf value;
};

/* Appends "_NAME" in capitals, and returns the length before. */
static size_t extend_name(struct field_writer *writer, const char *name)
{
	size_t before = strlen(writer->name), at = before;

	if (at < MOST_NAME_BYTES)
		writer->name[at++] = '_';
	for (; *name && at < MOST_NAME_BYTES; name++)
		writer->name[at++] = isascii(*name) && isalnum((unsigned char)*name)
					     ? (char)toupper((unsigned char)*name)
					     : '_';
	writer->name[at] = 0;
	return before;
}

static void append_value(struct field_writer *writer, const struct peat_field *field,
			 const void *data, uint32_t bytes)
{
	size_t count = peat_field__text(field, data, bytes, NULL, 0);
	char *at;

	strbuf__cut(&writer->value, 0);
	at = strbuf__room(&writer->value, count + 1);
	if (!at) {
		writer->out->failed = true;
		return;
	}
	if (peat_field__text(field, data, bytes, at, count + 1) != count) {
		writer->out->failed = true; /* memory for the text is short, or was */
		return;
	}
	entry__field(writer->out, writer->name, at, count);
}

/* Fields that are hidden or absent are left out. */
static void append_members(struct field_writer *writer, const struct peat_field *field,
			   const struct peat_field *end, const char *data, uint32_t bytes)
{
	uint32_t count;
	size_t before;

	for (; field < end; field += field->span) {
		if (field->is_hidden)
			continue;
		before = extend_name(writer, field->name);
		if (fields__has_members(field) && field->offset < bytes)
			append_members(writer, field + 1, field + field->span, data + field->offset,
				       bytes - field->offset);
		else if (fields__bytes(field, data, bytes, &count))
			append_value(writer, field, data, bytes);
		writer->name[before] = 0;
	}
}

static void append_event_fields(struct strbuf *out, const struct peat_event *event)
{
	struct field_writer writer = { .out = out, .name = "PEAT_FIELD" };

	append_members(&writer, event->schema->fields, fields__end(event->schema), event->data,
		       event->size);
	strbuf__free(&writer.value);
}

static void append_task(struct strbuf *out, const struct peat_event *event, int64_t wall_clock_ns)
{
	if (event->cpu != PEAT_NO_CPU)
		append_number_field(out, "PEAT_CPU", event->cpu);
	if (event->pid != PEAT_NO_TASK) {
		append_number_field(out, "PEAT_PID", event->pid);
		append_number_field(out, "PEAT_TID", event->tid);
	}
	if (event->comm)
		append_text_field(out, "PEAT_COMM", event->comm);
	if (event->time_ns && wall_clock_ns) {
		strbuf__text(out, "PEAT_TIME=");
		strbuf__seconds(out, event->time_ns + (uint64_t)wall_clock_ns, 9);
		strbuf__char(out, '\n');
	}
}

void alert__fields(struct strbuf *out, const char *source, const struct peat_event *event,
		   int64_t wall_clock_ns)
{
	append_text_field(out, "PEAT_SOURCE", source);
	if (event->kind == PEAT_EVENT_LOST) {
		append_text_field(out, "PEAT_EVENT", "lost");
		append_number_field(out, "PEAT_LOST", event->lost);
		append_text_field(out, "PEAT_LOST_CAUSE",
				  peat_lost_cause__name(event->cause) ?: "unknown");
		return;
	}
	append_task(out, event, wall_clock_ns);
	if (!event->schema)
		return;
	append_text_field(out, "PEAT_EVENT", peat_schema__name(event->schema));
	append_event_fields(out, event);
}
