// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tally.c: how much of what there is in a recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_data/event_names.h"
#include "perf_data/describe/counts.h"
#include "perf_data/tool_record.h"

void tally__init(struct tally *tally)
{
	*tally = (struct tally){ .first_ns = UINT64_MAX };
}

void tally__free(struct tally *tally)
{
	free(tally->of_events);
	tally->of_events = NULL;
}

/* ---- counting -------------------------------------------------------------------------------- */

static int make_room(struct tally *tally, uint32_t event)
{
	uint32_t room = event + event / 2 + 16;
	uint64_t *grown;

	if (event < tally->events)
		return 0;
	grown = reallocarray(tally->of_events, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + tally->events, 0, (room - tally->events) * sizeof(*grown));
	tally->of_events = grown;
	tally->events = room;
	return 0;
}

static int add_sample(struct tally *tally, const struct perf_attr *attr)
{
	int err = attr ? make_room(tally, attr->index) : 0;

	if (!err && attr)
		tally->of_events[attr->index]++;
	else if (!err)
		tally->of_nobody++;
	return err;
}

static void add_time(struct tally *tally, uint64_t time_ns)
{
	if (time_ns < tally->first_ns)
		tally->first_ns = time_ns;
	if (time_ns > tally->last_ns)
		tally->last_ns = time_ns;
}

static void look_into(struct tally *tally, const struct perf_entry *entry)
{
	struct peat_record record;

	if (!entry->layout)
		return;
	if (peat_record__decode(entry->layout, entry->bytes, entry->size, &record) != 1)
		tally->undecodable++;
	else if (record.type == PEAT_RECORD_LOST)
		tally->lost += record.lost.lost;
	else if (record.type == PEAT_RECORD_LOST_SAMPLES)
		tally->lost_samples += record.lost_samples.lost;
	else if (record.type == PEAT_RECORD_SAMPLE && record.has & PEAT_SAMPLE_TIME)
		add_time(tally, record.time_ns);
}

static const char *name_of(uint32_t type)
{
	const char *name = peat_record__name(type);

	return name ? name : tool_record__name(type);
}

int tally__add(struct tally *tally, const struct perf_entry *entry)
{
	if (entry->type < TALLY_TYPES && name_of(entry->type))
		tally->of_types[entry->type]++;
	else
		tally->unknown++;
	look_into(tally, entry);
	return entry->type == PEAT_RECORD_SAMPLE ? add_sample(tally, entry->attr) : 0;
}

/* ---- telling --------------------------------------------------------------------------------- */

void tally__tell_count(struct emit *emit, const char *name, uint64_t count)
{
	const struct emit_value line[] = {
		{ .kind = EMIT_UNSIGNED, .number = count, .width = 14 },
		{ .kind = EMIT_TEXT, .bytes = name, .count = strlen(name) },
	};

	emit__unsigned(emit, name, count);
	emit__fill_in(emit, "$0  $1\n", line);
}

/* Several events may bear one name, and are one row then, as with perf. */
struct row {
	char *name;
	uint32_t first; /* event of that name */
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

/* Of the events that have samples. */
static int make_rows(const struct tally *tally, const struct perf_attrs *attrs, struct row *rows,
		     uint32_t *count)
{
	char room[EVENT_NAME_BYTES];

	for (uint32_t i = 0; i < attrs->count && i < tally->events; i++) {
		struct row *row = &rows[*count];

		if (!tally->of_events[i])
			continue;
		*row = (struct row){ strdup(event_names__of(attrs->at[i], room)), i,
				     tally->of_events[i] };
		if (!row->name)
			return -ENOMEM;
		++*count;
	}
	*count = join_names(rows, *count);
	return 0;
}

static int tell_samples(const struct tally *tally, const struct perf_attrs *attrs,
			struct emit *emit)
{
	struct row *rows = calloc((size_t)attrs->count + 1, sizeof(*rows));
	uint32_t count = 0;
	int err = rows ? make_rows(tally, attrs, rows, &count) : -ENOMEM;

	emit__say(emit, "samples\n");
	emit__begin(emit, "samples", false);
	for (uint32_t i = 0; i < count; i++) {
		if (!err)
			tally__tell_count(emit, rows[i].name, rows[i].samples);
		free(rows[i].name);
	}
	emit__end(emit, false);
	free(rows);
	if (tally->of_nobody)
		tally__tell_count(emit, "samples_of_nobody", tally->of_nobody);
	return err;
}

static void tell_records(const struct tally *tally, struct emit *emit)
{
	emit__say(emit, "records\n");
	emit__begin(emit, "records", false);
	for (uint32_t type = 0; type < TALLY_TYPES; type++)
		if (tally->of_types[type])
			tally__tell_count(emit, name_of(type), tally->of_types[type]);
	emit__end(emit, false);
	if (tally->unknown)
		tally__tell_count(emit, "unknown", tally->unknown);
	if (tally->undecodable)
		tally__tell_count(emit, "undecodable", tally->undecodable);
}

static void tell_span(const struct tally *tally, struct emit *emit)
{
	const struct emit_value span[] = {
		{ .kind = EMIT_SECONDS, .number = tally->first_ns, .count = 9 },
		{ .kind = EMIT_SECONDS, .number = tally->last_ns, .count = 9 },
		{ .kind = EMIT_SECONDS, .number = tally->last_ns - tally->first_ns, .count = 9 },
	};

	if (tally->first_ns > tally->last_ns)
		return;
	emit__unsigned(emit, "first_ns", tally->first_ns);
	emit__unsigned(emit, "last_ns", tally->last_ns);
	emit__fill_in(emit, "time\n  from $0 to $1 s: $2 s\n", span);
}

int tally__tell(const struct tally *tally, const struct perf_attrs *attrs, struct emit *emit)
{
	int err;

	tell_records(tally, emit);
	err = tell_samples(tally, attrs, emit);
	emit__say(emit, "lost\n");
	tally__tell_count(emit, "lost", tally->lost);
	tally__tell_count(emit, "lost_samples", tally->lost_samples);
	tell_span(tally, emit);
	return err;
}
