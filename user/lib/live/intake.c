// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* intake.c: records and frames become events. */
#include <stdio.h>
#include <string.h>

#include "live/intake.h"
#include "base/internal.h"
#include "event/kinds.h"

/* ---- raw records ----------------------------------------------------------------------------- */

/*
 * Which map it is of; -1: of an event that the reader never opened.  One that is alone has no ids.
 */
static int map_of(const struct intake *in)
{
	if (in->live.rings.events.outputs < 2)
		return 0;
	return ring__find(&in->live.rings.of[in->event.cpu], in->record.id);
}

/* The kernel stores payloads in steps of 8 bytes; a type may say how much of that it is. */
static uint32_t cut_padding(uint32_t exact, uint32_t bytes)
{
	return exact && bytes > exact && bytes - exact < 8 ? exact : bytes;
}

/* The ring has a payload at 4 mod 8; programs read 64-bit fields from it. */
static bool take_payload(struct intake *in, const struct peat_sample *sample)
{
	int map = map_of(in);

	if (map < 0) {
		in->stats.unknown++;
		return false;
	}
	memcpy(in->payload, sample->raw, sample->raw_bytes);
	in->event.kind = PEAT_EVENT_DATA;
	in->event.data = in->payload;
	in->event.size = cut_padding(in->exact_bytes[map], sample->raw_bytes);
	in->event.type = (uint32_t)map;
	in->event.schema = in->schemas[map];
	return true;
}

static void take_loss(struct intake *in, uint64_t lost)
{
	in->event.kind = PEAT_EVENT_LOST;
	in->event.lost = lost;
}

/* A record of the kernel's own.  False when nobody wants it: it is there for the names. */
static bool take_kind(struct intake *in, uint32_t kind)
{
	struct peat_event *event = &in->event;

	if (!(in->kinds & kind))
		return false;
	event->data = in->payload;
	event->schema = kinds__fill(event->record, in->payload, sizeof(in->payload), &event->size);
	return true;
}

static bool take_record(struct intake *in, uint32_t cpu)
{
	const struct peat_record *record = &in->record;
	uint32_t kind = kinds__of(record->type);
	bool has_task = record->has & PEAT_SAMPLE_TID;

	in->has_task = has_task;
	in->event = (struct peat_event){
		.kind = PEAT_EVENT_RECORD,
		.cpu = cpu,
		.time_ns = record->has & PEAT_SAMPLE_TIME ? record->time_ns : 0,
		.pid = has_task ? record->pid : 0,
		.tid = has_task ? record->tid : 0,
		.record = record,
	};
	if (record->type == PEAT_RECORD_SAMPLE)
		return take_payload(in, &record->sample);
	if (record->type == PEAT_RECORD_LOST)
		take_loss(in, record->lost.lost);
	else if (record->type == PEAT_RECORD_LOST_SAMPLES)
		take_loss(in, record->lost_samples.lost);
	return !(kind & KINDS_ALL) || take_kind(in, kind); /* what comes unasked goes as it is */
}

/* ---- frames ---------------------------------------------------------------------------------- */

static uint32_t index_of(const struct intake *in)
{
	return in->frame_cpu * PEAT_SLOTS + in->frame.slot;
}

static struct stream *stream_of(struct intake *in)
{
	return &in->accounts.streams[index_of(in)];
}

/*
 * Begins with a frame.  True when that is an event in itself: events before it are missing.  A
 * frame that stands before the last one in its stream says that one of them lies: nothing is
 * missing then, and what was thought to be is there.
 */
static bool take_frame(struct intake *in, uint32_t cpu, const void *bytes, size_t count)
{
	struct peat_frame *frame = &in->frame;
	struct stream *stream;
	int64_t missing;

	if (peat_frame__open(frame, bytes, count)) {
		in->stats.corrupt++;
		return false;
	}
	in->frame_cpu = cpu;
	in->row.step = SIZE_MAX;
	stage__hand_out(&in->live.stage, index_of(in), frame->count);
	stream = stream_of(in);
	missing = stream->begun ? (int64_t)(frame->seq - stream->next_seq) : 0;
	stream->begun = true;
	stream->missing += missing;
	in->in_frame = true;
	in->accounts.uncounted = in->is_plain ? &frame->taken : NULL;
	in->accounts.uncounted_cpu = cpu;
	in->stats.corrupt += missing < 0;
	if (missing <= 0)
		return false;
	in->event = (struct peat_event){ .cpu = cpu, .time_ns = frame->time_ns };
	take_loss(in, (uint64_t)missing);
	return true;
}

static void count_frame(struct intake *in)
{
	uint32_t events = account__uncounted(&in->accounts);

	in->stats.events += events;
	in->accounts.of_cpus[in->frame_cpu].delivered += events;
	in->accounts.uncounted = NULL;
}

/* What a frame that lies did not give goes missing before the stream's next one. */
static void end_frame(struct intake *in, bool lies)
{
	in->in_frame = false;
	count_frame(in);
	in->stats.corrupt += lies;
	stream_of(in)->next_seq = in->frame.seq + in->frame.taken;
}

/* Events of one type come in rows. */
static const struct peat_schema *schema_of(struct intake *in, uint32_t type)
{
	if (!in->last_schema || in->last_type != type)
		in->last_schema = peat_channel__schema(in->live.channel, type);
	in->last_type = type;
	return in->last_schema;
}

/* One by one: a copy of what was stored just now would wait for it. */
static void fill(struct intake *in, struct peat_event *event,
		 const struct peat_frame_event *of_frame)
{
	event->kind = PEAT_EVENT_DATA;
	event->cpu = in->frame_cpu;
	event->lost = 0;
	event->record = NULL;
	event->late = false;
	event->schema = schema_of(in, of_frame->type);
	event->time_ns = of_frame->time_ns;
	event->pid = of_frame->tgid;
	event->tid = of_frame->tid;
	event->type = of_frame->type;
	event->size = of_frame->size;
	event->data = of_frame->data;
}

/* False when there is none left. */
static bool next_of_frame(struct intake *in)
{
	const unsigned char *at = in->frame.at;
	struct peat_frame_event of_frame;
	int more = frame__step(&in->frame, &of_frame);

	if (more <= 0) {
		end_frame(in, more < 0);
		return false;
	}
	fill(in, &in->event, &of_frame);
	in->has_task = of_frame.has_ids;
	if (in->is_plain) {
		fill(in, &in->framed, &of_frame);
		frame__begin_row(&in->row, at);
	}
	return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *idle_comm(struct intake *in)
{
	snprintf(in->idle_comm, sizeof(in->idle_comm), "swapper/%u", in->event.cpu);
	return in->idle_comm;
}

/*
 * An event without a time has the name of now.  Events of one frame were there together, so one
 * look does for them.
 */
static uint64_t time_of_name(struct intake *in)
{
	uint64_t time_ns = in->event.time_ns ? in->event.time_ns : UINT64_MAX;

	if (time_ns != UINT64_MAX || !in->knows_now)
		live__know(&in->live, time_ns);
	in->knows_now |= time_ns == UINT64_MAX;
	return time_ns;
}

static void name_task(struct intake *in)
{
	struct peat_event *event = &in->event;

	event->comm = NULL;
	if (event->kind == PEAT_EVENT_LOST || !in->has_task)
		return;
	if (event->tid)
		event->comm = live__name(&in->live, event->tid, time_of_name(in));
	else
		event->comm = idle_comm(in);
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* Takes a channel's record apart. LOST is not told on: gaps in the streams say it by the event. */
static bool take_channel_record(struct intake *in, uint32_t cpu)
{
	const struct peat_record *record = &in->record;

	if (record->type == PEAT_RECORD_SAMPLE)
		return take_frame(in, cpu, record->sample.raw, record->sample.raw_bytes);
	if (record->type == PEAT_RECORD_LOST)
		return false;
	return take_record(in, cpu);
}

/* True when the piece is an event, false when it only holds some, or none. */
static bool take_piece(struct intake *in, const struct piece *piece)
{
	struct peat_record *record = &in->record;
	int known;

	in->knows_now = false;
	in->raw = piece->record;
	if (!piece->record)
		return take_frame(in, piece->cpu, piece->frame, piece->frame_bytes);
	in->stats.records++;
	known = peat_record__decode(events__layout(&in->live.rings.events, piece->record->type),
				    piece->record, piece->record->size, record);
	if (known <= 0) {
		in->stats.corrupt += known < 0;
		in->stats.unknown += !known;
		return false;
	}
	if (record->type == PEAT_RECORD_LOST)
		in->stats.lost_records += record->lost.lost;
	else if (record->type == PEAT_RECORD_LOST_SAMPLES)
		in->stats.lost_samples += record->lost_samples.lost;
	if (in->live.channel)
		return take_channel_record(in, piece->cpu);
	return take_record(in, piece->cpu);
}

static bool next_unnamed(struct intake *in)
{
	struct piece piece;

	for (;;) {
		if (in->in_frame && next_of_frame(in))
			return true;
		if (!live__next(&in->live, &piece))
			return false;
		if (take_piece(in, &piece))
			return true;
	}
}

bool intake__next(struct intake *in)
{
	if (!next_unnamed(in))
		return false;
	if (in->live.tasks)
		name_task(in);
	return true;
}

/* As when it came, but for the record, which is a copy now. */
void intake__again(struct intake *in)
{
	struct peat_event held = in->event;
	const struct perf_event_header *raw = held.data;

	peat_record__decode(events__layout(&in->live.rings.events, raw->type), raw, raw->size,
			    &in->record);
	take_record(in, held.cpu);
	in->event.comm = held.comm;
	in->event.late = held.late;
}
