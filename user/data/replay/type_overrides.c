// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/type_overrides.c: parses "[EVENT=]TYPE" and finds event and type. */
#include <errno.h>
#include <stdlib.h>
#include <bpf/btf.h>

#include "replay/type_overrides.h"
#include "base/escape.h"
#include "perf_data/event_names.h"
#include "field/fields.h"
#include "base/log.h"
#include "base/text.h"
#include "object/libbpf_log.h"
#include "tracing_data/naming.h"

#define NAMES_MAX     5
#define TYPE_SOFTWARE 1
#define CONFIG_DUMMY  9

/* ---- parsing --------------------------------------------------------------------------------- */

/* Splits at the last =: names of events may contain =, names of types cannot. */
static int parse_override(struct type_override *override, const char *spec)
{
	const char *equals = strrchr(spec, '='), *type = equals ? equals + 1 : spec;

	if (equals == spec || !*candidates__name_of(type)) {
		log__error("invalid type of events '%s': it must be [EVENT=]TYPE", spec);
		return -EINVAL;
	}
	override->spec = strdup(spec);
	if (!override->spec)
		return -ENOMEM;
	override->type = candidates__name_of(override->spec + (type - spec));
	if (!equals)
		return 0;
	override->event = strndup(spec, (size_t)(equals - spec));
	return override->event ? 0 : -ENOMEM;
}

static int parse_all(struct type_overrides *overrides, const char *const *specs)
{
	uint32_t count = 0;
	int err = 0;

	while (specs && specs[count])
		count++;
	overrides->at = calloc(count + !count, sizeof(*overrides->at));
	if (!overrides->at)
		return -ENOMEM;
	while (!err && overrides->count < count) {
		err = parse_override(&overrides->at[overrides->count], specs[overrides->count]);
		overrides->count++;
	}
	return err;
}

int type_overrides__init(struct type_overrides *overrides, const char *const *specs,
			 const char *path)
{
	int err;

	*overrides = (struct type_overrides){ 0 };
	libbpf_log__forward_all();
	err = parse_all(overrides, specs);
	if (!err && path) {
		overrides->path = strdup(path);
		err = overrides->path ? type_file__open(&overrides->file, path) : -ENOMEM;
	}
	return err;
}

void type_overrides__free(struct type_overrides *overrides)
{
	for (uint32_t i = 0; i < overrides->count; i++) {
		peat_schema__free(overrides->at[i].schema);
		free(overrides->at[i].spec);
		free(overrides->at[i].event);
	}
	free(overrides->at);
	free(overrides->path);
	type_file__close(&overrides->file);
	*overrides = (struct type_overrides){ 0 };
}

const struct type_override *type_overrides__of(const struct type_overrides *overrides,
					       uint32_t index)
{
	for (uint32_t i = 0; i < overrides->count; i++)
		if (overrides->at[i].schema && overrides->at[i].index == index)
			return &overrides->at[i];
	return NULL;
}

/* ---- names for messages ---------------------------------------------------------------------- */

/* Escapes the name: a recording may contain any bytes. */
static void add_name(struct strbuf *out, uint32_t count, const char *name)
{
	if (count >= NAMES_MAX)
		return;
	if (count)
		strbuf__text(out, ", ");
	escape__text(out, name, strlen(name), 0);
}

static const char *finish_names(struct strbuf *out, uint32_t count)
{
	if (!count)
		strbuf__text(out, "none");
	if (count > NAMES_MAX) {
		strbuf__text(out, " and ");
		strbuf__unsigned(out, count - NAMES_MAX);
		strbuf__text(out, " more");
	}
	strbuf__char(out, '\0');
	return out->failed ? "" : out->bytes;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* perf adds a dummy event for side-band records; it has no samples. */
static bool is_dummy(const struct perf_attr *attr)
{
	return attr->type == TYPE_SOFTWARE && attr->config == CONFIG_DUMMY;
}

static bool has_name(const struct perf_attr *attr, const char *system, const char *name)
{
	char buf[EVENT_NAME_BYTES];
	const char *own = event_names__of(attr, buf);

	return begins_with(own, system) && !strcmp(own + strlen(system), name);
}

/* Whether event `i` has this name; without a name: whether it can be overridden. */
static bool matches(const struct recorded_types *recorded, uint32_t i, const char *system,
		    const char *name)
{
	if (name)
		return has_name(recorded->attrs->at[i], system, name);
	return recorded->samples[i] == SAMPLE_DATA_PLAIN && !is_dummy(recorded->attrs->at[i]);
}

static uint32_t count_matches(const struct recorded_types *recorded, const char *system,
			      const char *name, uint32_t *index)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < recorded->attrs->count; i++)
		if (matches(recorded, i, system, name) && !count++)
			*index = i;
	return count;
}

static int report_no_event(const struct type_override *override,
			   const struct recorded_types *recorded)
{
	uint32_t count = recorded->attrs->count;
	struct strbuf out = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		char buf[EVENT_NAME_BYTES];

		add_name(&out, i, event_names__of(recorded->attrs->at[i], buf));
	}
	if (override->event)
		log__error("%s: no event '%s': the recording has %s", override->spec,
			   override->event, finish_names(&out, count));
	else
		log__error("%s: no event with samples of plain bytes: the recording has %s",
			   override->spec, finish_names(&out, count));
	strbuf__free(&out);
	return -ENOENT;
}

static int report_several_events(const struct type_override *override,
				 const struct recorded_types *recorded)
{
	struct strbuf out = { 0 };
	uint32_t count = 0;

	for (uint32_t i = 0; i < recorded->attrs->count; i++) {
		char buf[EVENT_NAME_BYTES];

		if (matches(recorded, i, "", NULL))
			add_name(&out, count++, event_names__of(recorded->attrs->at[i], buf));
	}
	if (override->event)
		log__error("%s: several events are called '%s': a type needs a unique name",
			   override->spec, override->event);
	else
		log__error("%s: several events have plain bytes: choose one, EVENT=%s: %s",
			   override->spec, override->type, finish_names(&out, count));
	strbuf__free(&out);
	return -EINVAL;
}

static int check_is_plain(const struct type_overrides *overrides,
			  const struct type_override *override,
			  const struct recorded_types *recorded)
{
	if (recorded->samples[override->index] == SAMPLE_DATA_PLAIN) {
		const struct type_override *other = type_overrides__of(overrides, override->index);

		if (!other)
			return 0;
		log__error("%s: the event already has the type of %s", override->spec, other->spec);
		return -EINVAL;
	}
	log__error("%s: %s", override->spec,
		   recorded->samples[override->index] == SAMPLE_DATA_FORMAT
			   ? "the recording already has the format of this event's samples"
			   : "samples of this event have no raw bytes");
	return -EINVAL;
}

static int find_event(const struct type_overrides *overrides, struct type_override *override,
		      const struct recorded_types *recorded)
{
	uint32_t count = count_matches(recorded, "", override->event, &override->index);
	char buf[EVENT_NAME_BYTES], *name;
	int err;

	if (!count && override->event)
		count = count_matches(recorded, NAMING_PREFIX, override->event, &override->index);
	if (count != 1)
		return count ? report_several_events(override, recorded)
			     : report_no_event(override, recorded);
	err = check_is_plain(overrides, override, recorded);
	if (err)
		return err;
	name = strdup(event_names__of(recorded->attrs->at[override->index], buf));
	if (!name)
		return -ENOMEM;
	free(override->event);
	override->event = name;
	return 0;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* Lists the types that the programs define themselves; unreadable BTF has none. */
static void list_program_types(const struct type_overrides *overrides,
			       const struct recorded_types *recorded, struct candidates *list)
{
	struct btf *kernel = btf__load_vmlinux_btf();
	struct kernel_types kernel_types = { 0 };

	candidates__read(list, overrides->file.btf, overrides->file.info);
	for (uint32_t i = 0; i < recorded->btf_count; i++)
		candidates__read(list, recorded->btfs[i], NULL);
	if (!kernel_types__read(&kernel_types, kernel))
		candidates__keep_own(list, &kernel_types);
	kernel_types__free(&kernel_types);
	btf__free(kernel);
}

static int report_no_type(const struct type_overrides *overrides,
			  const struct type_override *override,
			  const struct recorded_types *recorded)
{
	struct candidates list = { 0 };
	struct strbuf out = { 0 };

	list_program_types(overrides, recorded, &list);
	candidates__name(&list, &out);
	strbuf__char(&out, '\0');
	log__error("%s: no struct '%s' %s%s%s%s%s", override->spec, override->type,
		   overrides->path ? "in " : "", overrides->path ? overrides->path : "",
		   overrides->path ? " or in the recording" : "in the recording",
		   list.count && !out.failed ? ": the programs have " : ": the programs have none",
		   list.count && !out.failed ? out.bytes : "");
	candidates__free(&list);
	strbuf__free(&out);
	return -ENOENT;
}

/* Several programs may define a type of this name; --btf selects a program's types. */
static void warn_ambiguous(const struct type_override *override,
			   const struct recorded_types *recorded, uint32_t from, uint64_t bytes)
{
	struct candidates list = { 0 };

	for (uint32_t i = from; i < recorded->btf_count; i++)
		candidates__read_named(&list, recorded->btfs[i], NULL, override->type);
	for (size_t i = 0; i < list.count; i++) {
		if (list.at[i].bytes == bytes)
			continue;
		log__warn("%s: several programs of the recording have a struct '%s': using the "
			  "first, of %llu bytes",
			  override->spec, override->type, (unsigned long long)bytes);
		break;
	}
	candidates__free(&list);
}

/* Malformed BTF is skipped. */
static int find_recorded_type(struct type_override *override, const struct recorded_types *recorded)
{
	uint64_t bytes = 0;
	int err = 0;

	for (uint32_t i = 0; i < recorded->btf_count && !override->schema; i++) {
		err = type_file__find(recorded->btfs[i], NULL, override->type, &override->schema,
				      &bytes);
		if (err && err != -EBADMSG)
			return err;
		if (override->schema)
			warn_ambiguous(override, recorded, i + 1, bytes);
	}
	return 0;
}

/* Any sample may be longer than the type. */
static void adapt_schema(struct type_override *override)
{
	override->schema->name = override->event;
	if (begins_with(override->event, NAMING_PREFIX))
		override->schema->name += strlen(NAMING_PREFIX);
	override->schema->expects_appended = true;
}

static int find_type(const struct type_overrides *overrides, struct type_override *override,
		     const struct recorded_types *recorded)
{
	uint64_t bytes;
	int err = type_file__find(overrides->file.btf, overrides->file.info, override->type,
				  &override->schema, &bytes);

	if (err == -EBADMSG)
		log__error("cannot read types from %s: they are invalid", overrides->path);
	if (!err && !override->schema)
		err = find_recorded_type(override, recorded);
	if (!err && !override->schema)
		err = report_no_type(overrides, override, recorded);
	if (!err)
		adapt_schema(override);
	return err;
}

int type_overrides__resolve(struct type_overrides *overrides, const struct recorded_types *recorded)
{
	int err = 0;

	for (uint32_t i = 0; i < overrides->count && !err; i++) {
		if (overrides->at[i].schema)
			continue;
		err = find_event(overrides, &overrides->at[i], recorded);
		if (!err)
			err = find_type(overrides, &overrides->at[i], recorded);
	}
	if (err == -ENOMEM)
		log__error("no memory for the types of events");
	return err;
}
