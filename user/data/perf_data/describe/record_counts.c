// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/record_counts.c: counts the records and samples of a recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_data/describe/record_counts.h"
#include "perf_data/event_names.h"
#include "perf_data/tool_record.h"

void record_counts__init(struct record_counts *counts)
{
	*counts = (struct record_counts){ .first_ns = UINT64_MAX };
}

void record_counts__free(struct record_counts *counts)
{
	free(counts->of_events);
	counts->of_events = NULL;
}

/* ---- counting -------------------------------------------------------------------------------- */

static int make_event_room(struct record_counts *counts, uint32_t event)
{
	uint32_t room = event + event / 2 + 16;
	uint64_t *grown;

	if (event < counts->events)
		return 0;
	grown = reallocarray(counts->of_events, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + counts->events, 0, (room - counts->events) * sizeof(*grown));
	counts->of_events = grown;
	counts->events = room;
	return 0;
}

static int add_sample(struct record_counts *counts, const struct perf_attr *attr)
{
	int err = attr ? make_event_room(counts, attr->index) : 0;

	if (!err && attr)
		counts->of_events[attr->index]++;
	else if (!err)
		counts->of_no_event++;
	return err;
}

static void add_time(struct record_counts *counts, uint64_t time_ns)
{
	if (time_ns < counts->first_ns)
		counts->first_ns = time_ns;
	if (time_ns > counts->last_ns)
		counts->last_ns = time_ns;
}

static void count_contents(struct record_counts *counts, const struct perf_entry *entry)
{
	struct peat_record record;

	record.sz = sizeof(record);
	if (!entry->layout)
		return;
	if (peat_record__decode(entry->layout, entry->bytes, entry->size, &record) != 1)
		counts->undecodable++;
	else if (record.type == PEAT_RECORD_LOST)
		counts->lost += record.lost.lost;
	else if (record.type == PEAT_RECORD_LOST_SAMPLES)
		*(record.misc & PEAT_MISC_LOST_SAMPLES_BPF ? &counts->filtered
							   : &counts->lost_samples) +=
			record.lost_samples.lost;
	else if (record.type == PEAT_RECORD_SAMPLE && record.has & PEAT_SAMPLE_TIME)
		add_time(counts, record.time_ns);
}

static const char *record_type_name(uint32_t type)
{
	const char *name = peat_record__name(type);

	return name ? name : tool_record__name(type);
}

static void add_unknown(struct record_counts *counts, uint32_t type)
{
	struct unknown_type *unknown = counts->unknown_types;
	const struct unknown_type *end = unknown + counts->unknown_count;

	counts->unknown++;
	while (unknown < end && unknown->type != type)
		unknown++;
	if (unknown == counts->unknown_types + RECORD_COUNTS_UNKNOWN)
		return;
	if (unknown == end)
		counts->unknown_types[counts->unknown_count++] = (struct unknown_type){ type, 0 };
	unknown->records++;
}

int record_counts__add(struct record_counts *counts, const struct perf_entry *entry)
{
	if (entry->type < RECORD_COUNTS_TYPES && record_type_name(entry->type))
		counts->of_types[entry->type]++;
	else
		add_unknown(counts, entry->type);
	count_contents(counts, entry);
	return entry->type == PEAT_RECORD_SAMPLE ? add_sample(counts, entry->attr) : 0;
}

/* ---- output ---------------------------------------------------------------------------------- */

void record_counts__emit_count(struct emit *emit, const char *name, uint64_t count)
{
	const struct emit_value line[] = {
		{ .kind = EMIT_UNSIGNED, .number = count, .width = 14 },
		{ .kind = EMIT_TEXT, .bytes = name, .count = strlen(name) },
	};

	emit__unsigned(emit, name, count);
	emit__print_filled(emit, "$0  $1\n", line);
}

/* Events of the same name share a row, like in perf. */
struct row {
	char *name;
	uint32_t first; /* event of the name */
	uint64_t samples;
};

static int by_name(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : a->first < b->first ? -1 : a->first > b->first;
}

static int by_place(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	return a->first < b->first ? -1 : a->first > b->first;
}

static uint32_t join_names(struct row *rows, uint32_t count)
{
	uint32_t joined = 0;

	qsort(rows, count, sizeof(*rows), by_name);
	for (uint32_t i = 0; i < count; i++) {
		if (joined && !strcmp(rows[joined - 1].name, rows[i].name)) {
			rows[joined - 1].samples += rows[i].samples;
			free(rows[i].name);
		} else {
			rows[joined++] = rows[i];
		}
	}
	qsort(rows, joined, sizeof(*rows), by_place);
	return joined;
}

/* A row for each event with samples. */
static int make_rows(const struct record_counts *counts, const struct perf_attrs *attrs,
		     struct row *rows, uint32_t *count)
{
	char room[EVENT_NAME_BYTES];

	for (uint32_t i = 0; i < attrs->count && i < counts->events; i++) {
		struct row *row = &rows[*count];

		if (!counts->of_events[i])
			continue;
		*row = (struct row){ strdup(event_names__of(attrs->at[i], room)), i,
				     counts->of_events[i] };
		if (!row->name)
			return -ENOMEM;
		++*count;
	}
	*count = join_names(rows, *count);
	return 0;
}

static int emit_samples(const struct record_counts *counts, const struct perf_attrs *attrs,
			struct emit *emit)
{
	struct row *rows = calloc((size_t)attrs->count + 1, sizeof(*rows));
	uint32_t count = 0;
	int err = rows ? make_rows(counts, attrs, rows, &count) : -ENOMEM;

	emit__print(emit, "samples\n");
	emit__begin(emit, "samples", false);
	for (uint32_t i = 0; i < count; i++) {
		if (!err)
			record_counts__emit_count(emit, rows[i].name, rows[i].samples);
		free(rows[i].name);
	}
	emit__end(emit, false);
	free(rows);
	if (counts->of_no_event)
		record_counts__emit_count(emit, "samples_of_nobody", counts->of_no_event);
	return err;
}

/* By number. */
static void emit_unknown_types(const struct record_counts *counts, struct emit *emit)
{
	struct strbuf number = { 0 };

	for (uint32_t i = 0; i < counts->unknown_count; i++) {
		strbuf__cut(&number, 0);
		strbuf__unsigned(&number, counts->unknown_types[i].type);
		strbuf__char(&number, 0);
		if (!number.failed)
			record_counts__emit_count(emit, number.bytes,
						  counts->unknown_types[i].records);
	}
	strbuf__free(&number);
}

static void emit_records(const struct record_counts *counts, struct emit *emit)
{
	emit__print(emit, "records\n");
	emit__begin(emit, "records", false);
	for (uint32_t type = 0; type < RECORD_COUNTS_TYPES; type++)
		if (counts->of_types[type])
			record_counts__emit_count(emit, record_type_name(type),
						  counts->of_types[type]);
	emit_unknown_types(counts, emit);
	emit__end(emit, false);
	if (counts->unknown)
		record_counts__emit_count(emit, "unknown", counts->unknown);
	if (counts->undecodable)
		record_counts__emit_count(emit, "undecodable", counts->undecodable);
}

static void emit_span(const struct record_counts *counts, struct emit *emit)
{
	const struct emit_value span[] = {
		{ .kind = EMIT_SECONDS, .number = counts->first_ns, .count = 9 },
		{ .kind = EMIT_SECONDS, .number = counts->last_ns, .count = 9 },
		{ .kind = EMIT_SECONDS, .number = counts->last_ns - counts->first_ns, .count = 9 },
	};

	if (counts->first_ns > counts->last_ns)
		return;
	emit__unsigned(emit, "first_ns", counts->first_ns);
	emit__unsigned(emit, "last_ns", counts->last_ns);
	emit__print_filled(emit, "time\n  from $0 to $1 s: $2 s\n", span);
}

int record_counts__emit(const struct record_counts *counts, const struct perf_attrs *attrs,
			struct emit *emit)
{
	int err;

	emit_records(counts, emit);
	err = emit_samples(counts, attrs, emit);
	emit__print(emit, "lost\n");
	record_counts__emit_count(emit, "lost", counts->lost);
	record_counts__emit_count(emit, "lost_samples", counts->lost_samples);
	if (counts->filtered)
		record_counts__emit_count(emit, "filtered_samples", counts->filtered);
	emit_span(counts, emit);
	return err;
}
