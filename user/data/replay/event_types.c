// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/event_types.c: finds the types of recorded events: formats, BTF, overrides. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "perf_data/event_names.h"
#include "replay/event_types.h"
#include "schema/plan.h"
#include "tracing_data/naming.h"
#include "tracing_data/tracing_data.h"

#define TYPE_SOFTWARE	  1
#define TYPE_TRACEPOINT	  2
#define CONFIG_BPF_OUTPUT 10

/* A tracepoint's format, parsed on first use; the events of the tracepoint share it. */
struct replay_format {
	uint32_t id;
	bool is_parsed;
	const char *system;
	struct tracing_text text;
	struct trace_format *parsed; /* NULL: malformed */
	bool is_searched;
	struct restored_type restored; /* of peat's tracepoints; otherwise zeroes */
};

void replay_types__init(struct replay_types *types, bool swapped)
{
	*types = (struct replay_types){ .swapped = swapped };
	types->formats = &types->first;
}

static void free_type(struct replay_type *type)
{
	if (!type)
		return;
	peat_schema__free(type->byte_schema);
	free(type);
}

void replay_types__free_formats(struct replay_formats *formats)
{
	for (uint32_t i = 0; i < formats->count; i++) {
		if (formats->at[i].parsed)
			format_parse__free(formats->at[i].parsed);
		free(formats->at[i].parsed);
		restored_type__free(&formats->at[i].restored);
	}
	free(formats->at);
	free(formats->tracing_data);
	free(formats->btf_bytes);
	recorded_btfs__free(&formats->btfs);
	*formats = (struct replay_formats){ 0 };
}

void replay_types__free(struct replay_types *types)
{
	for (uint32_t i = 0; i < types->count; i++)
		free_type(types->of[i]);
	while (types->retired) {
		struct replay_type *type = types->retired;

		types->retired = type->next;
		free_type(type);
	}
	free(types->of);
	replay_types__free_formats(&types->first);
	for (uint32_t i = 0; i < types->other_count; i++) {
		replay_types__free_formats(types->others[i]);
		free(types->others[i]);
	}
	free(types->others);
	noted_types__free(&types->noted);
	free(types->origins);
	type_overrides__free(&types->overrides);
	replay_types__init(types, false);
}

/*
 * Makes the event's next lookup find its type anew: in a pipe, an event may be looked up before its
 * type arrives.  Callers may still use the old type, so it is freed at the end only.
 */
static void retire_type(struct replay_types *types, uint32_t index)
{
	struct replay_type *type = index < types->count ? types->of[index] : NULL;

	if (!type)
		return;
	type->next = types->retired;
	types->retired = type;
	types->of[index] = NULL;
}

/* Before its samples, no event of the recording was looked up. */
static void retire_types(struct replay_types *types)
{
	if (!types->has_begun && types->other_count)
		return;
	for (uint32_t i = 0; i < types->count; i++)
		retire_type(types, i);
}

/* In a pipe, the version of the recorder may arrive after events were looked up. */
void replay_types__set_recorder(struct replay_types *types, bool are_peats)
{
	if (types->are_peats == are_peats)
		return;
	types->are_peats = are_peats;
	retire_types(types);
}

/* ---- formats --------------------------------------------------------------------------------- */

static int add_format(struct replay_formats *formats, const struct tracing_format *format)
{
	uint32_t id;

	if (!strcmp(format->system, "ftrace") ||
	    !format_parse__id(format->text.at, format->text.bytes, &id))
		return 0;
	if (!ARRAY_RESERVE(formats->at, formats->count, formats->room))
		return -ENOMEM;
	formats->at[formats->count++] =
		(struct replay_format){ .id = id, .system = format->system, .text = format->text };
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct replay_format *one = a, *two = b;

	return one->id != two->id ? (one->id > two->id) - (one->id < two->id)
				  : (one->text.at > two->text.at) - (one->text.at < two->text.at);
}

int replay_types__add_formats(struct replay_types *types, const void *bytes, size_t count,
			      const char **why, uint64_t *bad_at)
{
	struct replay_formats *formats = types->formats;
	struct tracing_format format;
	struct tracing_data data;
	int err, more = 1;

	if (formats->tracing_data)
		return 0;
	formats->tracing_data = malloc(count + !count);
	if (!formats->tracing_data)
		return -ENOMEM;
	memcpy(formats->tracing_data, bytes, count);
	formats->tracing_data_bytes = count;
	retire_types(types);
	err = tracing_data__begin(&data, formats->tracing_data, count);
	formats->long_bytes = data.long_bytes;
	while (!err && (more = tracing_data__next(&data, &format)) > 0)
		err = add_format(formats, &format);
	if (formats->count)
		qsort(formats->at, formats->count, sizeof(*formats->at), by_id);
	*why = data.why;
	*bad_at = data.bad_at;
	return err ? err : more;
}

static struct replay_format *find_format(const struct replay_formats *formats, uint64_t id)
{
	uint32_t low = 0, high = formats->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (formats->at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < formats->count && formats->at[low].id == id ? &formats->at[low] : NULL;
}

static bool is_peats(const struct replay_format *format)
{
	return !strcmp(format->system, NAMING_SYSTEM);
}

static int parse_format(const struct replay_types *types, struct replay_format *format)
{
	const char *system = is_peats(format) ? NULL : format->system, *why;
	struct trace_format parsed;
	int err = format_parse__text(&parsed, system, format->text.at, format->text.bytes,
				     types->formats->long_bytes, &why);

	format->is_parsed = err != -ENOMEM;
	if (err == -EBADMSG)
		log__warn("invalid format of tracepoint %u (%s): %s: its samples are shown as "
			  "bytes",
			  format->id, format->system, why);
	if (err)
		return err == -EBADMSG ? 0 : err;
	format->parsed = malloc(sizeof(parsed));
	if (format->parsed) {
		*format->parsed = parsed;
		return 0;
	}
	format_parse__free(&parsed);
	format->is_parsed = false;
	return -ENOMEM;
}

/* Peat converted the event if it did not record it: its sample then has more than its fields. */
static void mark_peats(const struct replay_types *types, struct peat_schema *schema, bool has_name)
{
	schema->is_peats = has_name;
	schema->hides_sample = types->are_peats && has_name;
	if (schema->hides_sample)
		schema->sampled = 0;
}

/* Several events may share a type.  A period that all samples share is not in the samples. */
static void mark_sampled(struct peat_schema *schema, const struct perf_attr *attr)
{
	if (schema->hides_sample) {
		schema->sampled |= attr->layout.sample_type & PEAT_SAMPLE_CGROUP;
		return;
	}
	schema->sampled |= attr->layout.sample_type;
	if (perf_attr__fixed_period(attr))
		schema->sampled |= PEAT_SAMPLE_PERIOD;
}

static void mark_kernel(const struct replay_types *types, struct peat_schema *schema)
{
	schema->is_recorded = true;
	schema->same_kernel = types->same_kernel;
}

/* The map of the kernel's code is a record: types may be in use before it is read. */
void replay_types__set_kernel(struct replay_types *types, bool same_kernel)
{
	if (types->same_kernel == same_kernel)
		return;
	types->same_kernel = same_kernel;
	for (uint32_t i = 0; i < types->formats->count; i++) {
		struct replay_format *format = &types->formats->at[i];

		if (format->parsed)
			mark_kernel(types, format->parsed->schema);
		if (format->restored.schema)
			mark_kernel(types, format->restored.schema);
	}
	for (uint32_t i = 0; i < types->noted.count; i++)
		if (types->noted.at[i]->schema)
			mark_kernel(types, types->noted.at[i]->schema);
}

/* In a pipe, the BTF may arrive after the format.  Structs are of this machine's byte order. */
static int restore_type(struct replay_types *types, struct replay_format *format)
{
	if (!is_peats(format) || format->is_searched || !types->formats->has_btfs || types->swapped)
		return 0;
	format->is_searched = true;
	return restored_type__find(&format->restored, &types->formats->btfs,
				   format->parsed->schema->name, format->id, &format->text);
}

static int set_format_schema(struct replay_types *types, const struct perf_attr *attr,
			     struct replay_type *type)
{
	struct replay_format *format = find_format(types->formats, attr->config);
	int err = 0;

	if (format && !format->is_parsed)
		err = parse_format(types, format);
	if (err || !format || !format->parsed)
		return err;
	err = restore_type(types, format);
	type->format = format->parsed;
	type->schema = format->parsed->schema;
	mark_peats(types, format->parsed->schema, is_peats(format));
	mark_kernel(types, format->parsed->schema);
	mark_sampled(format->parsed->schema, attr);
	if (format->restored.schema) {
		type->schema = format->restored.schema;
		mark_peats(types, format->restored.schema, true);
		mark_sampled(format->restored.schema, attr);
		mark_kernel(types, format->restored.schema);
		type->payload = &format->restored.payload;
	}
	return err;
}

/* ---- BTF ------------------------------------------------------------------------------------- */

int replay_types__add_btfs(struct replay_types *types, const void *bytes, size_t count,
			   const char **why)
{
	struct replay_formats *formats = types->formats;

	if (formats->has_btfs)
		return 0;
	formats->btf_bytes = malloc(count + !count);
	if (!formats->btf_bytes)
		return -ENOMEM;
	memcpy(formats->btf_bytes, bytes, count);
	formats->btf_count = count;
	formats->has_btfs = true;
	retire_types(types);
	return recorded_btfs__read(&formats->btfs, bytes, count, types->swapped, why);
}

static bool is_bpf_output(const struct perf_attr *attr)
{
	return attr->type == TYPE_SOFTWARE && attr->config == CONFIG_BPF_OUTPUT;
}

/* Kernel addresses and stack ids of another kernel cannot be resolved here. */
static void print_kernel_as_hex(struct peat_schema *schema)
{
	for (uint32_t i = 0; i < schema->count; i++)
		if (field_type__of(&schema->fields[i])->class == PEAT_CLASS_CODE)
			schema->fields[i].kind = PEAT_FIELD_HEX;
}

/* The schema of the struct of this name; NULL: none.  0 or -ENOMEM. */
static int make_struct_schema(struct replay_types *types, const char *name,
			      const struct peat_schema **schema)
{
	struct recorded_btfs *btfs = &types->formats->btfs;
	struct recorded_struct *found = recorded_btfs__find(btfs, name);

	if (found && !found->is_made) {
		found->schema = recorded_btfs__new_schema(btfs, found);
		found->is_made = found->schema || errno != ENOMEM;
		if (!found->is_made)
			return -ENOMEM;
		if (found->schema)
			print_kernel_as_hex(found->schema);
	}
	*schema = found ? found->schema : NULL;
	return 0;
}

/* A schema made from BTF fits only samples of this machine's byte order. */
static int set_struct_schema(struct replay_types *types, const struct perf_attr *attr,
			     struct replay_type *type)
{
	if (!attr->name || types->swapped)
		return 0;
	return make_struct_schema(types, attr->name, &type->schema);
}

/* The format of a peat event cannot say which members are minor, but its struct can. */
static int mark_minor(struct replay_types *types, struct peat_schema *schema)
{
	const struct peat_schema *from = NULL;
	int err = 0;

	if (!types->swapped)
		err = make_struct_schema(types, schema->name, &from);
	for (uint32_t i = 0; from && i < schema->count; i += schema->fields[i].span) {
		const struct peat_field *field =
			peat_schema__find(from, schema->fields[i].name, NULL);

		schema->fields[i].is_minor = field && field->is_minor;
	}
	return err;
}

/* ---- overrides ------------------------------------------------------------------------------- */

int replay_types__set_overrides(struct replay_types *types, const char *const *specs,
				const char *path)
{
	if (!specs || !*specs)
		return 0;
	if (!types->swapped)
		return type_overrides__init(&types->overrides, specs, path);
	log__error("%s: cannot set types of events: the recording has the other byte order, "
		   "and types are of this machine's",
		   *specs);
	return -ENOTSUP;
}

/* Samples of a tracepoint without a format are plain bytes. */
static int find_sample_data(struct replay_types *types, const struct perf_attr *attr,
			    enum sample_data *data)
{
	struct replay_type type = { 0 };
	int err = 0;

	*data = SAMPLE_DATA_NONE;
	if (!(attr->layout.sample_type & PEAT_SAMPLE_RAW))
		return 0;
	if (attr->type == TYPE_TRACEPOINT)
		err = set_format_schema(types, attr, &type);
	*data = type.format ? SAMPLE_DATA_FORMAT : SAMPLE_DATA_PLAIN;
	return err;
}

static int resolve(struct replay_types *types, const struct perf_attrs *attrs,
		   enum sample_data *samples)
{
	const struct recorded_types recorded = { .attrs = attrs,
						 .samples = samples,
						 .btfs = types->formats->btfs.at,
						 .btf_count = types->formats->btfs.count };
	int err = 0;

	for (uint32_t i = 0; i < attrs->count && !err; i++)
		err = find_sample_data(types, attrs->at[i], &samples[i]);
	if (!err)
		err = type_overrides__resolve(&types->overrides, &recorded);
	for (uint32_t i = 0; i < types->overrides.count && !err; i++)
		retire_type(types, types->overrides.at[i].index);
	return err;
}

int replay_types__resolve_overrides(struct replay_types *types, const struct perf_attrs *attrs)
{
	enum sample_data *samples;
	int err;

	if (types->is_resolved || !types->overrides.count)
		return 0;
	types->is_resolved = true;
	samples = calloc(attrs->count + !attrs->count, sizeof(*samples));
	err = samples ? resolve(types, attrs, samples) : -ENOMEM;
	free(samples);
	return err;
}

static bool has_peats_name(const struct perf_attr *attr)
{
	return attr->name && begins_with(attr->name, NAMING_PREFIX);
}

static bool set_override(const struct replay_types *types, const struct perf_attr *attr,
			 struct replay_type *type)
{
	const struct type_override *override = type_overrides__of(&types->overrides, attr->index);

	if (!override)
		return false;
	print_kernel_as_hex(override->schema);
	mark_peats(types, override->schema, has_peats_name(attr));
	mark_sampled(override->schema, attr);
	type->schema = override->schema;
	return true;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The type in a note, if there is one: it may be bytes. */
static void set_noted(const struct replay_types *types, const struct perf_attr *attr,
		      struct replay_type *type)
{
	struct noted_type *noted =
		attr->index < types->origin_count ? types->origins[attr->index].noted : NULL;

	type->is_noted = noted;
	if (!noted || !noted->schema)
		return;
	type->schema = noted->schema;
	mark_peats(types, noted->schema, has_peats_name(attr));
	mark_sampled(noted->schema, attr);
	mark_kernel(types, noted->schema);
}

static int set_byte_schema(const struct replay_types *types, const struct perf_attr *attr,
			   struct replay_type *type)
{
	struct peat_field bytes = { .name = "bytes", .kind = PEAT_FIELD_BYTES, .span = 1 };
	char buf[EVENT_NAME_BYTES];
	const char *name = event_names__of(attr, buf);
	struct plan plan = { 0 };
	int err = 0;

	if (attr->layout.sample_type & PEAT_SAMPLE_RAW)
		err = plan__add(&plan, &bytes);
	if (err >= 0)
		err = plan__pack(&plan, has_peats_name(attr) ? name + strlen(NAMING_PREFIX) : name,
				 NULL, 0, fields__event_reserved, &type->byte_schema);
	plan__free(&plan);
	if (!err) {
		mark_peats(types, type->byte_schema, has_peats_name(attr));
		mark_sampled(type->byte_schema, attr);
	}
	type->schema = type->byte_schema;
	return err;
}

static int set_schema(struct replay_types *types, const struct perf_attr *attr,
		      struct replay_type *type)
{
	int err = 0;

	set_noted(types, attr, type);
	if (set_override(types, attr, type) || type->schema)
		return 0;
	if (attr->type == TYPE_TRACEPOINT)
		err = set_format_schema(types, attr, type);
	else if (is_bpf_output(attr))
		err = set_struct_schema(types, attr, type);
	if (!err && type->format && !type->payload)
		err = mark_minor(types, type->format->schema);
	return err || type->schema ? err : set_byte_schema(types, attr, type);
}

static struct replay_type *new_type(struct replay_types *types, const struct perf_attr *attr)
{
	struct replay_type *type = calloc(1, sizeof(*type));

	if (type && set_schema(types, attr, type)) {
		free_type(type);
		type = NULL;
	}
	return type;
}

/* In a pipe, events arrive one by one. */
static bool grow_types(struct replay_types *types, uint32_t count)
{
	struct replay_type **of;

	if (count <= types->count)
		return true;
	of = reallocarray(types->of, count, sizeof(struct replay_type *));
	if (!of)
		return false;
	types->of = of;
	while (types->count < count)
		of[types->count++] = NULL;
	return true;
}

const struct replay_type *replay_types__of(struct replay_types *types, const struct perf_attr *attr)
{
	if (!grow_types(types, attr->index + 1))
		return NULL;
	if (!types->of[attr->index])
		types->of[attr->index] = new_type(types, attr);
	return types->of[attr->index];
}
