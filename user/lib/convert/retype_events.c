// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* retyped.c: ids, names and formats for events that had none, and their samples by those. */
#include <stdio.h>
#include <stdlib.h>

#include "perf_data/event_names.h"
#include "base/internal.h"
#include "convert/placeholder_formats.h"
#include "tracepoint/naming.h"
#include "convert/retype_sample.h"
#include "convert/retype_events.h"
#include "tracepoint/format_parse.h"
#include "tracepoint/tracing_data_write.h"

#define TYPE_TRACEPOINT 2
#define PAGE_BYTES	4096
#define IDS		(RECORD_FORMAT_ID_MAX + 1)

struct retyped_event {
	uint32_t index; /* of the attr */
	uint32_t id;
	char name[OUR_FORMATS_NAME_ROOM]; /* "peat:evt" */
	struct record_format format;
};

void retyped__free(struct retyped *retyped)
{
	for (uint32_t i = 0; i < retyped->count; i++)
		record_format__free(&retyped->at[i].format);
	free(retyped->at);
	free(retyped->sample);
	out__free(&retyped->formats);
	*retyped = (struct retyped){ 0 };
}

static struct retyped_event *find(const struct retyped *retyped, uint32_t index)
{
	for (uint32_t i = 0; i < retyped->count; i++)
		if (retyped->at[i].index == index)
			return &retyped->at[i];
	return NULL;
}

/* ---- ids ------------------------------------------------------------------------------------- */

static void take_id(bool *taken, uint64_t id)
{
	if (id < IDS)
		taken[id] = true;
}

/* Those of tracepoints that are sampled, and of all that have a format. */
static void take_ids(const struct retyped_of *of, bool *taken)
{
	struct tracing_format format;
	struct tracing_data data;
	uint32_t id;

	for (uint32_t i = 0; i < of->attrs->count; i++)
		if (of->attrs->at[i]->type == TYPE_TRACEPOINT)
			take_id(taken, of->attrs->at[i]->config);
	if (!of->tracing_data || tracing_data__begin(&data, of->tracing_data, of->tracing_bytes))
		return;
	while (tracing_data__next(&data, &format) > 0)
		if (trace_format__id(format.text.at, format.text.bytes, &id))
			take_id(taken, id);
}

static int give_ids(struct retyped *retyped, const struct retyped_of *of)
{
	bool *taken = calloc(IDS, sizeof(*taken));
	uint32_t id = RECORD_FORMAT_ID_MIN;

	if (!taken)
		return -ENOMEM;
	take_ids(of, taken);
	for (uint32_t i = 0; i < retyped->count; i++, id++) {
		while (id < IDS && taken[id])
			id++;
		retyped->at[i].id = id;
	}
	free(taken);
	return id <= IDS ? 0 : -E2BIG;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_taken(const struct retyped *retyped, const struct perf_attrs *attrs, uint32_t index,
		     const char *name)
{
	char room[EVENT_NAME_BYTES];

	for (uint32_t i = 0; i < retyped->count; i++)
		if (!strcmp(retyped->at[i].name, name))
			return true;
	for (uint32_t i = 0; i < attrs->count; i++)
		if (i != index && !strcmp(event_names__of(attrs->at[i], room), name))
			return true;
	return false;
}

/* "peat:evt"; where something is called so, "peat:evt_2". */
static void give_name(const struct retyped *retyped, const struct perf_attrs *attrs,
		      struct retyped_event *event, const char *own)
{
	static const char system[] = OUR_FORMATS_SYSTEM ":";
	char name[OUR_FORMATS_NAME_ROOM], full[OUR_FORMATS_NAME_ROOM];
	size_t bytes;

	our_formats__name(begins_with(own, system) ? own + strlen(system) : own, name);
	bytes = strlen(name);
	strcpy(full, name);
	for (uint32_t i = 2; is_taken(retyped, attrs, event->index, full); i++)
		snprintf(full + bytes, sizeof(full) - bytes, "_%u", i);
	strcpy(event->name, full);
}

/* ---- formats --------------------------------------------------------------------------------- */

static int add_events(struct retyped *retyped, const struct retyped_of *of)
{
	for (uint32_t i = 0; i < of->as->count; i++) {
		struct retyped_event event = { .index = of->as->at[i].index };

		give_name(retyped, of->attrs, &event, of->as->at[i].event);
		retyped->at[retyped->count++] = event;
	}
	return give_ids(retyped, of);
}

static int make_formats(struct retyped *retyped, const struct retyped_of *of)
{
	int err = 0;

	for (uint32_t i = 0; i < retyped->count && !err; i++) {
		struct retyped_event *event = &retyped->at[i];

		err = record_format__make(&event->format, of->as->at[i].schema,
					  strchr(event->name, ':') + 1, event->id);
		if (!err)
			our_formats__tell(&event->format, event->name);
	}
	return err;
}

static void list_formats(const struct retyped *retyped, struct tracing_format *formats)
{
	for (uint32_t i = 0; i < retyped->count; i++)
		formats[i] = (struct tracing_format){
			.system = OUR_FORMATS_SYSTEM,
			.text = { retyped->at[i].format.text, retyped->at[i].format.text_bytes },
		};
}

/* Of what is damaged the formats that are whole, and ours behind them. */
static int rescue(struct retyped *retyped, const struct retyped_of *of,
		  const struct tracing_format *ours)
{
	struct tracing_format format, *all = NULL, *grown;
	struct tracing_data data;
	uint32_t count = 0;
	int err = tracing_data__begin(&data, of->tracing_data, of->tracing_bytes);

	while (!err && tracing_data__next(&data, &format) > 0) {
		if (!strcmp(format.system, "ftrace"))
			continue;
		grown = reallocarray(all, count + 1, sizeof(*all));
		err = grown ? 0 : -ENOMEM;
		all = grown ? grown : all;
		if (grown)
			all[count++] = format;
	}
	grown = reallocarray(all, count + retyped->count, sizeof(*all));
	if (!grown || err == -ENOMEM) {
		free(grown ? grown : all);
		return -ENOMEM;
	}
	memcpy(grown + count, ours, retyped->count * sizeof(*ours));
	tracing_write__append(&retyped->formats, grown, count + retyped->count, PAGE_BYTES);
	free(grown);
	log__warn("%s: formats of its tracepoints are damaged: %u are whole", of->path, count);
	return 0;
}

static bool is_swapped(const struct retyped_of *of)
{
	struct tracing_data data;

	tracing_data__begin(&data, of->tracing_data, of->tracing_bytes);
	return data.swapped;
}

static int add_to_formats(struct retyped *retyped, const struct retyped_of *of,
			  const struct tracing_format *ours)
{
	int err;

	if (is_swapped(of)) {
		log__error("%s: no event can be of a type: the formats of its tracepoints are of "
			   "the other byte order",
			   of->path);
		return -ENOTSUP;
	}
	err = tracing_write__append_more(&retyped->formats, of->tracing_data, of->tracing_bytes,
					 ours, retyped->count);
	return err == -EBADMSG ? rescue(retyped, of, ours) : err;
}

/* Those of others that are tracepoints, and have lost theirs, get one that says nothing. */
static int replace_formats(struct retyped *retyped, const struct retyped_of *of,
			   const struct tracing_format *ours)
{
	struct perf_attrs others = { .at = calloc(of->attrs->count, sizeof(*others.at)) };
	struct out lost = { 0 };
	int err = 0;

	if (!others.at)
		return -ENOMEM;
	for (uint32_t i = 0; i < of->attrs->count; i++)
		if (!find(retyped, i))
			others.at[others.count++] = of->attrs->at[i];
	retyped->lost_formats = lost_formats__append(&lost, &others);
	if (lost.failed)
		err = -ENOMEM;
	else if (retyped->lost_formats)
		err = tracing_write__append_more(&retyped->formats, lost.bytes, lost.count, ours,
						 retyped->count);
	else
		tracing_write__append(&retyped->formats, ours, retyped->count, PAGE_BYTES);
	out__free(&lost);
	free(others.at);
	return err;
}

static int make(struct retyped *retyped, const struct retyped_of *of)
{
	struct tracing_format *ours = calloc(of->as->count, sizeof(*ours));
	int err = -ENOMEM;

	retyped->at = calloc(of->as->count, sizeof(*retyped->at));
	retyped->sample = malloc(RETYPE_ROOM);
	if (ours && retyped->at && retyped->sample)
		err = add_events(retyped, of);
	if (!err)
		err = make_formats(retyped, of);
	if (!err) {
		list_formats(retyped, ours);
		err = of->tracing_data ? add_to_formats(retyped, of, ours)
				       : replace_formats(retyped, of, ours);
	}
	free(ours);
	return err ? err : retyped->formats.failed ? -ENOMEM : 0;
}

int retyped__make(struct retyped *retyped, const struct retyped_of *of)
{
	int err = of->as->count ? make(retyped, of) : 0;

	if (err && err != -ENOTSUP)
		log__error("%s: its events cannot be of a type: %s", of->path, strerror(-err));
	return err;
}

/* ---- events and records ---------------------------------------------------------------------- */

void retyped__attr(const struct retyped *retyped, struct perf_attr *attr)
{
	struct retyped_event *event = find(retyped, attr->index);

	if (!event)
		return;
	attr->type = TYPE_TRACEPOINT;
	attr->config = event->id;
	attr->name = event->name;
}

static bool convert(struct retyped *retyped, const struct retyped_event *event,
		    struct perf_entry *entry)
{
	int size = retype__sample(&event->format, &entry->attr->layout, entry->bytes, entry->size,
				  retyped->sample);

	if (size < 0) {
		*(size == -ENOSPC ? &retyped->left_out : &retyped->bad) += 1;
		return false;
	}
	retyped->cut += size & RETYPE_CUT ? 1 : 0;
	retyped->too_short += size & RETYPE_SHORT ? 1 : 0;
	entry->bytes = retyped->sample;
	entry->size = (uint16_t)(size & RETYPE_BYTES);
	return true;
}

bool retyped__record(struct retyped *retyped, struct perf_entry *entry)
{
	const struct retyped_event *event;

	if (!retyped->count || entry->type != PEAT_RECORD_SAMPLE || !entry->attr)
		return true;
	event = find(retyped, entry->attr->index);
	return !event || convert(retyped, event, entry);
}

void retyped__tell(const struct retyped *retyped, const char *path)
{
	if (retyped->cut)
		log__warn("%s: %llu samples had more than fits into a record: what is last in "
			  "them is cut",
			  path, (unsigned long long)retyped->cut);
	if (retyped->too_short)
		log__warn("%s: %llu samples are shorter than their type: what they lack is 0", path,
			  (unsigned long long)retyped->too_short);
	if (retyped->left_out)
		log__warn("%s: left out: %llu samples that would be larger than a record", path,
			  (unsigned long long)retyped->left_out);
	if (retyped->bad)
		log__warn("%s: left out: %llu samples that make no sense", path,
			  (unsigned long long)retyped->bad);
}
