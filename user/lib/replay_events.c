// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay_events.c: formats, types and events of a recording are brought together. */
#include <stdlib.h>
#include <bpf/btf.h>

#include "cursor.h"
#include "event_names.h"
#include "internal.h"
#include "plan.h"
#include "replay_events.h"
#include "tracing_data.h"

#define TYPE_SOFTWARE	  1
#define TYPE_TRACEPOINT	  2
#define CONFIG_BPF_OUTPUT 10

/* A format that nobody has asked for yet. */
struct replay_text {
	uint32_t id;
	const char *system;
	struct tracing_text text;
};

void replay_events__init(struct replay_events *events, bool swapped)
{
	*events = (struct replay_events){ .swapped = swapped };
}

static void free_event(struct replay_event *event)
{
	if (!event)
		return;
	trace_format__free(&event->read);
	peat_schema__free(event->own);
	free(event);
}

void replay_events__free(struct replay_events *events)
{
	for (uint32_t i = 0; i < events->count; i++)
		free_event(events->of[i]);
	for (uint32_t i = 0; i < events->type_count; i++)
		btf__free(events->types[i]);
	free(events->of);
	free(events->types);
	free(events->texts);
	free(events->formats);
	*events = (struct replay_events){ 0 };
}

/* ---- formats --------------------------------------------------------------------------------- */

static int add_text(struct replay_events *events, const struct tracing_format *format)
{
	uint32_t room = events->text_room ? 2 * events->text_room : 64, id;
	struct replay_text *texts;

	if (!strcmp(format->system, "ftrace") ||
	    !trace_format__id(format->text.at, format->text.bytes, &id))
		return 0;
	if (events->text_count == events->text_room) {
		texts = reallocarray(events->texts, room, sizeof(*texts));
		if (!texts)
			return -ENOMEM;
		events->texts = texts;
		events->text_room = room;
	}
	events->texts[events->text_count++] =
		(struct replay_text){ id, format->system, format->text };
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct replay_text *one = a, *two = b;

	return one->id != two->id ? (one->id > two->id) - (one->id < two->id)
				  : (one->text.at > two->text.at) - (one->text.at < two->text.at);
}

/* A recording has them once; should it not, the last ones count. */
int replay_events__learn_formats(struct replay_events *events, const void *bytes, size_t count,
				 const char **why, uint64_t *bad_at)
{
	uint8_t *copy = malloc(count + !count);
	struct tracing_format format;
	struct tracing_data data;
	int err, more = 1;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, bytes, count);
	free(events->formats);
	events->formats = copy;
	events->text_count = 0;
	err = tracing_data__begin(&data, copy, count);
	events->long_bytes = data.long_bytes;
	while (!err && (more = tracing_data__next(&data, &format)) > 0)
		err = add_text(events, &format);
	if (events->text_count)
		qsort(events->texts, events->text_count, sizeof(*events->texts), by_id);
	*why = data.why;
	*bad_at = data.bad_at;
	return err ? err : more;
}

static const struct replay_text *find_text(const struct replay_events *events, uint64_t id)
{
	uint32_t low = 0, high = events->text_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (events->texts[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < events->text_count && events->texts[low].id == id ? &events->texts[low] : NULL;
}

static int read_format(const struct replay_events *events, const struct perf_attr *attr,
		       struct replay_event *event)
{
	const struct replay_text *text = find_text(events, attr->config);
	const char *why;
	int err;

	if (!text)
		return 0;
	err = trace_format__read(&event->read, text->system, text->text.at, text->text.bytes,
				 events->long_bytes, &why);
	if (err == -EBADMSG)
		log__warn("the format of tracepoint %u (%s) makes no sense, its samples are bytes: "
			  "%s",
			  text->id, text->system, why);
	if (err)
		return err == -EBADMSG ? 0 : err;
	event->format = &event->read;
	event->schema = event->read.schema;
	return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

static int add_types(struct replay_events *events, const void *bytes, uint32_t count)
{
	struct btf **types =
		reallocarray(events->types, events->type_count + 1, sizeof(*events->types));
	struct btf *btf;

	if (!types)
		return -ENOMEM;
	events->types = types;
	btf = btf__new(bytes, count);
	if (!btf)
		return errno == ENOMEM ? -ENOMEM : 0;
	types[events->type_count++] = btf;
	return 0;
}

/* BTF that libbpf does not understand is none of anybody's: its like may come from other kernels.
 */
int replay_events__learn_types(struct replay_events *events, const void *bytes, size_t count,
			       const char **why)
{
	const struct peat_layout layout = { .swapped = events->swapped };
	struct cursor cur;
	uint32_t entries;
	int err = 0;

	cursor__init(&cur, bytes, (const uint8_t *)bytes + count, &layout);
	entries = cursor__u32(&cur);
	for (uint32_t i = 0; i < entries && !err && !cur.bad; i++) {
		uint32_t type_bytes;
		const void *types;

		cursor__u32(&cur); /* its id there */
		type_bytes = cursor__u32(&cur);
		types = cursor__take(&cur, type_bytes);
		err = types ? add_types(events, types, type_bytes) : 0;
	}
	*why = "the BTF in it ends too early";
	return err ? err : cur.bad ? -EBADMSG : 0;
}

static bool is_bpf_output(const struct perf_attr *attr)
{
	return attr->type == TYPE_SOFTWARE && attr->config == CONFIG_BPF_OUTPUT;
}

/* Addresses, and numbers of stacks, of another kernel are no more than numbers here. */
static void forget_kernel(struct peat_schema *schema)
{
	for (uint32_t i = 0; i < schema->count; i++)
		if (schema->fields[i].kind == PEAT_FIELD_KADDR ||
		    schema->fields[i].kind == PEAT_FIELD_KSTACK)
			schema->fields[i].kind = PEAT_FIELD_HEX;
}

/* The numbers of a machine of the other byte order are not what a schema of BTF says. */
static int find_type(const struct replay_events *events, const struct perf_attr *attr,
		     struct replay_event *event)
{
	for (uint32_t i = 0; i < events->type_count && attr->name && !events->swapped; i++) {
		int id = btf__find_by_name_kind(events->types[i], attr->name, BTF_KIND_STRUCT);

		if (id <= 0)
			continue;
		event->own = peat_schema__new(events->types[i], (uint32_t)id);
		if (!event->own)
			return errno == ENOMEM ? -ENOMEM : 0;
		forget_kernel(event->own);
		event->schema = event->own;
		return 0;
	}
	return 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

static int describe_bytes(const struct perf_attr *attr, struct replay_event *event)
{
	struct peat_field bytes = { .name = "bytes", .kind = PEAT_FIELD_BYTES, .span = 1 };
	char room[EVENT_NAME_BYTES];
	struct plan plan = { 0 };
	int err = 0;

	if (attr->layout.sample_type & PEAT_SAMPLE_RAW)
		err = plan__add(&plan, &bytes);
	if (err >= 0)
		err = plan__pack(&plan, event_names__of(attr, room), NULL, 0,
				 fields__event_reserved, &event->own);
	plan__free(&plan);
	event->schema = event->own;
	return err;
}

static int describe(const struct replay_events *events, const struct perf_attr *attr,
		    struct replay_event *event)
{
	int err = 0;

	if (attr->type == TYPE_TRACEPOINT)
		err = read_format(events, attr, event);
	else if (is_bpf_output(attr))
		err = find_type(events, attr, event);
	return err || event->schema ? err : describe_bytes(attr, event);
}

static struct replay_event *new_event(const struct replay_events *events,
				      const struct perf_attr *attr)
{
	struct replay_event *event = calloc(1, sizeof(*event));

	if (event && describe(events, attr, event)) {
		free_event(event);
		event = NULL;
	}
	return event;
}

/* In a pipe events come one by one. */
static bool make_room(struct replay_events *events, uint32_t count)
{
	struct replay_event **of;

	if (count <= events->count)
		return true;
	of = reallocarray(events->of, count, sizeof(struct replay_event *));
	if (!of)
		return false;
	events->of = of;
	while (events->count < count)
		of[events->count++] = NULL;
	return true;
}

const struct replay_event *replay_events__of(struct replay_events *events,
					     const struct perf_attr *attr)
{
	if (!make_room(events, attr->index + 1))
		return NULL;
	if (!events->of[attr->index])
		events->of[attr->index] = new_event(events, attr);
	return events->of[attr->index];
}
