// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader.c: records and frames become events, and every one of them is accounted for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/frame.h>
#include <peat/reader.h>

#include "balance.h"
#include "internal.h"
#include "kinds.h"
#include "live.h"

#define LATENCY_MS_MAX (60 * 60 * 1000u)

/* One slot of one CPU, as a sequence of events. */
struct stream {
	uint64_t next_seq;
	bool begun;	    /* what came before its first frame here is not known, and not missed */
	int64_t missing;    /* events that never came before one that did */
	uint64_t base_lost; /* as the slot had counted at the start: see stage__lost_behind() */
};

/* What the reader itself knows of a CPU's events; `base` is the ledger as it was at the start. */
struct account {
	struct peat_ledger base;
	uint64_t delivered;
};

struct peat_reader {
	struct live live;
	struct peat_record record;
	struct peat_event event;
	struct peat_reader_stats stats;
	uint64_t payload[65536 / 8]; /* of the raw event that is lent: a record is shorter */
	uint32_t kinds;		     /* PEAT_KIND_*: the records that are handed out as events */

	/* With names. */
	bool has_task;	    /* the event says which task ran */
	bool knows_now;	    /* what there is to know now: asked for an event without a time */
	char idle_comm[24]; /* as the kernel calls the idle task: "swapper/" and the CPU */

	/* Of a channel. */
	struct peat_frame frame; /* the one that events are taken from */
	bool in_frame;
	struct stream *streams;		       /* by slot index */
	const struct peat_schema *last_schema; /* of events of last_type; NULL: not known */
	uint32_t last_type;
	struct account *accounts; /* by CPU number */
	uint32_t cpus;
};

/* ---- opening --------------------------------------------------------------------------------- */

/* Where events come from. */
struct source {
	const struct peat_channel *channel;
	int map_fd; /* without a channel */
	bool kinds_only;
};

/* What programs counted before is not this reader's; what they left staged is. */
static void open_account(struct peat_reader *reader, uint32_t cpu)
{
	struct peat_ledger *base = &reader->accounts[cpu].base;

	for (uint32_t index = cpu * PEAT_SLOTS; index < (cpu + 1) * PEAT_SLOTS; index++) {
		struct peat_slot slot;

		stage__read_still(&reader->live.stage, index, &slot);
		balance__add_slot(base, &slot);
		reader->streams[index].base_lost = stage__lost_behind(&slot);
	}
	base->emitted -= base->staged;
	base->staged = 0;
}

static int open_accounts(struct peat_reader *reader)
{
	reader->cpus = reader->live.channel->cpus;
	reader->streams = calloc(reader->cpus * PEAT_SLOTS, sizeof(*reader->streams));
	reader->accounts = calloc(reader->cpus, sizeof(*reader->accounts));
	if (!reader->streams || !reader->accounts)
		return -ENOMEM;
	for (uint32_t cpu = 0; cpu < reader->cpus; cpu++)
		open_account(reader, cpu);
	return 0;
}

static int open_source(struct peat_reader *reader, const struct source *source,
		       const struct peat_reader_opts *opts)
{
	if (source->kinds_only)
		return live__open_kinds(&reader->live, opts);
	return live__open(&reader->live, source->channel, source->map_fd, opts);
}

static int open_reader(struct peat_reader *reader, const struct source *source,
		       const struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = source->channel;
	int err = open_source(reader, source, opts);

	if (err)
		return err;
	reader->kinds = opts->kinds;
	if (channel && !opts->latency_ms && channel->opts.batch_bytes)
		log__warn("latency 0 needs a channel with batch_bytes 0: staged events wait for up "
			  "to %u ms",
			  reader->live.tick_ms);
	if (channel)
		err = open_accounts(reader);
	return err ? err : rings__fill_map(&reader->live.rings);
}

static int check_opts(const struct peat_reader_opts *opts, bool kinds_only)
{
	static const uint8_t zeroes[sizeof(opts->reserved_too)];

	if (opts->latency_ms > LATENCY_MS_MAX ||
	    memcmp(opts->reserved_too, zeroes, sizeof(zeroes))) {
		log__error("peat_reader_opts: latency_ms is at most %u, reserved is 0",
			   LATENCY_MS_MAX);
		return -EINVAL;
	}
	if (opts->kinds & ~KINDS_ALL || (kinds_only && !opts->kinds)) {
		log__error("peat_reader_opts: kinds is %#x: or PEAT_KIND_... together",
			   opts->kinds);
		return -EINVAL;
	}
	return 0;
}

static struct peat_reader *new_reader(const struct source *source,
				      const struct peat_reader_opts *callers_opts)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader *reader;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!err)
		err = check_opts(&opts, source->kinds_only);
	if (err)
		return fail_null(err);
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return fail_null(-ENOMEM);
	err = open_reader(reader, source, &opts);
	if (err) {
		peat_reader__free(reader);
		return fail_null(err);
	}
	return reader;
}

struct peat_reader *peat_reader__new(struct peat_channel *channel,
				     const struct peat_reader_opts *opts)
{
	return new_reader(&(struct source){ .channel = channel }, opts);
}

struct peat_reader *peat_reader__new_raw(int map_fd, const struct peat_reader_opts *opts)
{
	return new_reader(&(struct source){ .map_fd = map_fd }, opts);
}

struct peat_reader *peat_reader__new_kinds(const struct peat_reader_opts *opts)
{
	return new_reader(&(struct source){ .kinds_only = true }, opts);
}

void peat_reader__free(struct peat_reader *reader)
{
	if (!reader)
		return;
	live__close(&reader->live);
	free(reader->streams);
	free(reader->accounts);
	free(reader);
}

/* ---- waiting --------------------------------------------------------------------------------- */

int peat_reader__fd(const struct peat_reader *reader)
{
	return reader->live.epoll_fd;
}

int peat_reader__wait(struct peat_reader *reader, int timeout_ms)
{
	int ready = live__wait(&reader->live, timeout_ms);

	return ready < 0 ? fail(ready) : ready;
}

void peat_reader__break(const struct peat_reader *reader)
{
	live__break(&reader->live);
}

void peat_reader__flush(struct peat_reader *reader)
{
	if (reader->live.channel)
		live__flush(&reader->live);
}

/* ---- raw records ----------------------------------------------------------------------------- */

/* The ring has a payload at 4 mod 8; programs read 64-bit fields from it. */
static void take_payload(struct peat_reader *reader, const struct peat_sample *sample)
{
	memcpy(reader->payload, sample->raw, sample->raw_bytes);
	reader->event.kind = PEAT_EVENT_DATA;
	reader->event.data = reader->payload;
	reader->event.size = sample->raw_bytes;
	reader->stats.events++;
	reader->stats.event_bytes += sample->raw_bytes;
}

static void take_loss(struct peat_reader *reader, uint64_t lost)
{
	reader->event.kind = PEAT_EVENT_LOST;
	reader->event.lost = lost;
}

/* A record of the kernel's own.  False when nobody wants it: it is there for the names. */
static bool take_kind(struct peat_reader *reader, uint32_t kind)
{
	struct peat_event *event = &reader->event;

	if (!(reader->kinds & kind))
		return false;
	event->data = reader->payload;
	event->schema =
		kinds__fill(event->record, reader->payload, sizeof(reader->payload), &event->size);
	return true;
}

static bool take_record(struct peat_reader *reader, uint32_t cpu)
{
	const struct peat_record *record = &reader->record;
	uint32_t kind = kinds__of(record->type);
	bool has_task = record->has & PEAT_SAMPLE_TID;

	reader->has_task = has_task;
	reader->event = (struct peat_event){
		.kind = PEAT_EVENT_RECORD,
		.cpu = cpu,
		.time_ns = record->has & PEAT_SAMPLE_TIME ? record->time_ns : 0,
		.pid = has_task ? record->pid : 0,
		.tid = has_task ? record->tid : 0,
		.record = record,
	};
	if (record->type == PEAT_RECORD_SAMPLE)
		take_payload(reader, &record->sample);
	else if (record->type == PEAT_RECORD_LOST)
		take_loss(reader, record->lost.lost);
	else if (record->type == PEAT_RECORD_LOST_SAMPLES)
		take_loss(reader, record->lost_samples.lost);
	return !kind || take_kind(reader, kind);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static uint32_t index_of(const struct peat_reader *reader)
{
	return reader->event.cpu * PEAT_SLOTS + reader->frame.slot;
}

static struct stream *stream_of(struct peat_reader *reader)
{
	return &reader->streams[index_of(reader)];
}

/*
 * Begins with a frame.  True when that is an event in itself: events before it are missing.  A
 * frame that stands before the last one in its stream says that one of them lies: nothing is
 * missing then, and what was thought to be is there.
 */
static bool take_frame(struct peat_reader *reader, uint32_t cpu, const void *bytes, size_t count)
{
	struct peat_frame *frame = &reader->frame;
	struct stream *stream;
	int64_t missing;

	if (peat_frame__open(frame, bytes, count)) {
		reader->stats.corrupt++;
		return false;
	}
	reader->event.cpu = cpu;
	stage__hand_out(&reader->live.stage, index_of(reader), frame->count);
	stream = stream_of(reader);
	missing = stream->begun ? (int64_t)(frame->seq - stream->next_seq) : 0;
	stream->begun = true;
	stream->missing += missing;
	reader->in_frame = true;
	reader->stats.corrupt += missing < 0;
	if (missing <= 0)
		return false;
	reader->event = (struct peat_event){ .cpu = cpu, .time_ns = frame->time_ns };
	take_loss(reader, (uint64_t)missing);
	return true;
}

/* What a frame that lies did not give goes missing before the stream's next one. */
static void end_frame(struct peat_reader *reader, bool lies)
{
	reader->in_frame = false;
	reader->stats.corrupt += lies;
	stream_of(reader)->next_seq = reader->frame.seq + reader->frame.taken;
}

/* Events of one type come in rows. */
static const struct peat_schema *schema_of(struct peat_reader *reader, uint32_t type)
{
	if (!reader->last_schema || type != reader->last_type)
		reader->last_schema = peat_channel__schema(reader->live.channel, type);
	reader->last_type = type;
	return reader->last_schema;
}

/* Fills in the next event of the frame; false when there is none left. */
static bool next_of_frame(struct peat_reader *reader)
{
	struct peat_event *event = &reader->event;
	struct peat_frame_event of_frame;
	int more = peat_frame__next(&reader->frame, &of_frame);

	if (more <= 0) {
		end_frame(reader, more < 0);
		return false;
	}
	event->kind = PEAT_EVENT_DATA; /* the CPU is the frame's */
	event->time_ns = of_frame.time_ns;
	event->pid = of_frame.tgid;
	event->tid = of_frame.tid;
	event->type = of_frame.type;
	event->size = of_frame.size;
	event->data = of_frame.data;
	event->lost = 0;
	event->record = NULL;
	event->schema = schema_of(reader, of_frame.type);
	reader->has_task = of_frame.has_ids;
	reader->accounts[event->cpu].delivered++;
	reader->stats.events++;
	reader->stats.event_bytes += of_frame.size;
	return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *idle_comm(struct peat_reader *reader)
{
	snprintf(reader->idle_comm, sizeof(reader->idle_comm), "swapper/%u", reader->event.cpu);
	return reader->idle_comm;
}

/*
 * An event without a time has the name of now.  Events of one frame were there together, so one
 * look does for them.
 */
static uint64_t time_of_name(struct peat_reader *reader)
{
	uint64_t time_ns = reader->event.time_ns ? reader->event.time_ns : UINT64_MAX;

	if (time_ns != UINT64_MAX || !reader->knows_now)
		live__know(&reader->live, time_ns);
	reader->knows_now |= time_ns == UINT64_MAX;
	return time_ns;
}

static void name_task(struct peat_reader *reader)
{
	struct peat_event *event = &reader->event;

	event->comm = NULL;
	if (event->kind == PEAT_EVENT_LOST || !reader->has_task)
		return;
	if (event->tid)
		event->comm = live__name(&reader->live, event->tid, time_of_name(reader));
	else
		event->comm = idle_comm(reader);
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* Takes a channel's record apart. LOST is not told on: gaps in the streams say it by the event. */
static bool take_channel_record(struct peat_reader *reader, uint32_t cpu)
{
	const struct peat_record *record = &reader->record;

	reader->event.cpu = cpu;
	if (record->type == PEAT_RECORD_SAMPLE)
		return take_frame(reader, cpu, record->sample.raw, record->sample.raw_bytes);
	if (record->type == PEAT_RECORD_LOST)
		return false;
	return take_record(reader, cpu);
}

/* True when the piece is an event, false when it only holds some, or none. */
static bool take_piece(struct peat_reader *reader, const struct piece *piece)
{
	struct peat_record *record = &reader->record;
	int known;

	reader->knows_now = false;
	if (!piece->record)
		return take_frame(reader, piece->cpu, piece->frame, piece->frame_bytes);
	reader->stats.records++;
	known = peat_record__decode(events__layout(&reader->live.rings.events, piece->record->type),
				    piece->record, piece->record->size, record);
	if (known <= 0) {
		reader->stats.corrupt += known < 0;
		reader->stats.unknown += !known;
		return false;
	}
	if (record->type == PEAT_RECORD_LOST)
		reader->stats.lost_records += record->lost.lost;
	else if (record->type == PEAT_RECORD_LOST_SAMPLES)
		reader->stats.lost_samples += record->lost_samples.lost;
	if (reader->live.channel)
		return take_channel_record(reader, piece->cpu);
	return take_record(reader, piece->cpu);
}

static bool next_event(struct peat_reader *reader)
{
	struct piece piece;

	for (;;) {
		if (reader->in_frame && next_of_frame(reader))
			return true;
		if (!live__next(&reader->live, &piece))
			return false;
		if (take_piece(reader, &piece))
			return true;
	}
}

int peat_reader__next(struct peat_reader *reader, const struct peat_event **event)
{
	if (!next_event(reader)) {
		*event = NULL;
		return 0;
	}
	if (reader->live.tasks)
		name_task(reader);
	*event = &reader->event;
	return 1;
}

/* ---- accounts -------------------------------------------------------------------------------- */

/*
 * The BPF side counts what it could not write before it writes what comes after.  So of the events
 * that are missing in a stream, those beyond its count were written, in frames that made no sense.
 */
static uint64_t corrupt_of(const struct peat_reader *reader, uint32_t cpu)
{
	uint64_t corrupt = 0;

	for (uint32_t index = cpu * PEAT_SLOTS; index < (cpu + 1) * PEAT_SLOTS; index++) {
		const struct stream *stream = &reader->streams[index];
		struct peat_slot slot;
		uint64_t lost;

		stage__read(&reader->live.stage, index, &slot);
		lost = stage__lost_behind(&slot) - stream->base_lost;
		if (stream->missing > (int64_t)lost)
			corrupt += (uint64_t)stream->missing - lost;
	}
	return corrupt;
}

static int fill_ledger(const struct peat_reader *reader, uint32_t cpu, struct peat_ledger *ledger)
{
	const struct account *account = &reader->accounts[cpu];

	*ledger = (struct peat_ledger){ 0 };
	balance__add_cpu(ledger, &reader->live.stage, cpu);
	balance__subtract(ledger, &account->base);
	ledger->delivered = account->delivered;
	ledger->corrupt = corrupt_of(reader, cpu);
	balance__close(ledger);
	return live__lost(&reader->live, cpu, &ledger->frames_lost);
}

static int fill_ledgers(const struct peat_reader *reader, struct peat_ledger *all)
{
	*all = (struct peat_ledger){ 0 };
	for (uint32_t cpu = 0; cpu < reader->cpus; cpu++) {
		struct peat_ledger one;
		int err = fill_ledger(reader, cpu, &one);

		if (err)
			return err;
		balance__add(all, &one);
	}
	return 0;
}

int peat_reader__ledger(const struct peat_reader *reader, uint32_t cpu,
			struct peat_ledger *callers_ledger)
{
	struct peat_ledger ledger;
	int err;

	if (!reader->live.channel)
		return fail(-ENOTSUP);
	if (cpu != PEAT_ALL_CPUS && cpu >= reader->cpus)
		return fail(-EINVAL);
	err = cpu == PEAT_ALL_CPUS ? fill_ledgers(reader, &ledger)
				   : fill_ledger(reader, cpu, &ledger);
	if (!err)
		err = opts__write(callers_ledger, &ledger, sizeof(ledger), "peat_ledger");
	return err ? fail(err) : 0;
}

static int kernels_loss(const struct peat_reader *reader, uint64_t *lost)
{
	*lost = 0;
	for (uint32_t cpu = 0; cpu < reader->live.rings.limit; cpu++) {
		uint64_t ring_lost;
		int err = live__lost(&reader->live, cpu, &ring_lost);

		if (err)
			return err;
		*lost += ring_lost;
	}
	return 0;
}

/*
 * In raw mode LOST and LOST_SAMPLES tell of overlapping losses, and PERF_FORMAT_LOST has all of
 * both: the best one is taken, they are never added.
 */
static int best_loss(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	struct peat_ledger ledger;
	int err;

	stats->lost_is_exact = reader->live.channel || reader->live.rings.events.counts_lost;
	if (reader->live.channel) {
		err = fill_ledgers(reader, &ledger);
		stats->lost = err ? 0 : peat_ledger__lost(&ledger);
		return err;
	}
	if (reader->live.rings.events.counts_lost)
		return kernels_loss(reader, &stats->lost);
	stats->lost = stats->lost_records > stats->lost_samples ? stats->lost_records
								: stats->lost_samples;
	return 0;
}

int peat_reader__stats(const struct peat_reader *reader, struct peat_reader_stats *callers_stats)
{
	struct peat_reader_stats stats = reader->stats;
	int err;

	stats.rounds = reader->live.round.count;
	stats.rings = reader->live.rings.count;
	stats.ring_bytes = reader->live.rings.ring_bytes;
	stats.watermark_bytes = reader->live.rings.events.watermark_bytes;
	stats.corrupt += live__corrupt(&reader->live);
	err = best_loss(reader, &stats);
	if (!err)
		err = live__side_lost(&reader->live, &stats.side_band_lost);
	if (!err)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_reader_stats");
	return err ? fail(err) : 0;
}
