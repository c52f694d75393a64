// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * json.c: events as lines of JSON.
 *
 * What is the same in all events of a type, which is the keys, is put together at the first of
 * them: the plan.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/escape.h"
#include "schema/fields.h"
#include "base/internal.h"
#include "print/sample_fields.h"
#include "print/json.h"
#include "sys/kallsyms.h"
#include "print/tool_event.h"
#include "schema/field_text.h"

#define FLUSH_BYTES (64u << 10)

/* Text between two values, such as `,"ppid":`. */
struct key {
	uint32_t at, bytes;
};

struct plan {
	const struct peat_schema *schema;
	struct out text;   /* all keys */
	struct key head;   /* `{"type":"exec","time_ns":` */
	struct key keys[]; /* one for each field */
};

struct json {
	struct peat_sink sink;
	int fd;
	int64_t wall_clock_ns;
	struct out out;
	struct plan *last;	   /* of the event before */
	struct plan **plans;	   /* hashed by schema, the next free place taken */
	size_t plan_count, places; /* a power of two, at least twice plan_count; or 0 */
	int64_t second;		   /* what `date` says */
	char date[sizeof("2026-11-21T09:12:33")];
};

static void append_value(struct out *out, const struct plan *plan, const struct peat_field *field,
			 const void *data, uint32_t bytes);

static void append_string(struct out *out, const char *text, size_t bytes)
{
	if (escape__json(out, text, bytes))
		return;
	out__text(out, "{\"hex\":\"");
	out__hex_bytes(out, text, bytes);
	out__text(out, "\"}");
}

/* ---- plans ----------------------------------------------------------------------------------- */

static void append_key(struct out *out, const char *name, size_t bytes)
{
	if (escape__json(out, name, bytes))
		return;
	out__char(out, '"');
	out__hex_bytes(out, name, bytes);
	out__char(out, '"');
}

static bool has_members(const struct peat_field *field)
{
	return field->kind == PEAT_FIELD_STRUCT || field->kind == PEAT_FIELD_UNION;
}

static void plan_key(struct plan *plan, const struct peat_field *field, const char *before,
		     const char *name)
{
	struct key *key = &plan->keys[field - plan->schema->fields];

	key->at = (uint32_t)plan->text.count;
	out__text(&plan->text, before);
	append_key(&plan->text, name, strlen(name));
	out__char(&plan->text, ':');
	key->bytes = (uint32_t)plan->text.count - key->at;
}

static void plan_inside(struct plan *plan, const struct peat_field *field)
{
	const struct peat_field *first = field + 1, *end = field + field->span;

	if (field->kind == PEAT_FIELD_ARRAY && first < end)
		plan_inside(plan, first);
	if (!has_members(field))
		return;
	for (const struct peat_field *inner = first; inner < end; inner += inner->span) {
		plan_key(plan, inner, inner == first ? "" : ",", inner->name);
		plan_inside(plan, inner);
	}
}

static void free_plan(struct plan *plan)
{
	if (!plan)
		return;
	out__free(&plan->text);
	free(plan);
}

static struct plan *new_plan(const struct peat_schema *schema)
{
	const struct peat_field *end = schema->fields + schema->count;
	struct plan *plan = calloc(1, sizeof(*plan) + schema->count * sizeof(*plan->keys));

	if (!plan)
		return NULL;
	plan->schema = schema;
	out__text(&plan->text, "{\"type\":");
	append_key(&plan->text, schema->name, strlen(schema->name));
	out__text(&plan->text, ",\"time_ns\":");
	plan->head.bytes = (uint32_t)plan->text.count;
	for (const struct peat_field *field = schema->fields; field < end; field += field->span) {
		plan_key(plan, field, ",", field->name);
		plan_inside(plan, field);
	}
	if (!plan->text.failed)
		return plan;
	free_plan(plan);
	return NULL;
}

static size_t hash(const struct peat_schema *schema)
{
	return (size_t)((uintptr_t)schema * 0x9e3779b97f4a7c15u >> 32);
}

static struct plan **find_place(struct json *json, const struct peat_schema *schema)
{
	size_t at = hash(schema);

	while (json->plans[at & (json->places - 1)] &&
	       json->plans[at & (json->places - 1)]->schema != schema)
		at++;
	return &json->plans[at & (json->places - 1)];
}

static bool make_places(struct json *json)
{
	struct plan **old = json->plans;
	size_t old_places = json->places;

	if (2 * (json->plan_count + 1) <= old_places)
		return true;
	json->places = old_places ? 2 * old_places : 16;
	json->plans = calloc(json->places, sizeof(*json->plans));
	if (!json->plans) {
		json->plans = old;
		json->places = old_places;
		return false;
	}
	for (size_t i = 0; i < old_places; i++)
		if (old[i])
			*find_place(json, old[i]->schema) = old[i];
	free(old);
	return true;
}

/* NULL: no memory. */
static const struct plan *plan_of(struct json *json, const struct peat_schema *schema)
{
	struct plan **place;

	if (json->last && json->last->schema == schema)
		return json->last;
	if (!make_places(json))
		return NULL;
	place = find_place(json, schema);
	if (!*place) {
		*place = new_plan(schema);
		json->plan_count += *place != NULL;
	}
	json->last = *place;
	return *place;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void append_address(struct out *out, uint64_t address)
{
	out__char(out, '"');
	symbols__append(out, address);
	out__char(out, '"');
}

static void append_stack(struct out *out, const struct peat_field *field, uint64_t number)
{
	const char *name;
	uint32_t count;
	int64_t id;
	uint64_t *addresses = value__stack(field, number, &id, &count);

	if (!count) {
		name = value__errno_name(id);
		if (name)
			append_string(out, name, strlen(name));
		else
			out__signed(out, id);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		out__char(out, i ? ',' : '[');
		append_address(out, addresses[i]);
	}
	out__char(out, ']');
	free(addresses);
}

/* A name with a quote or a backslash is none of C, and would end the string. */
static bool append_name(struct out *out, const struct peat_field *field, uint64_t number)
{
	size_t start = out->count;
	bool named;

	out__char(out, '"');
	named = value__append_name(out, field, number);
	if (out->failed)
		return true;
	if (named && !memchr(out->bytes + start + 1, '"', out->count - start - 1) &&
	    !memchr(out->bytes + start + 1, '\\', out->count - start - 1)) {
		out__char(out, '"');
		return true;
	}
	out__cut(out, start);
	return false;
}

static void append_number(struct out *out, const struct peat_field *field, uint64_t number)
{
	switch (field->kind) {
	case PEAT_FIELD_BOOL:
		out__text(out, number ? "true" : "false");
		return;
	case PEAT_FIELD_KADDR:
		append_address(out, number);
		return;
	case PEAT_FIELD_KSTACK:
		append_stack(out, field, number);
		return;
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_FLAGS:
	case PEAT_FIELD_ERRNO:
	case PEAT_FIELD_SIGNAL:
		if (append_name(out, field, number))
			return;
		break;
	default:
		break;
	}
	if (field->is_signed)
		out__signed(out, (int64_t)number);
	else
		out__unsigned(out, number);
}

static void append_strings(struct out *out, const char *text, uint32_t bytes)
{
	out__char(out, '[');
	for (uint32_t at = 0; at < bytes;) {
		size_t length = strnlen(text + at, bytes - at);

		if (at)
			out__char(out, ',');
		append_string(out, text + at, length);
		at += (uint32_t)length + 1;
	}
	out__char(out, ']');
}

static void append_float(struct out *out, double value)
{
	if (isfinite(value))
		value__append_float(out, "%.17g", value);
	else
		out__text(out, "null");
}

static void append_members(struct out *out, const struct plan *plan, const struct peat_field *first,
			   const struct peat_field *end, const void *data, uint32_t bytes)
{
	for (const struct peat_field *field = first; field < end; field += field->span) {
		const struct key *key = &plan->keys[field - plan->schema->fields];

		out__bytes(out, plan->text.bytes + key->at, key->bytes);
		append_value(out, plan, field, data, bytes);
	}
}

static void append_elements(struct out *out, const struct plan *plan,
			    const struct peat_field *field, const char *at, uint32_t count)
{
	uint32_t elements = value__elements(field, count);

	out__char(out, '[');
	for (uint32_t i = 0; i < elements; i++) {
		uint32_t offset = i * field[1].bytes;

		if (i)
			out__char(out, ',');
		append_value(out, plan, field + 1, at + offset, count - offset);
	}
	out__char(out, ']');
}

/* What is in its bytes, and is not one number. */
static void append_bytes(struct out *out, const struct plan *plan, const struct peat_field *field,
			 const void *data, uint32_t bytes)
{
	uint32_t count;
	const void *at = fields__bytes(field, data, bytes, &count);
	double value;

	if (!at) {
		out__text(out, "null");
	} else if (field->kind == PEAT_FIELD_STRING) {
		append_string(out, at, strnlen(at, count));
	} else if (field->kind == PEAT_FIELD_STRINGS) {
		append_strings(out, at, count);
	} else if (field->kind == PEAT_FIELD_FLOAT && value__float(field, data, bytes, &value)) {
		append_float(out, value);
	} else if (field->kind == PEAT_FIELD_ARRAY) {
		append_elements(out, plan, field, at, count);
	} else if (has_members(field)) {
		out__char(out, '{');
		append_members(out, plan, field + 1, field + field->span, at, count);
		out__char(out, '}');
	} else {
		out__char(out, '"');
		value__append(out, field, data, bytes); /* addresses, or hexadecimal */
		out__char(out, '"');
	}
}

static void append_value(struct out *out, const struct plan *plan, const struct peat_field *field,
			 const void *data, uint32_t bytes)
{
	uint64_t number;

	if (peat_field__number(field, data, bytes, &number))
		append_number(out, field, number);
	else
		append_bytes(out, plan, field, data, bytes);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* False: such a time has no date. */
static bool set_date(struct json *json, int64_t second)
{
	time_t time = (time_t)second;
	struct tm tm;

	if (json->date[0] && json->second == second)
		return true;
	json->second = second;
	return gmtime_r(&time, &tm) &&
	       strftime(json->date, sizeof(json->date), "%Y-%m-%dT%H:%M:%S", &tm);
}

static void append_time(struct json *json, uint64_t time_ns)
{
	int64_t ns = (int64_t)(time_ns + (uint64_t)json->wall_clock_ns), part = ns % 1000000000;

	part += part < 0 ? 1000000000 : 0;
	out__text(&json->out, ",\"time\":");
	if (!time_ns || !set_date(json, (ns - part) / 1000000000)) {
		out__text(&json->out, "null");
		return;
	}
	out__char(&json->out, '"');
	out__text(&json->out, json->date);
	out__char(&json->out, '.');
	for (int64_t unit = 100000000; unit; unit /= 10)
		out__char(&json->out, (char)('0' + part / unit % 10));
	out__text(&json->out, "Z\"");
}

/* PEAT_NO_CPU and PEAT_NO_TASK are one number. */
static void append_told(struct out *out, uint32_t number)
{
	if (number == PEAT_NO_CPU)
		out__text(out, "null");
	else
		out__unsigned(out, number);
}

/* From the time's value to the CPU's. */
static void append_when(struct json *json, const struct peat_event *event)
{
	out__unsigned(&json->out, event->time_ns);
	if (json->wall_clock_ns)
		append_time(json, event->time_ns);
	out__text(&json->out, ",\"cpu\":");
	append_told(&json->out, event->cpu);
	if (event->late)
		out__text(&json->out, ",\"late\":true");
}

static void append_task(struct out *out, const struct peat_event *event)
{
	out__text(out, ",\"pid\":");
	append_told(out, event->pid);
	out__text(out, ",\"tid\":");
	append_told(out, event->tid);
	out__text(out, ",\"comm\":");
	if (event->comm)
		append_string(out, event->comm, strlen(event->comm));
	else
		out__text(out, "null");
}

static int append_typed(struct json *json, const struct peat_event *event)
{
	const struct plan *plan = plan_of(json, event->schema);
	const void *data = event->data ? event->data : "";
	struct out *out = &json->out;

	if (!plan)
		return -ENOMEM;
	out__bytes(out, plan->text.bytes, plan->head.bytes);
	append_when(json, event);
	append_task(out, event);
	append_members(out, plan, plan->schema->fields, plan->schema->fields + plan->schema->count,
		       data, event->size);
	return 0;
}

static void append_lost(struct json *json, const struct peat_event *event)
{
	out__text(&json->out, "{\"type\":\"lost\",\"time_ns\":");
	append_when(json, event);
	out__text(&json->out, ",\"events\":");
	out__unsigned(&json->out, event->lost);
}

static void append_raw(struct json *json, const struct peat_event *event)
{
	out__text(&json->out, "{\"type\":\"raw\",\"time_ns\":");
	append_when(json, event);
	append_task(&json->out, event);
	if (event->map) {
		out__text(&json->out, ",\"map\":");
		append_string(&json->out, event->map, strlen(event->map));
	}
	out__text(&json->out, ",\"size\":");
	out__unsigned(&json->out, event->size);
	out__text(&json->out, ",\"bytes\":\"");
	out__hex_bytes(&json->out, event->data, event->size);
	out__char(&json->out, '"');
}

static void append_record(struct json *json, const struct peat_event *event)
{
	const char *name = event->record ? peat_record__name(event->record->type) : NULL;

	out__text(&json->out, "{\"type\":\"record\",\"time_ns\":");
	append_when(json, event);
	append_task(&json->out, event);
	out__text(&json->out, ",\"record\":");
	if (name)
		append_string(&json->out, name, strlen(name));
	else if (event->record)
		out__unsigned(&json->out, event->record->type);
	else
		out__text(&json->out, "null");
}

static void append_tool(struct json *json, const struct peat_event *event)
{
	char name[TOOL_EVENT_NAME_BYTES];

	tool_event__name(event, name);
	out__text(&json->out, "{\"type\":\"");
	out__text(&json->out, name);
	out__text(&json->out, "\",\"time_ns\":");
	append_when(json, event);
	tool_event__tell(event, emit__json_members(&json->out));
}

static int append_event(struct json *json, const struct peat_event *event)
{
	int err = 0;

	if (event->kind == PEAT_EVENT_LOST)
		append_lost(json, event);
	else if (event->kind == PEAT_EVENT_TOOL)
		append_tool(json, event);
	else if (event->schema)
		err = append_typed(json, event);
	else if (event->kind == PEAT_EVENT_RECORD)
		append_record(json, event);
	else
		append_raw(json, event);
	sampled__json(&json->out, event);
	out__text(&json->out, "}\n");
	return json->out.failed ? -ENOMEM : err;
}

/* ---- the sink -------------------------------------------------------------------------------- */

static int flush_json(struct peat_sink *sink)
{
	struct json *json = (struct json *)sink;

	return json->out.count ? out__write(&json->out, json->fd) : 0;
}

static int write_json(struct peat_sink *sink, const struct peat_event *event)
{
	struct json *json = (struct json *)sink;
	size_t start = json->out.count;
	int err = append_event(json, event);

	if (err) {
		out__cut(&json->out, start); /* a whole line or none */
		json->out.failed = false;
		return fail(err);
	}
	return json->out.count >= FLUSH_BYTES ? flush_json(sink) : 0;
}

static void free_json(struct peat_sink *sink)
{
	struct json *json = (struct json *)sink;

	for (size_t i = 0; i < json->places; i++)
		free_plan(json->plans[i]);
	free(json->plans);
	out__free(&json->out);
	free(json);
}

struct peat_sink *json__new(int fd, const struct peat_sink_opts *opts)
{
	struct json *json = calloc(1, sizeof(*json));

	if (!json)
		return fail_null(-ENOMEM);
	json->sink =
		(struct peat_sink){ .write = write_json, .flush = flush_json, .free = free_json };
	json->fd = fd;
	json->wall_clock_ns = opts->wall_clock_ns;
	return &json->sink;
}
