// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/intake.c: records and frames become events. */
#include <string.h>

#include "event/side_band.h"
#include "field/appended.h"
#include "live/input.h"
#include "live/sample_owner.h"
#include "live/sampling.h"
#include "sys/pid_namespace.h"

/* A channel without kinds needs no memory for data: all its events are in frames. */
int intake__open(struct intake *in, uint32_t kinds)
{
	in->reader->named.is_used = in->inputs->tasks;
	in->record.sz = sizeof(in->record);
	in->reader->frame.sz = sizeof(in->reader->frame);
	in->has_frames = in->inputs->channel;
	in->from.side_band = kinds;
	in->from.tasks = in->inputs->tasks;
	in->from.has_other_pids = !pid_namespace__is_initial();
	return kinds || !in->has_frames ? from_record__init(&in->from) : 0;
}

void intake__close(struct intake *in)
{
	from_record__free(&in->from);
}

/* ---- records --------------------------------------------------------------------------------- */

/* The map that the sample was written to; -1: unknown id.  Samples of a single map have no ids. */
static int map_of(const struct intake *in, uint32_t cpu)
{
	if (in->inputs->rings.events.outputs < 2)
		return 0;
	return ring__event_of_id(&in->inputs->rings.by_cpu[cpu], in->record.id);
}

static bool fill_sample(struct intake *in)
{
	struct peat_event *event = &in->reader->event;
	int map = map_of(in, event->cpu);

	if (map < 0) {
		in->reader->stats.unknown++;
		return false;
	}
	from_record__sample(&in->from, event, &in->record.sample);
	event->type = (uint32_t)map;
	event->schema = in->schemas[map];
	event->size = appended__trim(event->schema, event->data, event->size);
	return true;
}

static void set_fixed_period(struct intake *in)
{
	in->record.sample.period = in->sampling->samplers.at[in->sampler].attr.sample_period;
	in->record.has |= PEAT_SAMPLE_PERIOD;
}

/* Data of samples is the payload of a tracepoint.  A sampler has the number of its type. */
static bool fill_sampled(struct intake *in)
{
	struct peat_event *event = &in->reader->event;
	struct reader_type type;

	if (!in->reader->ops->type(in->reader, in->sampler, &type))
		return false;
	if (!(in->record.has & PEAT_SAMPLE_PERIOD))
		set_fixed_period(in);
	from_record__sample(&in->from, event, &in->record.sample);
	event->type = in->sampler;
	event->schema = type.schema;
	return true;
}

/* The record's event is not the one that the trailer names. */
static void fill_throttled(struct intake *in)
{
	const struct peat_record *record = &in->record;
	struct peat_event *event = &in->reader->event;
	int index = ring__event_of_id(&in->inputs->rings.by_cpu[event->cpu], record->throttle.id);

	if (in->sampling && index >= 0)
		event->type = (uint32_t)index % in->sampling->samplers.count;
}

/*
 * False: the record's kind was not requested.  Records of a kind that cannot be requested become
 * events without data.
 */
static bool fill_record(struct intake *in, uint32_t cpu)
{
	const struct peat_record *record = &in->record;
	struct peat_event *event = &in->reader->event;

	from_record__begin(event, record);
	event->cpu = cpu;
	in->has_task = record->has & PEAT_SAMPLE_TID;
	in->has_sent_name = false;
	if (!in->has_task)
		event->pid = event->tid = 0;
	if (record->type == PEAT_RECORD_THROTTLE || record->type == PEAT_RECORD_UNTHROTTLE)
		fill_throttled(in);
	if (record->type == PEAT_RECORD_SAMPLE)
		return in->sampling ? fill_sampled(in) : fill_sample(in);
	return from_record__fill(&in->from, event) ||
	       !(side_band__of(record->type) & SIDE_BAND_ALL);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static uint32_t index_of(const struct intake *in)
{
	return in->frame_cpu * PEAT_SLOTS + in->reader->frame.slot;
}

static struct stream *stream_of(struct intake *in)
{
	return &in->accounts->streams[index_of(in)];
}

/*
 * Begins a frame, and a gap if events before it are missing.  If its sequence number is lower than
 * expected, this frame or the one before is invalid; events that were counted
 * as missing have arrived then.
 */
static void begin_frame(struct intake *in, uint32_t cpu, const void *bytes, size_t count)
{
	struct peat_reader *reader = in->reader;
	struct peat_frame *frame = &reader->frame;
	struct stream *stream;
	int64_t missing;

	if (peat_frame__open(frame, bytes, count)) {
		reader->stats.corrupt++;
		return;
	}
	in->frame_cpu = cpu;
	reader->row.step = SIZE_MAX;
	stage__add_consumed(&in->inputs->stage, index_of(in), frame->seq, frame->count);
	stream = stream_of(in);
	missing = stream->begun ? (int64_t)(frame->seq - stream->next_seq) : 0;
	stream->begun = true;
	stream->missing += missing;
	in->in_frame = true;
	in->accounts->uncounted = in->is_plain ? &frame->taken : NULL;
	in->accounts->uncounted_cpu = cpu;
	reader->stats.corrupt += missing < 0;
	in->in_gap = missing > 0;
}

/* Programs count lost events before they write the next frame.  False: all are reported. */
static bool next_of_gap(struct intake *in)
{
	struct peat_reader *reader = in->reader;

	reader->event = (struct peat_event){ .time_ns = reader->frame.time_ns };
	in->in_gap = account__next_gap(in->accounts, index_of(in), &reader->event);
	return in->in_gap;
}

static void count_frame(struct intake *in)
{
	uint32_t events = account__uncounted(in->accounts);

	in->reader->stats.events += events;
	in->accounts->of_cpus[in->frame_cpu].delivered += events;
	in->accounts->uncounted = NULL;
}

/* Events that an invalid frame should have had are missing before the stream's next frame. */
static void end_frame(struct intake *in, bool is_invalid)
{
	in->in_frame = false;
	count_frame(in);
	in->reader->stats.corrupt += is_invalid;
	stream_of(in)->next_seq = in->reader->frame.seq + in->reader->frame.taken;
}

/* Remembers the last type, since the next event mostly has it too. */
static const struct peat_schema *schema_of(struct intake *in, uint32_t type)
{
	if (!in->last_schema || in->last_type != type)
		in->last_schema = in->inputs->channel_functions->schema(in->inputs->channel, type);
	in->last_type = type;
	return in->last_schema;
}

/*
 * Sets only the members that events of a channel differ in, or that other kinds of events set.
 * `record`: the frame's record, if it has stacks; NULL: it has none.
 */
static void fill_framed(struct intake *in, const struct peat_frame_event *framed, uint32_t cpu,
			const struct peat_record *record)
{
	struct peat_event *event = &in->reader->event;

	event->kind = PEAT_EVENT_DATA;
	event->cpu = cpu;
	event->lost = 0;
	event->cause = PEAT_LOST_UNKNOWN;
	event->record = record;
	event->late = false;
	event->schema = schema_of(in, framed->type);
	event->time_ns = framed->time_ns;
	event->pid = framed->tgid;
	event->tid = framed->tid;
	event->has_owner = framed->has_owner;
	event->uid = framed->uid;
	event->cgroup = framed->cgroup;
	event->type = framed->type;
	event->size = framed->size;
	event->data = framed->data;
}

/* False: the frame is done. */
static bool next_of_frame(struct intake *in)
{
	struct peat_reader *reader = in->reader;
	struct peat_frame_event framed;
	const unsigned char *at;
	int more;

	if (reader->row.step != SIZE_MAX)
		frame__skip_name(&reader->frame);
	at = reader->frame.at;
	more = frame__step(&reader->frame, &framed);
	if (more <= 0) {
		end_frame(in, more < 0);
		return false;
	}
	fill_framed(in, &framed, in->frame_cpu, in->is_sampled ? &in->record : NULL);
	in->has_task = framed.has_ids;
	in->has_sent_name =
		in->from.tasks && from_record__name_sent(&in->from, &reader->event, &framed);
	in->sent_name = in->has_sent_name ? reader->event.comm : NULL;
	reader->row.step = SIZE_MAX;
	if (in->is_plain && !in->has_sent_name)
		frame_row__begin(&reader->row, at);
	return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

/*
 * Applies the task records up to the event's time and returns that time, by which the task is
 * named. An event without a time is named as of now.  Events of one frame became visible together,
 * so records up to now are applied once for all of them.
 */
static uint64_t apply_tasks(struct intake *in)
{
	uint64_t time_ns = in->reader->event.time_ns ? in->reader->event.time_ns : UINT64_MAX;

	if (time_ns != UINT64_MAX || !in->is_current)
		inputs__apply_tasks(in->inputs, time_ns);
	in->is_current |= time_ns == UINT64_MAX;
	return time_ns;
}

/* A name is valid until the time up to which task records have been applied. */
static void find_name(struct intake *in, uint64_t time_ns)
{
	struct peat_event *event = &in->reader->event;
	struct named_task *named = &in->reader->named;
	uint64_t applied_ns = in->inputs->drain.tasks_applied_ns;
	struct own_ids ids;

	event->comm = tasks__name_span(in->from.tasks, event->tid, time_ns, &named->since_ns,
				       &named->until_ns, &ids);
	if (named->until_ns > applied_ns)
		named->until_ns = applied_ns;
	event->nspid = ids.pid;
	event->nstid = ids.tid;
}

/* An event without a time has no name that is valid for others. */
void intake__name_task(struct intake *in)
{
	struct peat_event *event = &in->reader->event;
	struct named_task *named = &in->reader->named;

	named->lookups++;
	named->tid = event->tid;
	named->since_ns = 1;
	named->until_ns = 0;
	event->comm = NULL;
	event->nspid = event->nstid = 0;
	if (event->kind == PEAT_EVENT_LOST || !in->has_task)
		return;
	if (in->has_sent_name)
		event->comm = in->sent_name;
	else if (event->tid && event->time_ns)
		find_name(in, apply_tasks(in));
	else
		from_record__name_task(&in->from, event, event->tid ? apply_tasks(in) : 0);
}

/* ---- the stream ------------------------------------------------------------------------------ */

/* LOST records of a channel are skipped: the gaps in the streams give the exact number. */
static bool fill_of_channel(struct intake *in, uint32_t cpu)
{
	const struct peat_record *record = &in->record;

	if (record->type == PEAT_RECORD_SAMPLE &&
	    !frame__is_bell(record->sample.raw, record->sample.raw_bytes))
		begin_frame(in, cpu, record->sample.raw, record->sample.raw_bytes);
	if (record->type == PEAT_RECORD_SAMPLE || record->type == PEAT_RECORD_LOST)
		return false;
	return fill_record(in, cpu);
}

/* The layout of a sample is that of its sampler, whose id is the first field. */
static const struct peat_layout *layout_of_sample(struct intake *in, uint32_t cpu,
						  const struct perf_event_header *raw)
{
	in->sampler = sample_owner__find(in->sampling, &in->inputs->rings.by_cpu[cpu], raw);
	return in->sampler == UINT32_MAX ? NULL : &in->sampling->samplers.at[in->sampler].layout;
}

/* Frames written to the channel's second array have sampled stacks.  The id is their first field.
 */
static const struct peat_layout *layout_of_frame(const struct intake *in, uint32_t cpu,
						 const struct perf_event_header *raw,
						 bool *is_sampled)
{
	const struct perf_events *events = &in->inputs->rings.events;
	uint64_t id = 0;

	if (raw->size >= sizeof(*raw) + sizeof(id))
		memcpy(&id, raw + 1, sizeof(id));
	*is_sampled = ring__event_of_id(&in->inputs->rings.by_cpu[cpu], id) == 1;
	return perf_events__output_layout(events, *is_sampled);
}

/*
 * 0: also the sample of an unknown event.  Sets `is_sampled`: the record is a frame of one event,
 * with stacks.
 */
static int decode(struct intake *in, uint32_t cpu, const struct perf_event_header *raw,
		  bool *is_sampled)
{
	const struct peat_layout *layout;

	in->reader->sample_bytes = raw;
	*is_sampled = false;
	if (in->sampling && raw->type == PEAT_RECORD_SAMPLE)
		layout = layout_of_sample(in, cpu, raw);
	else if (in->inputs->rings.events.first_stacked && raw->type == PEAT_RECORD_SAMPLE)
		layout = layout_of_frame(in, cpu, raw, is_sampled);
	else
		layout = perf_events__layout(&in->inputs->rings.events, raw->type);
	if (!layout)
		return 0;
	return peat_record__decode(layout, raw, raw->size, &in->record);
}

/* True: the piece is an event itself.  False: it is a frame of events, or no event. */
static bool begin_piece(struct intake *in, const struct piece *piece)
{
	struct peat_reader_stats *stats = &in->reader->stats;
	int decoded;

	in->is_current = false;
	in->raw = piece->record;
	if (!piece->record) {
		in->is_sampled = false;
		begin_frame(in, piece->cpu, piece->frame, piece->frame_bytes);
		return false;
	}
	stats->records++;
	decoded = decode(in, piece->cpu, piece->record, &in->is_sampled);
	if (decoded <= 0) {
		stats->corrupt += decoded < 0;
		stats->unknown += !decoded;
		return false;
	}
	from_record__count_lost(&in->record, stats);
	stats->throttled += in->record.type == PEAT_RECORD_THROTTLE;
	return in->has_frames ? fill_of_channel(in, piece->cpu) : fill_record(in, piece->cpu);
}

static bool next_unnamed(struct intake *in)
{
	struct piece piece;

	for (;;) {
		if (in->in_gap && next_of_gap(in))
			return true;
		if (in->in_frame && next_of_frame(in))
			return true;
		if (!inputs__next(in->inputs, &piece))
			return false;
		if (begin_piece(in, &piece))
			return true;
	}
}

bool intake__next(struct intake *in)
{
	if (!next_unnamed(in))
		return false;
	if (in->from.tasks)
		intake__name_task(in);
	return true;
}

/* The frame of sampled stacks has one event.  False: it is not valid any more. */
static bool fill_frame_again(struct intake *in)
{
	const struct peat_sample *sample = &in->record.sample;
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct peat_frame_event framed = { .sz = sizeof(framed) };

	if (peat_frame__open(&frame, sample->raw, sample->raw_bytes) ||
	    peat_frame__next(&frame, &framed) <= 0)
		return false;
	fill_framed(in, &framed, in->reader->event.cpu, &in->record);
	return true;
}

/* The frame that is being read is not done yet: its state stays as it is. */
void intake__decode_again(struct intake *in)
{
	struct peat_event *event = &in->reader->event;
	const char *comm = event->comm;
	bool late = event->late, is_sampled;

	decode(in, event->cpu, event->data, &is_sampled);
	if (!is_sampled || !fill_frame_again(in))
		fill_record(in, event->cpu);
	event->comm = comm;
	event->late = late;
}
