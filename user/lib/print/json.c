// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/json.c: the JSON sink: one object per line and event. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/decimal.h"
#include "base/hash.h"
#include "base/json_value.h"
#include "field/appended.h"
#include "field/fields.h"
#include "base/errors.h"
#include "event/recorded.h"
#include "event/stack.h"
#include "print/chosen_fields.h"
#include "print/lost_event.h"
#include "print/sample_fields.h"
#include "print/json.h"
#include "print/json_call.h"
#include "print/json_identity.h"
#include "print/json_values.h"
#include "print/destination.h"
#include "print/tool_event.h"

#define FLUSH_BYTES (64u << 10)

/* `,"pid":1,"tid":1,"comm":"init"` of the last task; no text: none. */
struct task_text {
	uint32_t pid, tid;
	char comm[16];
	struct strbuf text;
};

struct json {
	struct peat_sink sink;
	struct destination destination;
	int err;      /* of writing: nothing is written after it */
	bool dropped; /* an event, for lack of memory */
	int64_t wall_clock_ns;
	bool no_symbols;
	struct peat_symbols *symbols;
	struct chosen_fields chosen;
	struct strbuf out;
	struct json_plan *last; /* plan of the previous event */
	struct hash plans;	/* by the address of the schema */
	struct task_text task;
	int64_t second; /* the second that `date` shows */
	size_t date_bytes;
	char date[sizeof("2026-11-21T09:12:33")];
};

/* ---- plans ----------------------------------------------------------------------------------- */

/* NULL: no memory. */
static struct json_plan *plan_of(struct json *json, const struct peat_schema *schema)
{
	const uint64_t code = hash__number((uintptr_t)schema);
	struct hash_link *link;
	struct json_plan *plan;

	if (json->last && json->last->schema == schema)
		return json->last;
	link = hash__first(&json->plans, code);
	plan = link ? HASH_ENTRY(link, struct json_plan, link) : json_plan__new(schema);
	if (plan && !link && hash__add(&json->plans, &plan->link, code)) {
		json_plan__free(plan);
		plan = NULL;
	}
	json->last = plan;
	return plan;
}

int json__append_field(const struct peat_field *field, const void *data, uint32_t bytes,
		       struct strbuf *to)
{
	struct json_plan *plan = json_plan__new(field->schema);

	if (!plan)
		return -ENOMEM;
	plan->symbols = SYMBOLS_ALL;
	json_values__append(to, plan, field, bytes ? data : "", bytes);
	json_plan__free(plan);
	return to->failed ? -ENOMEM : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* False: the time is out of range for a date. */
static bool format_date(struct json *json, int64_t second)
{
	time_t time = (time_t)second;
	struct tm tm;

	if (json->date_bytes && json->second == second)
		return true;
	json->second = second;
	json->date_bytes = gmtime_r(&time, &tm) ? strftime(json->date, sizeof(json->date),
							   "%Y-%m-%dT%H:%M:%S", &tm)
						: 0;
	return json->date_bytes;
}

/* Members are put at `at`, in room that was made for them; each function returns their end. */
#define PUT(at, text) ((char *)memcpy(at, text, sizeof(text) - 1) + sizeof(text) - 1)

#define TIME_ROOM sizeof(",\"time\":\"2026-11-21T09:12:33.123456789Z\"")

static char *put_time(struct json *json, char *at, const struct peat_event *event)
{
	int64_t wall_clock_ns = recorded__wall_clock(event, json->wall_clock_ns);
	int64_t ns = (int64_t)(event->time_ns + (uint64_t)wall_clock_ns), part = ns % 1000000000;

	part += part < 0 ? 1000000000 : 0;
	at = PUT(at, ",\"time\":");
	if (!event->time_ns || !format_date(json, (ns - part) / 1000000000))
		return PUT(at, "null");
	*at++ = '"';
	memcpy(at, json->date, sizeof(json->date));
	at += json->date_bytes;
	*at++ = '.';
	*at++ = (char)('0' + part / DECIMAL_10_8);
	at = decimal__eight(at, (uint32_t)(part % DECIMAL_10_8));
	return PUT(at, "Z\"");
}

static void append_json_time(struct json *json, const struct peat_event *event)
{
	char *at = strbuf__room(&json->out, TIME_ROOM);

	if (at)
		json->out.count = (size_t)(put_time(json, at, event) - json->out.bytes);
}

/* A CPU or task number; PEAT_NO_CPU and PEAT_NO_TASK are the same value. */
static char *put_id_or_null(char *at, uint32_t number)
{
	return number == PEAT_NO_CPU ? PUT(at, "null") : decimal__unsigned(at, number);
}

static void append_id_or_null(struct strbuf *out, uint32_t number)
{
	char *at = strbuf__room(out, DECIMAL_ROOM);

	if (at)
		out->count = (size_t)(put_id_or_null(at, number) - out->bytes);
}

/* Appends the members from the time's value to the CPU. */
static void append_time_and_cpu(struct json *json, const struct peat_event *event)
{
	char *at = strbuf__room(&json->out,
				TIME_ROOM + 2 * DECIMAL_ROOM + sizeof(",\"cpu\":,\"late\":true"));

	if (!at)
		return;
	at = decimal__unsigned(at, event->time_ns);
	if (json->wall_clock_ns)
		at = put_time(json, at, event);
	at = PUT(at, ",\"cpu\":");
	at = put_id_or_null(at, event->cpu);
	if (event->late)
		at = PUT(at, ",\"late\":true");
	json->out.count = (size_t)(at - json->out.bytes);
}

static void append_json_comm(struct strbuf *out, const struct peat_event *event)
{
	if (event->comm)
		json_value__string(out, event->comm, strlen(event->comm));
	else
		strbuf__text(out, "null");
}

static void append_json_names(struct strbuf *out, const struct peat_event *event)
{
	char *at = strbuf__room(out, 2 * DECIMAL_ROOM + sizeof(",\"pid\":,\"tid\":,\"comm\":"));

	if (!at)
		return;
	at = put_id_or_null(PUT(at, ",\"pid\":"), event->pid);
	at = put_id_or_null(PUT(at, ",\"tid\":"), event->tid);
	out->count = (size_t)(PUT(at, ",\"comm\":") - out->bytes);
	append_json_comm(out, event);
}

static bool is_same_task(const struct task_text *task, const struct peat_event *event)
{
	return task->text.count && task->pid == event->pid && task->tid == event->tid &&
	       !strcmp(task->comm, event->comm);
}

static void keep_task(struct task_text *task, const struct peat_event *event)
{
	strbuf__cut(&task->text, 0);
	task->text.failed = false;
	task->pid = event->pid;
	task->tid = event->tid;
	strcpy(task->comm, event->comm);
	append_json_names(&task->text, event);
	if (task->text.failed)
		strbuf__cut(&task->text, 0);
}

/* Events of one task often follow each other: its text is kept. */
static void append_json_task(struct json *json, const struct peat_event *event)
{
	struct task_text *task = &json->task;

	if (!event->comm || strlen(event->comm) >= sizeof(task->comm)) {
		append_json_names(&json->out, event);
	} else {
		if (!is_same_task(task, event))
			keep_task(task, event);
		strbuf__bytes(&json->out, task->text.bytes, task->text.count);
		json->out.failed |= task->text.failed;
	}
	json_identity__append(&json->out, event);
}

static void append_json_appended(struct strbuf *out, const struct peat_event *event)
{
	const struct peat_schema *schema = event->schema;
	bool has_bytes = appended__has(schema, event->size);

	if (!has_bytes && !(schema->appended.name && schema->expects_appended))
		return;
	strbuf__char(out, ',');
	json_value__name(out, schema->appended.name);
	strbuf__char(out, ':');
	if (has_bytes)
		json_value__hex(out, (const char *)event->data + schema->bytes,
				event->size - schema->bytes);
	else
		strbuf__text(out, "\"\"");
}

static void append_chosen_value(struct json *json, const struct json_plan *plan,
				const struct chosen_field *part, const struct peat_event *event)
{
	uint32_t base = part->base < event->size ? part->base : event->size;
	const char *data = event->data ? event->data : "";

	switch (part->content) {
	case CONTENT_TIME:
		strbuf__unsigned(&json->out, event->time_ns);
		if (json->wall_clock_ns)
			append_json_time(json, event);
		return;
	case CONTENT_PID:
		append_id_or_null(&json->out, event->pid);
		return;
	case CONTENT_TID:
		append_id_or_null(&json->out, event->tid);
		return;
	case CONTENT_CPU:
		append_id_or_null(&json->out, event->cpu);
		return;
	case CONTENT_COMM:
		append_json_comm(&json->out, event);
		return;
	case CONTENT_IDENTITY:
		json_identity__append_part(&json->out, part, event);
		return;
	default:
		json_values__append(&json->out, plan, part->field, data + base, event->size - base);
		json_call__append(&json->out, part->field, data + base, event->size - base);
	}
}

/* The type, and the chosen members that it has. */
static void append_json_chosen(struct json *json, const struct json_plan *plan,
			       const struct peat_event *event)
{
	struct chosen_field found;

	strbuf__text(&json->out, "{\"type\":");
	json_value__name(&json->out, event->schema->name);
	for (const char *name = NULL; (name = chosen_fields__next(&json->chosen, name));) {
		if (!chosen_fields__find(event->schema, name, &found) ||
		    found.content == CONTENT_TYPE)
			continue;
		strbuf__char(&json->out, ',');
		json_value__name(&json->out, found.content == CONTENT_TIME ? "time_ns" : name);
		strbuf__char(&json->out, ':');
		append_chosen_value(json, plan, &found, event);
	}
}

static int append_json_typed(struct json *json, const struct peat_event *event)
{
	struct json_plan *plan = plan_of(json, event->schema);
	const void *data = event->data ? event->data : "";
	struct strbuf *out = &json->out;

	if (!plan)
		return -ENOMEM;
	plan->symbols = frames__kernel_symbols(event, json->no_symbols);
	plan->event = event;
	plan->user_names = json->no_symbols ? NULL : json->symbols;
	if (json->chosen.count) {
		append_json_chosen(json, plan, event);
		return 0;
	}
	strbuf__bytes(out, plan->text.bytes, plan->head.bytes);
	append_time_and_cpu(json, event);
	append_json_task(json, event);
	json_values__members(out, plan, plan->schema->fields, fields__end(plan->schema), data,
			     event->size);
	append_json_appended(out, event);
	return 0;
}

static void append_json_lost(struct json *json, const struct peat_event *event)
{
	strbuf__text(&json->out, "{\"type\":\"lost\",\"time_ns\":");
	append_time_and_cpu(json, event);
	strbuf__text(&json->out, ",\"events\":");
	strbuf__unsigned(&json->out, event->lost);
	lost_event__json(&json->out, event);
}

static void append_json_raw(struct json *json, const struct peat_event *event)
{
	strbuf__text(&json->out, "{\"type\":\"raw\",\"time_ns\":");
	append_time_and_cpu(json, event);
	append_json_task(json, event);
	if (event->map) {
		strbuf__text(&json->out, ",\"map\":");
		json_value__string(&json->out, event->map, strlen(event->map));
	}
	strbuf__text(&json->out, ",\"size\":");
	strbuf__unsigned(&json->out, event->size);
	strbuf__text(&json->out, ",\"bytes\":");
	json_value__hex(&json->out, event->data, event->size);
}

static void append_json_record(struct json *json, const struct peat_event *event)
{
	const char *name = event->record ? peat_record__name(event->record->type) : NULL;

	strbuf__text(&json->out, "{\"type\":\"record\",\"time_ns\":");
	append_time_and_cpu(json, event);
	append_json_task(json, event);
	strbuf__text(&json->out, ",\"record\":");
	if (name)
		json_value__string(&json->out, name, strlen(name));
	else if (event->record)
		strbuf__unsigned(&json->out, event->record->type);
	else
		strbuf__text(&json->out, "null");
}

static void append_json_tool(struct json *json, const struct peat_event *event)
{
	char name[TOOL_EVENT_NAME_BYTES];

	tool_event__name(event, name);
	strbuf__text(&json->out, "{\"type\":\"");
	strbuf__text(&json->out, name);
	strbuf__text(&json->out, "\",\"time_ns\":");
	append_time_and_cpu(json, event);
	tool_event__print(event, emit__json_members(&json->out));
}

static void append_json_sample(struct json *json, const struct peat_event *event)
{
	struct address_names names = frames__names(event, json->no_symbols, json->symbols);

	if (!json->chosen.count)
		sample_fields__json(&json->out, event, &names);
	if (event->kind == PEAT_EVENT_DATA)
		frames__append_json_stack(&json->out, event, &names);
}

static int append_json_event(struct json *json, const struct peat_event *event)
{
	int err = 0;

	if (event->kind == PEAT_EVENT_LOST)
		append_json_lost(json, event);
	else if (event->kind == PEAT_EVENT_TOOL)
		append_json_tool(json, event);
	else if (event->schema)
		err = append_json_typed(json, event);
	else if (event->kind == PEAT_EVENT_RECORD)
		append_json_record(json, event);
	else
		append_json_raw(json, event);
	if (event->record || stack__may_be_in(event))
		append_json_sample(json, event);
	strbuf__text(&json->out, "}\n");
	return json->out.failed ? -ENOMEM : err;
}

/* ---- the sink -------------------------------------------------------------------------------- */

static int flush_json(struct peat_sink *sink)
{
	struct json *json = (struct json *)sink;

	if (!json->err && json->out.count)
		json->err = destination__write(&json->destination, &json->out);
	return json->err ? fail(json->err) : 0;
}

static int finish_json(struct peat_sink *sink)
{
	int err = flush_json(sink);

	return !err && ((struct json *)sink)->dropped ? fail(-ENOMEM) : err;
}

static int write_json(struct peat_sink *sink, const struct peat_event *event)
{
	struct json *json = (struct json *)sink;
	size_t start = json->out.count;
	int err;

	if (json->err)
		return fail(json->err);
	err = append_json_event(json, event);
	if (err) {
		strbuf__cut(&json->out, start); /* no incomplete line */
		json->out.failed = false;
		json->dropped = true;
		return fail(err);
	}
	return json->out.count >= FLUSH_BYTES ? flush_json(sink) : 0;
}

int json__append(struct peat_sink *sink, const struct peat_event *event, struct strbuf *to)
{
	struct json *json = (struct json *)sink;
	int err = append_json_event(json, event);

	if (!err)
		strbuf__bytes(to, json->out.bytes, json->out.count - 1);
	strbuf__cut(&json->out, 0);
	json->out.failed = false;
	return err || to->failed ? -ENOMEM : 0;
}

static void free_json(struct peat_sink *sink)
{
	struct json *json = (struct json *)sink;

	for_each_entry (&json->plans, link)
		json_plan__free(HASH_ENTRY(link, struct json_plan, link));
	hash__free(&json->plans);
	chosen_fields__free(&json->chosen);
	strbuf__free(&json->task.text);
	strbuf__free(&json->out);
	free(json);
}

struct peat_sink *json__new(int fd, const struct peat_sink_opts *opts)
{
	struct json *json = calloc(1, sizeof(*json));
	int err;

	if (!json)
		return fail_null(-ENOMEM);
	json->sink = (struct peat_sink){ .sz = sizeof(struct peat_sink),
					 .write = write_json,
					 .flush = flush_json,
					 .free = free_json,
					 .finish = finish_json };
	json->destination = destination__of(fd, opts);
	json->wall_clock_ns = opts->wall_clock_ns;
	json->no_symbols = opts->no_symbols;
	json->symbols = opts->symbols;
	err = chosen_fields__read(&json->chosen, opts->fields, opts->columns);
	if (!err)
		return &json->sink;
	free_json(&json->sink);
	return fail_null(err);
}
