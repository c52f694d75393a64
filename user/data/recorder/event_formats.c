// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/event_formats.c: writes each type as a tracepoint event, which stock perf decodes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "perf_data/features.h"
#include "record/attr_encode.h"
#include "recorder/event_formats.h"
#include "recorder/samples.h"
#include "recorder/stack_sample.h"
#include "tracing_data/naming.h"
#include "tracing_data/tracing_data_write.h"

#define CONFIG_SW_DUMMY 9

void event_formats__free(struct event_formats *formats)
{
	for (uint32_t i = 0; i < formats->count; i++)
		if (formats->at[i].is_typed)
			payload__free(&formats->at[i].format);
	free(formats->at);
	*formats = (struct event_formats){ 0 };
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The event's name is the same as in its format. */
static int add_event_attr(struct event_formats *formats, struct perf_writer *writer,
			  struct perf_attr *attr, const char *name, uint64_t id)
{
	char full[NAMING_BYTES];

	naming__event(name, full);
	attr->name = full;
	attr->ids = &id;
	attr->ids_count = 1;
	if (!formats->side_id) {
		formats->side = attr->layout;
		formats->side_id = id;
	}
	return perf_writer__event(writer, attr);
}

static int init_format(struct event_format *format, const struct reader_type *type, uint32_t index)
{
	int err = payload__init(&format->format, type->schema, type->name, PAYLOAD_ID_MIN + index);

	format->is_typed = !err;
	format->format.is_exact = !err;
	if (!err)
		naming__warn(&format->format, type->name);
	return err;
}

static int add_sampled(struct event_formats *formats, struct perf_writer *writer,
		       struct event_format *at, const struct reader_type *type)
{
	at->sampled = type->sampled;
	at->layout = type->sampled->attr.layout;
	if (!formats->side_id) {
		formats->side = at->layout;
		formats->side_id = at->id;
	}
	return samples__add_event(writer, type, at->id);
}

static int add_type(struct event_formats *formats, struct perf_writer *writer,
		    const struct reader_type *type)
{
	uint32_t index = formats->count;
	struct event_format *at;
	struct perf_attr attr;
	int err = 0;

	if (!ARRAY_RESERVE_NEXT(formats->at, formats->count))
		return -ENOMEM;
	at = formats->at;
	if (index > PAYLOAD_ID_MAX - PAYLOAD_ID_MIN)
		return -E2BIG;
	at[index] = (struct event_format){ .type = type->type, .id = index + 1 };
	if (type->sampled) {
		formats->count++;
		return add_sampled(formats, writer, &at[index], type);
	}
	if (type->schema)
		err = init_format(&at[index], type, index);
	if (err)
		return err;
	formats->count++;
	attr = type->schema ? attr_encode__tracepoint((uint16_t)at[index].format.id)
			    : attr_encode__bpf_output();
	if (type->stacks)
		stack_sample__request(&attr, type->stacks, type->stack_memory);
	if (type->has_identity)
		attr.layout.sample_type |= PEAT_SAMPLE_CGROUP;
	at[index].layout = attr.layout;
	return add_event_attr(formats, writer, &attr, type->name, at[index].id);
}

static bool is_name_shared(const struct reader_type *types, uint32_t count, uint32_t i)
{
	for (uint32_t j = 0; j < count; j++)
		if (j != i && !strcmp(types[i].name, types[j].name))
			return true;
	return false;
}

int event_formats__add_types(struct event_formats *formats, struct perf_writer *writer,
			     const struct reader_type *types, uint32_t count)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < count; i++) {
		struct reader_type type = types[i];
		char name[NAMING_BYTES];

		if (type.map && type.schema && is_name_shared(types, count, i)) {
			snprintf(name, sizeof(name), "%s.%s", type.map, type.name);
			type.name = name;
		}
		err = add_type(formats, writer, &type);
	}
	return err;
}

/* perf needs an event even if the recording has no samples. */
static int add_dummy(struct event_formats *formats, struct perf_writer *writer)
{
	struct perf_attr attr = attr_encode__bpf_output();

	attr.config = CONFIG_SW_DUMMY;
	attr.layout.sample_type &= ~(uint64_t)(PEAT_SAMPLE_RAW | PEAT_SAMPLE_IP);
	return add_event_attr(formats, writer, &attr, "records", 1);
}

static int by_type(const void *a, const void *b)
{
	const struct event_format *one = a, *two = b;

	return (one->type > two->type) - (one->type < two->type);
}

/* ---- formats --------------------------------------------------------------------------------- */

/* Whether an event before it has the same tracepoint. */
static bool is_repeated(const struct event_formats *formats, uint32_t i)
{
	for (uint32_t j = 0; j < i; j++)
		if (formats->at[j].sampled && formats->at[j].sampled->format &&
		    formats->at[j].sampled->attr.config == formats->at[i].sampled->attr.config)
			return true;
	return false;
}

/* False: the event has no format. */
static bool find_text(const struct event_formats *formats, uint32_t i, struct tracing_format *text)
{
	const struct event_format *format = &formats->at[i];

	if (format->is_typed)
		*text = (struct tracing_format){
			.system = NAMING_SYSTEM,
			.text = { format->format.text, format->format.text_bytes },
		};
	else if (format->sampled && format->sampled->format && !is_repeated(formats, i))
		*text = (struct tracing_format){
			.system = format->sampled->system,
			.text = { format->sampled->format, format->sampled->format_bytes },
		};
	else
		return false;
	return true;
}

static int write_formats(const struct event_formats *formats, struct perf_writer *writer)
{
	struct tracing_format *texts = calloc(formats->count + 1, sizeof(*texts));
	struct strbuf out = { 0 };
	uint32_t count = 0;
	int err = -ENOMEM;

	for (uint32_t i = 0; texts && i < formats->count; i++)
		count += find_text(formats, i, &texts[count]);
	if (count) {
		tracing_data_write__append(&out, texts, count, (uint32_t)sysconf(_SC_PAGESIZE));
		err = perf_writer__feature_strbuf(writer, FEATURE_TRACING_DATA, &out);
	} else if (texts) {
		err = 0;
	}
	free(texts);
	return err;
}

/* The formats stay where they are from now on. */
static int make_plans(struct event_formats *formats)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < formats->count; i++) {
		struct event_format *at = &formats->at[i];

		if (at->sampled)
			continue;
		err = sample_plan__init(&at->plan, &at->layout, at->id,
					at->is_typed ? &at->format : NULL);
	}
	return err;
}

int event_formats__finish(struct event_formats *formats, struct perf_writer *writer)
{
	int err = formats->count ? 0 : add_dummy(formats, writer);

	if (!err)
		err = write_formats(formats, writer);
	if (formats->count)
		qsort(formats->at, formats->count, sizeof(*formats->at), by_type);
	return err ? err : make_plans(formats);
}

/* The caller frees *types, also after an error. */
static int list_types(struct peat_reader *reader, struct reader_type **types, uint32_t *count)
{
	struct reader_type type;

	for (*count = 0; reader__type(reader, *count, &type); ++*count) {
		if (!ARRAY_RESERVE_NEXT(*types, *count))
			return -ENOMEM;
		(*types)[*count] = type;
	}
	return 0;
}

int event_formats__add(struct event_formats *formats, struct peat_reader *reader,
		       struct perf_writer *writer)
{
	struct reader_type *types = NULL;
	uint32_t count;
	int err = list_types(reader, &types, &count);

	if (!err)
		err = event_formats__add_types(formats, writer, types, count);
	if (!err)
		err = event_formats__finish(formats, writer);
	free(types);
	if (err)
		log__error("cannot describe the events of a recording: %s", strerror(-err));
	return err;
}

const struct event_format *event_formats__find(const struct event_formats *formats, uint32_t type)
{
	struct event_format key = { .type = type };

	return formats->count ? bsearch(&key, formats->at, formats->count, sizeof(key), by_type)
			      : NULL;
}
