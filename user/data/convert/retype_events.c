// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/retype_events.c: gives events of plain bytes tracepoint ids, names and formats. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "convert/placeholder_formats.h"
#include "convert/retype_events.h"
#include "convert/retype_sample.h"
#include "perf_data/event_names.h"
#include "tracepoint/format_parse.h"
#include "tracing_data/naming.h"
#include "tracing_data/tracing_data_write.h"

#define TYPE_TRACEPOINT 2
#define PAGE_BYTES	4096
#define IDS		(PAYLOAD_ID_MAX + 1)

struct retype_event {
	uint32_t index; /* index of the attr */
	uint32_t id;
	char name[NAMING_BYTES]; /* "peat:evt" */
	struct payload_format format;
};

void retype_events__free(struct retype_events *retype)
{
	for (uint32_t i = 0; i < retype->count; i++)
		payload__free(&retype->at[i].format);
	free(retype->at);
	free(retype->sample);
	strbuf__free(&retype->formats);
	*retype = (struct retype_events){ 0 };
}

static struct retype_event *find_retype_event(const struct retype_events *retype, uint32_t index)
{
	for (uint32_t i = 0; i < retype->count; i++)
		if (retype->at[i].index == index)
			return &retype->at[i];
	return NULL;
}

/* ---- ids ------------------------------------------------------------------------------------- */

static void mark_id(bool *used, uint64_t id)
{
	if (id < IDS)
		used[id] = true;
}

/* Marks the ids of the tracepoints among the events, and of all formats. */
static void mark_used_ids(const struct retype_source *source, bool *used)
{
	struct tracing_format format;
	struct tracing_data data;
	uint32_t id;

	for (uint32_t i = 0; i < source->attrs->count; i++)
		if (source->attrs->at[i]->type == TYPE_TRACEPOINT)
			mark_id(used, source->attrs->at[i]->config);
	if (!source->tracing_data ||
	    tracing_data__begin(&data, source->tracing_data, source->tracing_bytes))
		return;
	while (tracing_data__next(&data, &format) > 0)
		if (format_parse__id(format.text.at, format.text.bytes, &id))
			mark_id(used, id);
}

static int assign_ids(struct retype_events *retype, const struct retype_source *source)
{
	bool *used = calloc(IDS, sizeof(*used));
	uint32_t id = PAYLOAD_ID_MIN;

	if (!used)
		return -ENOMEM;
	mark_used_ids(source, used);
	for (uint32_t i = 0; i < retype->count; i++, id++) {
		while (id < IDS && used[id])
			id++;
		retype->at[i].id = id;
	}
	free(used);
	return id <= IDS ? 0 : -E2BIG;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_used_name(const struct retype_events *retype, const struct perf_attrs *attrs,
			 uint32_t index, const char *name)
{
	char room[EVENT_NAME_BYTES];

	for (uint32_t i = 0; i < retype->count; i++)
		if (!strcmp(retype->at[i].name, name))
			return true;
	for (uint32_t i = 0; i < attrs->count; i++)
		if (i != index && !strcmp(event_names__of(attrs->at[i], room), name))
			return true;
	return false;
}

/* "peat:evt"; "peat:evt_2" if that name is used. */
static void assign_name(const struct retype_events *retype, const struct perf_attrs *attrs,
			struct retype_event *event, const char *own)
{
	char name[NAMING_BYTES], full[NAMING_BYTES];
	size_t bytes;

	naming__event(begins_with(own, NAMING_PREFIX) ? own + strlen(NAMING_PREFIX) : own, name);
	bytes = strlen(name);
	strcpy(full, name);
	for (uint32_t i = 2; is_used_name(retype, attrs, event->index, full); i++)
		snprintf(full + bytes, sizeof(full) - bytes, "_%u", i);
	strcpy(event->name, full);
}

/* ---- formats --------------------------------------------------------------------------------- */

static int add_retype_events(struct retype_events *retype, const struct retype_source *source)
{
	for (uint32_t i = 0; i < source->overrides->count; i++) {
		struct retype_event event = { .index = source->overrides->at[i].index };

		assign_name(retype, source->attrs, &event, source->overrides->at[i].event);
		retype->at[retype->count++] = event;
	}
	return assign_ids(retype, source);
}

static int init_formats(struct retype_events *retype, const struct retype_source *source)
{
	int err = 0;

	for (uint32_t i = 0; i < retype->count && !err; i++) {
		struct retype_event *event = &retype->at[i];

		err = payload__init(&event->format, source->overrides->at[i].schema,
				    strchr(event->name, ':') + 1, event->id);
		if (!err)
			naming__warn(&event->format, event->name);
	}
	return err;
}

static void list_new_formats(const struct retype_events *retype, struct tracing_format *formats)
{
	for (uint32_t i = 0; i < retype->count; i++)
		formats[i] = (struct tracing_format){
			.system = NAMING_SYSTEM,
			.text = { retype->at[i].format.text, retype->at[i].format.text_bytes },
		};
}

/* Writes the formats that are whole before the damage, then the new ones. */
static int keep_whole_formats(struct retype_events *retype, const struct retype_source *source,
			      const struct tracing_format *new_formats)
{
	struct tracing_format format, *all = NULL, *grown;
	struct tracing_data data;
	uint32_t count = 0;
	int err = tracing_data__begin(&data, source->tracing_data, source->tracing_bytes);

	while (!err && tracing_data__next(&data, &format) > 0) {
		if (!strcmp(format.system, "ftrace"))
			continue;
		if (ARRAY_RESERVE_NEXT(all, count))
			all[count++] = format;
		else
			err = -ENOMEM;
	}
	grown = reallocarray(all, count + retype->count, sizeof(*all));
	if (!grown || err == -ENOMEM) {
		free(grown ? grown : all);
		return -ENOMEM;
	}
	memcpy(grown + count, new_formats, retype->count * sizeof(*new_formats));
	tracing_data_write__append(&retype->formats, grown, count + retype->count, PAGE_BYTES);
	free(grown);
	log__warn("%s: formats of its tracepoints are damaged: kept the first %u", source->path,
		  count);
	return 0;
}

static bool is_swapped(const struct retype_source *source)
{
	struct tracing_data data;

	tracing_data__begin(&data, source->tracing_data, source->tracing_bytes);
	return data.swapped;
}

static int append_to_formats(struct retype_events *retype, const struct retype_source *source,
			     const struct tracing_format *new_formats)
{
	int err;

	if (is_swapped(source)) {
		log__error("%s: cannot give its events a type: the formats of its tracepoints are "
			   "of the other byte order",
			   source->path);
		return -ENOTSUP;
	}
	err = tracing_data_write__append_more(&retype->formats, source->tracing_data,
					      source->tracing_bytes, new_formats, retype->count);
	return err == -EBADMSG ? keep_whole_formats(retype, source, new_formats) : err;
}

/* Adds placeholders for the tracepoints of the recording, whose formats are lost. */
static int replace_lost_formats(struct retype_events *retype, const struct retype_source *source,
				const struct tracing_format *new_formats)
{
	struct perf_attrs others = { .at = calloc(source->attrs->count, sizeof(*others.at)) };
	struct strbuf lost = { 0 };
	int err = 0;

	if (!others.at)
		return -ENOMEM;
	for (uint32_t i = 0; i < source->attrs->count; i++)
		if (!find_retype_event(retype, i))
			others.at[others.count++] = source->attrs->at[i];
	retype->placeholder_formats = placeholder_formats__append(&lost, &others);
	if (lost.failed)
		err = -ENOMEM;
	else if (retype->placeholder_formats)
		err = tracing_data_write__append_more(&retype->formats, lost.bytes, lost.count,
						      new_formats, retype->count);
	else
		tracing_data_write__append(&retype->formats, new_formats, retype->count,
					   PAGE_BYTES);
	strbuf__free(&lost);
	free(others.at);
	return err;
}

static int init_retype(struct retype_events *retype, const struct retype_source *source)
{
	struct tracing_format *new_formats = calloc(source->overrides->count, sizeof(*new_formats));
	int err = -ENOMEM;

	retype->at = calloc(source->overrides->count, sizeof(*retype->at));
	retype->sample = malloc(RETYPE_ROOM);
	if (new_formats && retype->at && retype->sample)
		err = add_retype_events(retype, source);
	if (!err)
		err = init_formats(retype, source);
	if (!err) {
		list_new_formats(retype, new_formats);
		err = source->tracing_data ? append_to_formats(retype, source, new_formats)
					   : replace_lost_formats(retype, source, new_formats);
	}
	free(new_formats);
	return err ? err : retype->formats.failed ? -ENOMEM : 0;
}

int retype_events__init(struct retype_events *retype, const struct retype_source *source)
{
	int err = source->overrides->count ? init_retype(retype, source) : 0;

	if (err && err != -ENOTSUP)
		log__error("%s: cannot give its events a type: %s", source->path, strerror(-err));
	return err;
}

/* ---- events and records ---------------------------------------------------------------------- */

void retype_events__attr(const struct retype_events *retype, struct perf_attr *attr)
{
	struct retype_event *event = find_retype_event(retype, attr->index);

	if (!event)
		return;
	attr->type = TYPE_TRACEPOINT;
	attr->config = event->id;
	attr->name = event->name;
}

static bool convert_sample(struct retype_events *retype, const struct retype_event *event,
			   struct perf_entry *entry)
{
	int size = retype_sample__convert(&event->format, &entry->attr->layout, entry->bytes,
					  entry->size, retype->sample);

	if (size < 0) {
		*(size == -ENOSPC ? &retype->left_out : &retype->bad) += 1;
		return false;
	}
	retype->cut += size & RETYPE_CUT ? 1 : 0;
	retype->too_short += size & RETYPE_SHORT ? 1 : 0;
	entry->bytes = retype->sample;
	entry->size = (uint16_t)(size & RETYPE_BYTES);
	return true;
}

bool retype_events__record(struct retype_events *retype, struct perf_entry *entry)
{
	const struct retype_event *event;

	if (!retype->count || entry->type != PEAT_RECORD_SAMPLE || !entry->attr)
		return true;
	event = find_retype_event(retype, entry->attr->index);
	return !event || convert_sample(retype, event, entry);
}

void retype_events__report(const struct retype_events *retype, const char *path)
{
	if (retype->cut)
		log__warn("%s: %llu samples do not fit into a record: their last fields are cut",
			  path, (unsigned long long)retype->cut);
	if (retype->too_short)
		log__warn("%s: %llu samples are shorter than their type: missing fields are 0",
			  path, (unsigned long long)retype->too_short);
	if (retype->left_out)
		log__warn("%s: samples left out: %llu would be larger than a record", path,
			  (unsigned long long)retype->left_out);
	if (retype->bad)
		log__warn("%s: samples left out: %llu are invalid", path,
			  (unsigned long long)retype->bad);
}
