// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/sink.c: the sink that writes a timeline for Perfetto. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include <peat/perfetto.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "event/recorded.h"
#include "field/fields.h"
#include "perfetto/arguments.h"
#include "perfetto/table_counters.h"
#include "perfetto/packets.h"
#include "perfetto/profile_samples.h"
#include "perfetto/switches.h"
#include "perfetto/tracks.h"
#include "print/destination.h"
#include "reader/types.h"

#define FLUSH_BYTES (64u << 10)

/* An event type. */
struct type {
	struct hash_link link;
	const struct peat_schema *schema;
	uint64_t id; /* of its name */
	struct switch_fields switches;
	struct profile_samples samples;
};

struct perfetto {
	struct peat_sink sink;
	struct peat_reader *reader; /* NULL: none */
	struct destination destination;
	int err;	/* nothing is written after it */
	bool has_begun; /* the first packets are written */
	int64_t wall_clock_ns;
	struct peat_symbols *symbols;
	struct hash types; /* by the address of the schema */
	struct type *last; /* of the event before */
	uint64_t next_id;  /* of names */
	struct tracks tracks;
	uint64_t lost_track; /* 0: none */
	struct switches switches;
	struct table_counters counters;
	struct peat_perfetto_stats stats;
	struct strbuf out;
};

/* ---- types ----------------------------------------------------------------------------------- */

static struct type *add_type(struct perfetto *perfetto, const struct peat_schema *schema)
{
	struct type *type = calloc(1, sizeof(*type));

	if (!type)
		return NULL;
	type->schema = schema;
	type->switches = switch_fields__find(schema);
	type->samples.sequence = PACKET_SEQUENCE + 1 + (uint32_t)perfetto->types.count;
	type->samples.name = schema->name;
	if (hash__add(&perfetto->types, &type->link, hash__number((uintptr_t)schema))) {
		free(type);
		return NULL;
	}
	type->id = perfetto->next_id;
	perfetto->next_id = arguments__intern(&perfetto->out, schema, type->id);
	return type;
}

/* NULL: no memory. */
static struct type *type_of(struct perfetto *perfetto, const struct peat_schema *schema)
{
	struct hash_link *link;

	if (perfetto->last && perfetto->last->schema == schema)
		return perfetto->last;
	link = hash__first(&perfetto->types, hash__number((uintptr_t)schema));
	perfetto->last = link ? HASH_ENTRY(link, struct type, link) : add_type(perfetto, schema);
	return perfetto->last;
}

/* ---- the beginning --------------------------------------------------------------------------- */

static void put_start(struct perfetto *perfetto, const struct peat_recorded *recorded)
{
	struct utsname host = { .machine = "" };

	uname(&host);
	packet__start(&perfetto->out, recorded ? recorded->release : host.release,
		      recorded ? recorded->arch : host.machine);
}

/* The header of a recording is known at the first event.  `recorded`: NULL: live. */
static void begin_trace(struct perfetto *perfetto, const struct peat_recorded *recorded,
			uint64_t time_ns)
{
	if (perfetto->has_begun)
		return;
	perfetto->has_begun = true;
	put_start(perfetto, recorded);
	if (perfetto->reader && peat_reader__wall_clock(perfetto->reader, &perfetto->wall_clock_ns))
		perfetto->wall_clock_ns = 0;
	packet__clocks(&perfetto->out, time_ns, perfetto->wall_clock_ns);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void put_instant(struct perfetto *perfetto, const struct peat_event *event,
			const struct type *type, uint64_t track)
{
	struct packet_event marks = packet_event__begin(&perfetto->out, PACKET_INSTANT,
							event->time_ns, track, type->id);

	arguments__append(&perfetto->out, event, type->id);
	packet_event__end(&perfetto->out, marks);
	perfetto->stats.instants++;
}

static void put_slice(struct perfetto *perfetto, const struct peat_event *event,
		      const struct type *type, uint64_t track, uint64_t begin_ns)
{
	struct packet_event marks =
		packet_event__begin(&perfetto->out, PACKET_SLICE_BEGIN, begin_ns, track, type->id);

	arguments__append(&perfetto->out, event, type->id);
	packet_event__end(&perfetto->out, marks);
	marks = packet_event__begin(&perfetto->out, PACKET_SLICE_END, event->time_ns, track, 0);
	packet_event__end(&perfetto->out, marks);
	perfetto->stats.slices++;
}

/* A slice, or an instant. */
static void put_event(struct perfetto *perfetto, const struct peat_event *event,
		      const struct type *type, struct track *track)
{
	uint64_t duration = arguments__duration(event), begin_ns, number = 0;

	begin_ns = event->time_ns - duration;
	if (duration && duration < event->time_ns)
		number = tracks__place(&perfetto->tracks, track, &perfetto->out, begin_ns,
				       event->time_ns);
	if (number)
		put_slice(perfetto, event, type, number, begin_ns);
	else
		put_instant(perfetto, event, type, track__number(track));
}

static bool has_fields(const struct peat_schema *schema)
{
	return fields__end(schema) > schema->fields;
}

/* Samples of perf events without a stack have the sampled address.  Returns whether there is one.
 */
static int put_sample(struct perfetto *perfetto, const struct peat_event *event, struct type *type)
{
	int added =
		profile_samples__append(&type->samples, &perfetto->out, event, perfetto->symbols);

	if (!added && !has_fields(type->schema))
		added = profile_samples__append_address(&type->samples, &perfetto->out, event,
							perfetto->symbols);
	perfetto->stats.samples += added > 0;
	return added;
}

/* Names the thread of the event; an idle task has no name, and no track unless it has events. */
static int name_thread(struct perfetto *perfetto, const struct peat_event *event)
{
	if (!event->tid || event->tid == PEAT_NO_TASK)
		return 0;
	return tracks__find(&perfetto->tracks, &perfetto->out, event) ? 0 : -ENOMEM;
}

static int put_switch_event(struct perfetto *perfetto, const struct peat_event *event,
			    const struct type *type)
{
	int err = name_thread(perfetto, event);

	if (err)
		return err;
	switches__append(&type->switches, &perfetto->out, event);
	perfetto->stats.switches++;
	return 0;
}

static int put_typed(struct perfetto *perfetto, const struct peat_event *event, struct type *type)
{
	struct track *track;
	int added;

	if (type->switches.kind && event->cpu != PEAT_NO_CPU)
		return put_switch_event(perfetto, event, type);
	track = tracks__find(&perfetto->tracks, &perfetto->out, event);
	if (!track)
		return -ENOMEM;
	added = put_sample(perfetto, event, type);
	if (added <= 0 || has_fields(type->schema))
		put_event(perfetto, event, type, track);
	return added < 0 ? added : 0;
}

/* The type of events that are bytes. */
static struct peat_field no_fields[1];
static const struct peat_schema unknown = { .name = "unknown",
					    .fields = no_fields,
					    .stacks_fd = -1 };

static int put_data(struct perfetto *perfetto, const struct peat_event *event)
{
	struct type *type = type_of(perfetto, event->schema ? event->schema : &unknown);
	struct peat_event typed;

	perfetto->stats.events += event->kind == PEAT_EVENT_DATA;
	if (!type)
		return -ENOMEM;
	if (event->schema && (event->data || !event->size))
		return put_typed(perfetto, event, type);
	typed = *event;
	typed.schema = type->schema;
	typed.size = 0;
	return put_typed(perfetto, &typed, type);
}

/* ---- records --------------------------------------------------------------------------------- */

static int put_switch(struct perfetto *perfetto, const struct peat_event *event)
{
	int err = name_thread(perfetto, event), added;

	if (err)
		return err;
	added = switches__append_record(&perfetto->switches, &perfetto->out, event);
	perfetto->stats.switches += added > 0;
	return added < 0 ? added : 0;
}

static int put_record(struct perfetto *perfetto, const struct peat_event *event)
{
	const struct peat_record *record = event->record;

	if (record &&
	    (record->type == PEAT_RECORD_SWITCH || record->type == PEAT_RECORD_SWITCH_CPU_WIDE))
		return put_switch(perfetto, event);
	return put_data(perfetto, event);
}

struct lost {
	uint64_t events;
	char cause[16];
};

static struct peat_field lost_fields[] = {
	{ .name = "events",
	  .kind = PEAT_FIELD_UNSIGNED,
	  .span = 1,
	  .offset = offsetof(struct lost, events),
	  .bytes = sizeof(((struct lost *)0)->events) },
	{ .name = "cause",
	  .kind = PEAT_FIELD_STRING,
	  .span = 1,
	  .offset = offsetof(struct lost, cause),
	  .bytes = sizeof(((struct lost *)0)->cause) },
};

static const struct peat_schema lost_schema = { .name = "lost",
						.fields = lost_fields,
						.count = 2,
						.bytes = sizeof(struct lost),
						.stacks_fd = -1 };

static int put_lost(struct perfetto *perfetto, const struct peat_event *event)
{
	const char *cause = peat_lost_cause__name(event->cause);
	struct lost lost = { .events = event->lost };
	struct type *type = type_of(perfetto, &lost_schema);
	struct peat_event typed = *event;

	perfetto->stats.lost += event->lost;
	if (!type)
		return -ENOMEM;
	if (!perfetto->lost_track)
		perfetto->lost_track = tracks__lost(&perfetto->tracks, &perfetto->out);
	snprintf(lost.cause, sizeof(lost.cause), "%s", cause ? cause : "unknown");
	typed.schema = &lost_schema;
	typed.data = &lost;
	typed.size = sizeof(lost);
	put_instant(perfetto, &typed, type, perfetto->lost_track);
	return 0;
}

/* ---- the sink -------------------------------------------------------------------------------- */

static int flush_perfetto(struct peat_sink *sink)
{
	struct perfetto *perfetto = (struct perfetto *)sink;
	uint64_t bytes = perfetto->out.count;

	if (!perfetto->err && bytes)
		perfetto->err = destination__write(&perfetto->destination, &perfetto->out);
	if (!perfetto->err)
		perfetto->stats.bytes += bytes;
	return perfetto->err ? fail(perfetto->err) : 0;
}

static int put_any(struct perfetto *perfetto, const struct peat_event *event)
{
	switch (event->kind) {
	case PEAT_EVENT_DATA:
		return put_data(perfetto, event);
	case PEAT_EVENT_LOST:
		return put_lost(perfetto, event);
	case PEAT_EVENT_RECORD:
		return put_record(perfetto, event);
	case PEAT_EVENT_TOOL:
		break;
	}
	perfetto->stats.skipped++;
	return 0;
}

/* Packets depend on those before them, so nothing follows a failure.  `start`: of the last ones. */
static int end_packets(struct perfetto *perfetto, size_t start)
{
	if (!perfetto->err && perfetto->out.failed)
		perfetto->err = -ENOMEM;
	if (!perfetto->err)
		return perfetto->out.count >= FLUSH_BYTES ? flush_perfetto(&perfetto->sink) : 0;
	perfetto->out.failed = false;
	strbuf__cut(&perfetto->out, start);
	if (!destination__write(&perfetto->destination, &perfetto->out))
		perfetto->stats.bytes += start;
	return fail(perfetto->err);
}

static int write_perfetto(struct peat_sink *sink, const struct peat_event *event)
{
	struct perfetto *perfetto = (struct perfetto *)sink;
	size_t start = perfetto->out.count;

	if (perfetto->err)
		return fail(perfetto->err);
	if (!event->time_ns) {
		perfetto->stats.skipped++;
		return 0;
	}
	begin_trace(perfetto, event->recorded, event->time_ns);
	perfetto->err = put_any(perfetto, event);
	return end_packets(perfetto, start);
}

static int finish_perfetto(struct peat_sink *sink)
{
	struct perfetto *perfetto = (struct perfetto *)sink;

	if (!perfetto->err)
		table_counters__end(&perfetto->counters, &perfetto->out);
	return flush_perfetto(sink);
}

static void free_perfetto(struct peat_sink *sink)
{
	struct perfetto *perfetto = (struct perfetto *)sink;

	for_each_entry (&perfetto->types, link) {
		struct type *type = HASH_ENTRY(link, struct type, link);

		profile_samples__free(&type->samples);
		free(type);
	}
	hash__free(&perfetto->types);
	tracks__free(&perfetto->tracks);
	switches__free(&perfetto->switches);
	table_counters__free(&perfetto->counters);
	strbuf__free(&perfetto->out);
	free(perfetto);
}

static int check_sink(const struct peat_sink *sink, const char *function)
{
	if (sink->write == write_perfetto)
		return 0;
	log__error("%s: the sink was not made by peat_sink__new_perfetto()", function);
	return -EINVAL;
}

int peat_perfetto__write_rows(struct peat_sink *sink, const char *name,
			      const struct peat_rows *rows, uint64_t from_ns, uint64_t to_ns)
{
	struct perfetto *perfetto = (struct perfetto *)sink;
	int err = check_sink(sink, "peat_perfetto__write_rows");
	size_t start;

	if (!err && (!from_ns || to_ns < from_ns)) {
		log__error("peat_perfetto__write_rows: no interval: from %llu to %llu",
			   (unsigned long long)from_ns, (unsigned long long)to_ns);
		err = -EINVAL;
	}
	err = err ? err : perfetto->err;
	if (err)
		return fail(err);
	start = perfetto->out.count;
	begin_trace(perfetto, NULL, from_ns);
	perfetto->err = table_counters__append(&perfetto->counters, &perfetto->tracks,
					       &perfetto->out, name, rows, from_ns, to_ns);
	return end_packets(perfetto, start);
}

int peat_perfetto__stats(struct peat_sink *sink, struct peat_perfetto_stats *callers_stats)
{
	struct perfetto *perfetto = (struct perfetto *)sink;
	struct peat_perfetto_stats stats;
	int err = check_sink(sink, "peat_perfetto__stats");

	if (err)
		return fail(err);
	stats = perfetto->stats;
	stats.overlapping = perfetto->tracks.overlapping;
	stats.counters = perfetto->counters.by_name.count;
	stats.left_out = perfetto->counters.left_out;
	err = opts__write(callers_stats, &stats, sizeof(stats), "peat_perfetto_stats");
	return err ? fail(err) : 0;
}

static int check_destination(int fd, const struct peat_perfetto_opts *opts)
{
	if (opts->output ? fd == -1 : fd >= 0)
		return 0;
	log__error("peat_sink__new_perfetto: invalid file descriptor %d: give one, or `output` "
		   "and -1",
		   fd);
	return -EINVAL;
}

struct peat_sink *peat_sink__new_perfetto(struct peat_reader *reader, int fd,
					  const struct peat_perfetto_opts *callers_opts)
{
	struct peat_perfetto_opts opts = { .sz = sizeof(opts) };
	struct perfetto *perfetto;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_perfetto_opts");

	if (!err)
		err = check_destination(fd, &opts);
	if (!err)
		err = reader__check_process(reader);
	if (err)
		return fail_null(err);
	perfetto = calloc(1, sizeof(*perfetto));
	if (!perfetto)
		return fail_null(-ENOMEM);
	perfetto->sink = (struct peat_sink){ .sz = sizeof(struct peat_sink),
					     .write = write_perfetto,
					     .flush = flush_perfetto,
					     .finish = finish_perfetto,
					     .free = free_perfetto };
	perfetto->reader = reader;
	perfetto->destination =
		(struct destination){ .fd = fd, .write = opts.output, .arg = opts.output_arg };
	perfetto->wall_clock_ns = opts.wall_clock_ns;
	perfetto->symbols = opts.symbols;
	perfetto->next_id = 1;
	return &perfetto->sink;
}
