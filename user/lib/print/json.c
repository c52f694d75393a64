// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * print/json.c: the JSON sink: one object per line and event.
 *
 * The keys are the same in all events of a type: they are built once, at its first event, as a
 * plan.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/json_value.h"
#include "field/appended.h"
#include "field/fields.h"
#include "base/errors.h"
#include "print/chosen_fields.h"
#include "print/lost_event.h"
#include "print/sample_fields.h"
#include "print/json.h"
#include "print/json_call.h"
#include "print/destination.h"
#include "print/tool_event.h"
#include "field/field_text.h"
#include "field/several_strings.h"

#define FLUSH_BYTES (64u << 10)

/* Text between two values, such as `,"ppid":`, in plan.text. */
struct key {
	uint32_t at, bytes;
};

struct plan {
	struct hash_link link;
	const struct peat_schema *schema;
	enum symbols symbols;		 /* of the event that is printed */
	const struct peat_event *event;	 /* the same; NULL: a field alone */
	struct peat_symbols *user_names; /* names of its user stacks; NULL: none */
	struct strbuf text;		 /* all keys */
	struct key head;		 /* `{"type":"exec","time_ns":` */
	struct key keys[];		 /* one for each field */
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
	struct plan *last; /* plan of the previous event */
	struct hash plans; /* by the address of the schema */
	int64_t second;	   /* the second that `date` shows */
	char date[sizeof("2026-11-21T09:12:33")];
};

static void append_json_value(struct strbuf *out, const struct plan *plan,
			      const struct peat_field *field, const void *data, uint32_t bytes);

/* ---- plans ----------------------------------------------------------------------------------- */

static void plan_key(struct plan *plan, const struct peat_field *field, const char *before,
		     const char *name)
{
	struct key *key = &plan->keys[field - plan->schema->fields];

	key->at = (uint32_t)plan->text.count;
	strbuf__text(&plan->text, before);
	json_value__name(&plan->text, name);
	strbuf__char(&plan->text, ':');
	key->bytes = (uint32_t)plan->text.count - key->at;
}

static void plan_members(struct plan *plan, const struct peat_field *field)
{
	const struct peat_field *first = field + 1, *end = field + field->span;
	const char *before = "";

	if (field_type__of(field)->class == PEAT_CLASS_ELEMENTS && first < end)
		plan_members(plan, first);
	if (!fields__has_members(field))
		return;
	for (const struct peat_field *inner = first; inner < end; inner += inner->span) {
		plan_key(plan, inner, before, inner->name);
		plan_members(plan, inner);
		before = inner->is_hidden ? before : ",";
	}
}

static void free_plan(struct plan *plan)
{
	if (!plan)
		return;
	strbuf__free(&plan->text);
	free(plan);
}

static struct plan *new_plan(const struct peat_schema *schema)
{
	const struct peat_field *end = fields__end(schema);
	struct plan *plan = calloc(1, sizeof(*plan) + schema->count * sizeof(*plan->keys));

	if (!plan)
		return NULL;
	plan->schema = schema;
	strbuf__text(&plan->text, "{\"type\":");
	json_value__name(&plan->text, schema->name);
	strbuf__text(&plan->text, ",\"time_ns\":");
	plan->head.bytes = (uint32_t)plan->text.count;
	for (const struct peat_field *field = schema->fields; field < end; field += field->span) {
		plan_key(plan, field, ",", field->name);
		plan_members(plan, field);
	}
	if (!plan->text.failed)
		return plan;
	free_plan(plan);
	return NULL;
}

/* NULL: no memory. */
static struct plan *plan_of(struct json *json, const struct peat_schema *schema)
{
	const uint64_t code = hash__number((uintptr_t)schema);
	struct hash_link *link;
	struct plan *plan;

	if (json->last && json->last->schema == schema)
		return json->last;
	link = hash__first(&json->plans, code);
	plan = link ? HASH_ENTRY(link, struct plan, link) : new_plan(schema);
	if (plan && !link && hash__add(&json->plans, &plan->link, code)) {
		free_plan(plan);
		plan = NULL;
	}
	json->last = plan;
	return plan;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void append_json_stack(struct strbuf *out, const struct plan *plan,
			      const struct peat_field *field, uint64_t number)
{
	const char *name;
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count) {
		name = field_text__errno_name(id);
		if (name)
			json_value__string(out, name, strlen(name));
		else
			strbuf__signed(out, id);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		strbuf__char(out, i ? ',' : '[');
		frames__append_json_kernel(out, field_text__symbols(field, plan->symbols),
					   addresses[i]);
	}
	strbuf__char(out, ']');
	free(addresses);
}

/* False, without output: there is no name, or a quote or backslash in it would break the string. */
static bool append_json_name(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	size_t start = out->count;
	bool named;

	strbuf__char(out, '"');
	named = field_text__append_name(out, field, number);
	if (out->failed)
		return true;
	if (named && !memchr(out->bytes + start + 1, '"', out->count - start - 1) &&
	    !memchr(out->bytes + start + 1, '\\', out->count - start - 1)) {
		strbuf__char(out, '"');
		return true;
	}
	strbuf__cut(out, start);
	return false;
}

/* False, without output: the stack is none of the event itself, or without names. */
static bool append_json_user_stack(struct strbuf *out, const struct plan *plan,
				   const struct peat_field *field, const void *data)
{
	struct address_names names = { plan->symbols, plan->user_names };

	return plan->event && data == plan->event->data &&
	       frames__append_json_user(out, plan->event, &names, field);
}

/* False, without output: the number has no name, and no frames. */
static bool append_json_code(struct strbuf *out, const struct plan *plan,
			     const struct peat_field *field, const void *data, uint64_t number)
{
	switch (field_type__of(field)->frames) {
	case FIELD_NO_FRAMES:
		frames__append_json_kernel(out, field_text__symbols(field, plan->symbols), number);
		return true;
	case FIELD_KERNEL_FRAMES:
		append_json_stack(out, plan, field, number);
		return true;
	case FIELD_USER_FRAMES:
		break;
	}
	return append_json_user_stack(out, plan, field, data);
}

static void append_json_number(struct strbuf *out, const struct plan *plan,
			       const struct peat_field *field, const void *data, uint64_t number)
{
	const struct field_type *type = field_type__of(field);

	if (type->class == PEAT_CLASS_CODE && append_json_code(out, plan, field, data, number))
		return;
	if (type->class == PEAT_CLASS_NAMED) {
		if (type->is_truth) {
			strbuf__text(out, number ? "true" : "false");
			return;
		}
		if (append_json_name(out, field, number))
			return;
	}
	if (fields__is_unknown(field, number))
		strbuf__text(out, "null");
	else if (field->is_signed)
		strbuf__signed(out, (int64_t)number);
	else
		strbuf__unsigned(out, number);
}

static void append_json_float(struct strbuf *out, double value)
{
	if (isfinite(value))
		field_text__append_float(out, "%.17g", value);
	else
		strbuf__text(out, "null");
}

static void append_json_members(struct strbuf *out, const struct plan *plan,
				const struct peat_field *first, const struct peat_field *end,
				const void *data, uint32_t bytes)
{
	for (const struct peat_field *field = first; field < end; field += field->span) {
		const struct key *key = &plan->keys[field - plan->schema->fields];

		if (field->is_hidden)
			continue;
		strbuf__bytes(out, plan->text.bytes + key->at, key->bytes);
		append_json_value(out, plan, field, data, bytes);
		json_call__append(out, field, data, bytes);
	}
}

static void append_json_elements(struct strbuf *out, const struct plan *plan,
				 const struct peat_field *field, const char *at, uint32_t count)
{
	uint32_t elements = field_text__elements(field, count);

	strbuf__char(out, '[');
	for (uint32_t i = 0; i < elements; i++) {
		uint32_t offset = i * field[1].bytes;

		if (i)
			strbuf__char(out, ',');
		append_json_value(out, plan, field + 1, at + offset, count - offset);
	}
	strbuf__char(out, ']');
}

static void append_json_text(struct strbuf *out, const struct peat_field *field, const void *data,
			     uint32_t bytes, const char *at, uint32_t count)
{
	switch (field_type__of(field)->strings) {
	case FIELD_ONE_STRING:
		count = several_strings__bytes(field, data, bytes, at, count);
		break;
	case FIELD_STRINGS:
		json_value__strings(out, at, count);
		return;
	case FIELD_ALL_BYTES:
	case FIELD_NO_TEXT:
		break;
	}
	json_value__string(out, at, count);
}

static void append_json_object(struct strbuf *out, const struct plan *plan,
			       const struct peat_field *field, const void *at, uint32_t count)
{
	strbuf__char(out, '{');
	append_json_members(out, plan, field + 1, field + field->span, at, count);
	strbuf__char(out, '}');
}

/* Appends a field that is not a single number. */
static void append_json_bytes(struct strbuf *out, const struct plan *plan,
			      const struct peat_field *field, const void *data, uint32_t bytes)
{
	const struct field_type *type = field_type__of(field);
	uint32_t count;
	const void *at = fields__bytes(field, data, bytes, &count);
	double value;

	if (!at) {
		strbuf__text(out, "null");
		return;
	}
	switch (type->class) {
	case PEAT_CLASS_TEXT:
		append_json_text(out, field, data, bytes, at, count);
		return;
	case PEAT_CLASS_ELEMENTS:
		append_json_elements(out, plan, field, at, count);
		return;
	case PEAT_CLASS_MEMBERS:
		append_json_object(out, plan, field, at, count);
		return;
	case PEAT_CLASS_ADDRESS:
		if (!type->has_members)
			break;
		append_json_object(out, plan, field, at, count);
		return;
	case PEAT_CLASS_FLOAT:
		if (!field_text__float(field, data, bytes, &value))
			break;
		append_json_float(out, value);
		return;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_STACK:
		break;
	}
	strbuf__char(out, '"');
	field_text__append(out, field, data, bytes,
			   plan->symbols); /* an address, or hexadecimal digits */
	strbuf__char(out, '"');
}

static void append_json_value(struct strbuf *out, const struct plan *plan,
			      const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t number;

	if (peat_field__number(field, data, bytes, &number))
		append_json_number(out, plan, field, data, number);
	else
		append_json_bytes(out, plan, field, data, bytes);
}

int json__append_field(const struct peat_field *field, const void *data, uint32_t bytes,
		       struct strbuf *to)
{
	struct plan *plan = new_plan(field->schema);

	if (!plan)
		return -ENOMEM;
	plan->symbols = SYMBOLS_ALL;
	append_json_value(to, plan, field, bytes ? data : "", bytes);
	free_plan(plan);
	return to->failed ? -ENOMEM : 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* False: the time is out of range for a date. */
static bool format_date(struct json *json, int64_t second)
{
	time_t time = (time_t)second;
	struct tm tm;

	if (json->date[0] && json->second == second)
		return true;
	json->second = second;
	return gmtime_r(&time, &tm) &&
	       strftime(json->date, sizeof(json->date), "%Y-%m-%dT%H:%M:%S", &tm);
}

static void append_json_time(struct json *json, uint64_t time_ns)
{
	int64_t ns = (int64_t)(time_ns + (uint64_t)json->wall_clock_ns), part = ns % 1000000000;

	part += part < 0 ? 1000000000 : 0;
	strbuf__text(&json->out, ",\"time\":");
	if (!time_ns || !format_date(json, (ns - part) / 1000000000)) {
		strbuf__text(&json->out, "null");
		return;
	}
	strbuf__char(&json->out, '"');
	strbuf__text(&json->out, json->date);
	strbuf__char(&json->out, '.');
	strbuf__padded(&json->out, (uint64_t)part, 9);
	strbuf__text(&json->out, "Z\"");
}

/* A CPU or task number; PEAT_NO_CPU and PEAT_NO_TASK are the same value. */
static void append_id_or_null(struct strbuf *out, uint32_t number)
{
	if (number == PEAT_NO_CPU)
		strbuf__text(out, "null");
	else
		strbuf__unsigned(out, number);
}

/* Appends the members from the time's value to the CPU. */
static void append_time_and_cpu(struct json *json, const struct peat_event *event)
{
	strbuf__unsigned(&json->out, event->time_ns);
	if (json->wall_clock_ns)
		append_json_time(json, event->time_ns);
	strbuf__text(&json->out, ",\"cpu\":");
	append_id_or_null(&json->out, event->cpu);
	if (event->late)
		strbuf__text(&json->out, ",\"late\":true");
}

static void append_json_comm(struct strbuf *out, const struct peat_event *event)
{
	if (event->comm)
		json_value__string(out, event->comm, strlen(event->comm));
	else
		strbuf__text(out, "null");
}

static void append_json_task(struct strbuf *out, const struct peat_event *event)
{
	strbuf__text(out, ",\"pid\":");
	append_id_or_null(out, event->pid);
	strbuf__text(out, ",\"tid\":");
	append_id_or_null(out, event->tid);
	strbuf__text(out, ",\"comm\":");
	append_json_comm(out, event);
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

static void append_chosen_value(struct json *json, const struct plan *plan,
				const struct chosen_field *part, const struct peat_event *event)
{
	uint32_t base = part->base < event->size ? part->base : event->size;
	const char *data = event->data ? event->data : "";

	switch (part->content) {
	case CONTENT_TIME:
		strbuf__unsigned(&json->out, event->time_ns);
		if (json->wall_clock_ns)
			append_json_time(json, event->time_ns);
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
	default:
		append_json_value(&json->out, plan, part->field, data + base, event->size - base);
		json_call__append(&json->out, part->field, data + base, event->size - base);
	}
}

/* The type, and the chosen members that it has. */
static void append_json_chosen(struct json *json, const struct plan *plan,
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
	struct plan *plan = plan_of(json, event->schema);
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
	append_json_task(out, event);
	append_json_members(out, plan, plan->schema->fields, fields__end(plan->schema), data,
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
	append_json_task(&json->out, event);
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
	append_json_task(&json->out, event);
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

static int append_json_event(struct json *json, const struct peat_event *event)
{
	struct address_names names = frames__names(event, json->no_symbols, json->symbols);
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
	if (!json->chosen.count)
		sample_fields__json(&json->out, event, &names);
	if (event->kind == PEAT_EVENT_DATA)
		frames__append_json_stack(&json->out, event, &names);
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
		free_plan(HASH_ENTRY(link, struct plan, link));
	hash__free(&json->plans);
	chosen_fields__free(&json->chosen);
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
