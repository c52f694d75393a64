// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay_events.c: formats, types and events of a recording are brought together. */
#include <stdlib.h>
#include <bpf/btf.h>

#include "base/cursor.h"
#include "perf_data/event_names.h"
#include "base/internal.h"
#include "schema/plan.h"
#include "replay/event_types.h"
#include "tracepoint/tracing_data.h"

#define TYPE_SOFTWARE	  1
#define TYPE_TRACEPOINT	  2
#define CONFIG_BPF_OUTPUT 10

/* More programs than any machine has, and a longer name than any struct. */
#define TYPES_MAX 16384
#define NAME_MOST 512

/* A format, read when somebody asks for it: events of one tracepoint share it. */
struct replay_text {
	uint32_t id;
	bool is_read;
	const char *system;
	struct tracing_text text;
	struct trace_format *format; /* NULL: it makes no sense */
};

struct replay_struct {
	const char *name;
	const struct btf *btf;
	uint32_t id, order;
	struct peat_schema *schema; /* NULL: nobody has asked, or there can be none */
	bool is_made;
};

void replay_events__init(struct replay_events *events, bool swapped)
{
	*events = (struct replay_events){ .swapped = swapped };
}

static void free_event(struct replay_event *event)
{
	if (!event)
		return;
	peat_schema__free(event->own);
	free(event);
}

static void free_texts(struct replay_events *events)
{
	for (uint32_t i = 0; i < events->text_count; i++) {
		if (events->texts[i].format)
			trace_format__free(events->texts[i].format);
		free(events->texts[i].format);
	}
	free(events->texts);
	free(events->formats);
}

static void free_types(struct replay_events *events)
{
	for (uint32_t i = 0; i < events->struct_count; i++)
		peat_schema__free(events->structs[i].schema);
	for (uint32_t i = 0; i < events->type_count; i++)
		btf__free(events->types[i]);
	free(events->structs);
	free(events->types);
}

void replay_events__free(struct replay_events *events)
{
	for (uint32_t i = 0; i < events->count; i++)
		free_event(events->of[i]);
	while (events->forgotten) {
		struct replay_event *event = events->forgotten;

		events->forgotten = event->next;
		free_event(event);
	}
	free(events->of);
	free_texts(events);
	as_types__free(&events->as);
	free_types(events);
	*events = (struct replay_events){ 0 };
}

/* Of a pipe somebody may ask too early: what it was then it may not be from now on. */
static void forget(struct replay_events *events, uint32_t index)
{
	struct replay_event *event = index < events->count ? events->of[index] : NULL;

	if (!event)
		return;
	event->next = events->forgotten;
	events->forgotten = event;
	events->of[index] = NULL;
}

static void forget_bytes(struct replay_events *events)
{
	for (uint32_t i = 0; i < events->count; i++)
		if (events->of[i] && events->of[i]->own)
			forget(events, i);
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
		(struct replay_text){ .id = id, .system = format->system, .text = format->text };
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct replay_text *one = a, *two = b;

	return one->id != two->id ? (one->id > two->id) - (one->id < two->id)
				  : (one->text.at > two->text.at) - (one->text.at < two->text.at);
}

int replay_events__learn_formats(struct replay_events *events, const void *bytes, size_t count,
				 const char **why, uint64_t *bad_at)
{
	struct tracing_format format;
	struct tracing_data data;
	int err, more = 1;

	if (events->formats)
		return 0;
	events->formats = malloc(count + !count);
	if (!events->formats)
		return -ENOMEM;
	memcpy(events->formats, bytes, count);
	events->formats_bytes = count;
	forget_bytes(events);
	err = tracing_data__begin(&data, events->formats, count);
	events->long_bytes = data.long_bytes;
	while (!err && (more = tracing_data__next(&data, &format)) > 0)
		err = add_text(events, &format);
	if (events->text_count)
		qsort(events->texts, events->text_count, sizeof(*events->texts), by_id);
	*why = data.why;
	*bad_at = data.bad_at;
	return err ? err : more;
}

static struct replay_text *find_text(const struct replay_events *events, uint64_t id)
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

static int read_text(const struct replay_events *events, struct replay_text *text)
{
	struct trace_format format;
	const char *why;
	int err = trace_format__read(&format, text->system, text->text.at, text->text.bytes,
				     events->long_bytes, &why);

	text->is_read = err != -ENOMEM;
	if (err == -EBADMSG)
		log__warn("the format of tracepoint %u (%s) makes no sense, its samples are bytes: "
			  "%s",
			  text->id, text->system, why);
	if (err)
		return err == -EBADMSG ? 0 : err;
	text->format = malloc(sizeof(format));
	if (text->format) {
		*text->format = format;
		return 0;
	}
	trace_format__free(&format);
	text->is_read = false;
	return -ENOMEM;
}

static int read_format(const struct replay_events *events, const struct perf_attr *attr,
		       struct replay_event *event)
{
	struct replay_text *text = find_text(events, attr->config);
	int err = 0;

	if (text && !text->is_read)
		err = read_text(events, text);
	if (err || !text || !text->format)
		return err;
	event->format = text->format;
	event->schema = text->format->schema;
	return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

static int add_types(struct replay_events *events, const void *bytes, uint32_t count)
{
	uint32_t have = events->type_count;
	struct btf **types = events->types, *btf;

	if (have == TYPES_MAX)
		return 0;
	if ((have & (have - 1)) == 0) {
		types = reallocarray(types, have ? 2 * (size_t)have : 1, sizeof(*types));
		if (!types)
			return -ENOMEM;
		events->types = types;
	}
	btf = btf__new(bytes, count);
	if (!btf)
		return errno == ENOMEM ? -ENOMEM : 0;
	types[events->type_count++] = btf;
	return 0;
}

static int add_struct(struct replay_events *events, const struct btf *btf, uint32_t id)
{
	uint32_t room = events->struct_room ? 2 * events->struct_room : 64;
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *name = btf_is_struct(type) ? btf__name_by_offset(btf, type->name_off) : NULL;
	struct replay_struct *structs;

	if (!name || !*name || strnlen(name, NAME_MOST) == NAME_MOST)
		return 0;
	if (events->struct_count == events->struct_room) {
		structs = reallocarray(events->structs, room, sizeof(*structs));
		if (!structs)
			return -ENOMEM;
		events->structs = structs;
		events->struct_room = room;
	}
	events->structs[events->struct_count] = (struct replay_struct){
		.name = name, .btf = btf, .id = id, .order = events->struct_count
	};
	events->struct_count++;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct replay_struct *one = a, *two = b;
	int order = strcmp(one->name, two->name);

	return order ? order : (one->order > two->order) - (one->order < two->order);
}

/* So that as many events as one likes find theirs at once. */
static int list_structs(struct replay_events *events)
{
	int err = 0;

	for (uint32_t i = 0; i < events->type_count; i++)
		for (uint32_t id = 1; id < btf__type_cnt(events->types[i]) && !err; id++)
			err = add_struct(events, events->types[i], id);
	if (events->struct_count)
		qsort(events->structs, events->struct_count, sizeof(*events->structs), by_name);
	return err;
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

	if (events->has_types)
		return 0;
	events->has_types = true;
	forget_bytes(events);
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
	if (!err)
		err = list_structs(events);
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

/* The first of that name. */
static struct replay_struct *find_struct(const struct replay_events *events, const char *name)
{
	uint32_t low = 0, high = events->struct_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(events->structs[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < events->struct_count && !strcmp(events->structs[low].name, name)
		       ? &events->structs[low]
		       : NULL;
}

/* The numbers of a machine of the other byte order are not what a schema of BTF says. */
static int find_type(const struct replay_events *events, const struct perf_attr *attr,
		     struct replay_event *event)
{
	struct replay_struct *found = NULL;

	if (attr->name && !events->swapped)
		found = find_struct(events, attr->name);
	if (found && !found->is_made) {
		found->schema = peat_schema__new(found->btf, found->id);
		found->is_made = found->schema || errno != ENOMEM;
		if (!found->is_made)
			return -ENOMEM;
		if (found->schema)
			forget_kernel(found->schema);
	}
	event->schema = found ? found->schema : NULL;
	return 0;
}

/* ---- what somebody says ---------------------------------------------------------------------- */

int replay_events__say(struct replay_events *events, const char *const *words, const char *path)
{
	if (!words || !*words)
		return 0;
	if (!events->swapped)
		return as_types__init(&events->as, words, path);
	log__error("%s: events of this recording cannot be of a type: it is of the other byte "
		   "order, and types are of this machine's",
		   *words);
	return -ENOTSUP;
}

/* Bytes that a tracepoint has no format for are as good as any. */
static int classify(const struct replay_events *events, const struct perf_attr *attr,
		    enum as_event *is)
{
	struct replay_event event = { 0 };
	int err = 0;

	*is = AS_EVENT_NO_BYTES;
	if (!(attr->layout.sample_type & PEAT_SAMPLE_RAW))
		return 0;
	if (attr->type == TYPE_TRACEPOINT)
		err = read_format(events, attr, &event);
	*is = event.format ? AS_EVENT_FORMAT : AS_EVENT_PLAIN;
	return err;
}

static int settle(struct replay_events *events, const struct perf_attrs *attrs,
		  enum as_event *classes)
{
	const struct as_known known = { .attrs = attrs,
					.events = classes,
					.types = events->types,
					.type_count = events->type_count };
	int err = 0;

	for (uint32_t i = 0; i < attrs->count && !err; i++)
		err = classify(events, attrs->at[i], &classes[i]);
	if (!err)
		err = as_types__settle(&events->as, &known);
	for (uint32_t i = 0; i < events->as.count && !err; i++)
		forget(events, events->as.at[i].index);
	return err;
}

int replay_events__settle(struct replay_events *events, const struct perf_attrs *attrs)
{
	enum as_event *classes;
	int err;

	if (events->is_settled || !events->as.count)
		return 0;
	events->is_settled = true;
	classes = calloc(attrs->count + !attrs->count, sizeof(*classes));
	err = classes ? settle(events, attrs, classes) : -ENOMEM;
	free(classes);
	return err;
}

static bool take_said(const struct replay_events *events, const struct perf_attr *attr,
		      struct replay_event *event)
{
	const struct as_type *as = as_types__of(&events->as, attr->index);

	if (!as)
		return false;
	forget_kernel(as->schema);
	event->schema = as->schema;
	return true;
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

	if (take_said(events, attr, event))
		return 0;
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
