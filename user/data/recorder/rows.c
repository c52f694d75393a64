// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/rows.c: the events of a row become samples, without a call for each. */
#include "event/source.h"
#include "recorder/perf_sink.h"

/* Samples of one row that are not counted yet. */
struct row_counts {
	int64_t events;
	int64_t counted; /* before these */
	uint64_t oldest_ns, newest_ns;
};

/* The recording has the name that lookup number `lookups` of the reader found, from since_ns on. */
struct row_name {
	uint32_t lookups;
	uint64_t since_ns;
};

static inline bool has_task_name(const struct peat_reader *reader, const struct row_name *name)
{
	return !reader->named.is_used ||
	       (name->lookups == reader->named.lookups && reader->event.time_ns >= name->since_ns);
}

static void remember_name(const struct perf_sink *sink, struct row_name *name)
{
	name->lookups = sink->reader->named.lookups;
	name->since_ns = named_threads__since(&sink->names, sink->reader->event.tid);
}

/* Also handles a full queue. */
static int put_unnamed(struct perf_sink *sink, struct row_name *name)
{
	int err = perf_sink__put_event(sink, &sink->reader->event);

	remember_name(sink, name);
	return err;
}

/* Frames were written on another CPU: fetches what the next events need. */
static inline void prefetch(const struct peat_reader *reader)
{
	__builtin_prefetch(reader->frame.at + 512);
}

/* The block has room. */
static inline void put_like(struct perf_sink *sink, const struct sample_row *row,
			    struct row_counts *counts)
{
	const struct peat_event *event = &sink->reader->event;
	struct strbuf *out = &sink->block->bytes;

	prefetch(sink->reader);
	sample_row__put(row, event, out->bytes + out->count);
	out->count += row->bytes;
	if (event->time_ns > counts->newest_ns)
		counts->newest_ns = event->time_ns;
	if (event->time_ns < counts->oldest_ns)
		counts->oldest_ns = event->time_ns;
	counts->events++;
}

static void count_row(struct perf_sink *sink, const struct sample_row *row,
		      struct row_counts *counts)
{
	if (!counts->events)
		return;
	sink->stats.events += (uint64_t)counts->events;
	sink->stats.raw_bytes += (uint64_t)counts->events * row->bytes;
	rounds__add(&sink->rounds, counts->newest_ns);
	perf_sink__note_sample_time(sink, counts->oldest_ns);
	perf_sink__note_sample_time(sink, counts->newest_ns);
	*counts = (struct row_counts){ .counted = counts->counted + counts->events,
				       .oldest_ns = UINT64_MAX };
}

/* The samples of a block are counted before it is queued. */
static bool has_room(struct perf_sink *sink, const struct sample_row *row,
		     struct row_counts *counts)
{
	if (!perf_sink__has_block(sink))
		count_row(sink, row, counts);
	return perf_sink__ensure_block(sink) > 0 &&
	       strbuf__room(&sink->block->bytes, row->bytes + sizeof(uint64_t));
}

/*
 * The result of a row whose last event failed with `err`.  After a write error, which the next call
 * returns again, that event counts like those that are queued: it is in no file.
 */
static int64_t row_result(struct perf_sink *sink, int err, int64_t written)
{
	if (!err)
		return written;
	if (!sink->err)
		return err;
	sink->stats.events++;
	return written + 1;
}

/* Events whose samples have equal sizes. */
static int64_t put_equal(struct perf_sink *sink, const struct sample_row *row, int64_t most)
{
	struct row_counts counts = { .oldest_ns = UINT64_MAX };
	struct row_name name;
	int64_t others = 0;
	int err = 0;

	remember_name(sink, &name);
	while (!err && counts.counted + counts.events + others < most &&
	       has_room(sink, row, &counts) && source__step(sink->reader)) {
		if (has_task_name(sink->reader, &name)) {
			put_like(sink, row, &counts);
		} else {
			count_row(sink, row, &counts);
			err = put_unnamed(sink, &name);
			others += !err;
		}
	}
	count_row(sink, row, &counts);
	return row_result(sink, err, counts.counted + others);
}

static int64_t put_each(struct perf_sink *sink, int64_t most)
{
	int64_t count = 0;
	int err = 0;

	for (; !err && count < most && source__step(sink->reader); count += !err)
		err = perf_sink__put_event(sink, &sink->reader->event);
	return row_result(sink, err, count);
}

/* An expression or a table of the reader decides about each event: those do not form a row. */
static bool has_row(const struct perf_sink *sink)
{
	const struct peat_reader *reader = sink->reader;

	return reader->frame.taken != reader->frame.count && reader->row.step != SIZE_MAX &&
	       reader->event.kind == PEAT_EVENT_DATA && !reader->selection.where &&
	       !reader->selection.table && !reader->selection.pids.of_data && !sink->unrecorded;
}

int64_t perf_sink__put_row(struct perf_sink *sink, int64_t most)
{
	const struct event_format *format;
	struct sample_row row;

	if (most <= 0 || !has_row(sink))
		return 0;
	format = perf_sink__format(sink, sink->reader->event.type);
	if (!format)
		return put_each(sink, most);
	sample_row__begin(&row, &format->plan, &sink->reader->event);
	return row.bytes ? put_equal(sink, &row, most) : put_each(sink, most);
}
