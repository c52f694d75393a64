// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/source.c: reads the records of a perf.data, in file order or by timestamp. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <peat/binding.h>

#include "base/cursor.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "event/side_band.h"
#include "replay/source.h"
#include "replay/waiting.h"

/* Entries per drain, after which the caller can stop. */
#define DRAIN_ENTRIES 16384

/* Queues: one per CPU, whose records are nearly sorted, and one for records without a CPU. */
#define STREAMS 257

static struct replay *replay_of(struct peat_reader *reader)
{
	return (struct replay *)reader;
}

static const struct replay *const_replay_of(const struct peat_reader *reader)
{
	return (const struct replay *)reader;
}

struct perf_recording *replay__recording(struct peat_reader *reader)
{
	return &replay_of(reader)->in.rec;
}

/* ---- by timestamp ---------------------------------------------------------------------------- */

static uint32_t stream_of(const struct replay *replay, const struct perf_entry *entry)
{
	const struct peat_record *record = &replay->in.record;

	if (replay->has_streams)
		return entry->stream % STREAMS;
	if (!(record->has & PEAT_SAMPLE_CPU) || record->cpu == PEAT_NO_CPU)
		return STREAMS - 1;
	return record->cpu % (STREAMS - 1);
}

/* Type of a queued record that belongs to no event. */
#define NO_EVENT UINT32_MAX

/* Queues the bytes and the event's index; the rest is decoded when the record is released. */
static int queue_record(struct replay *replay, const struct perf_entry *entry, uint64_t sampled_ns)
{
	struct peat_event *queued = &replay->queued;

	queued->time_ns = sampled_ns;
	queued->type = entry->attr ? entry->attr->index : NO_EVENT;
	queued->size = entry->size;
	queued->data = entry->bytes;
	return order__put(&replay->order, stream_of(replay, entry), queued);
}

#define HEADER_BYTES 8

/* Offset of the fixed-size field `field` in samples that have `fields`; 0: they lack it. */
static uint32_t offset_of(uint64_t fields, uint64_t field, uint64_t before)
{
	uint32_t words = (uint32_t)__builtin_popcountll(fields & before);

	return fields & field ? HEADER_BYTES + words * (uint32_t)sizeof(uint64_t) : 0;
}

/* Cached, because samples of one event often follow each other. */
static void find_offsets(struct sample_offsets *offsets, const struct perf_attr *attr)
{
	const uint64_t before_time = PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_IP | PEAT_SAMPLE_TID;
	const uint64_t before_cpu = before_time | PEAT_SAMPLE_TIME | PEAT_SAMPLE_ADDR |
				    PEAT_SAMPLE_ID | PEAT_SAMPLE_STREAM_ID;
	uint64_t fields = attr->layout.sample_type;

	offsets->attr = attr;
	offsets->time = offset_of(fields, PEAT_SAMPLE_TIME, before_time);
	offsets->cpu = offset_of(fields, PEAT_SAMPLE_CPU, before_cpu);
}

/*
 * Reads the timestamp and the CPU of a sample, which is all that ordering needs: the sample is
 * decoded once, when it is returned.  False: no sample, too short, or without a timestamp.
 */
static bool peek_sample(struct replay *replay, const struct perf_entry *entry)
{
	struct peat_record *record = &replay->in.record;
	struct sample_offsets *offsets = &replay->offsets;
	bool swapped = replay->in.rec.features.swapped;

	if (entry->type != PEAT_RECORD_SAMPLE || !entry->attr)
		return false;
	if (offsets->attr != entry->attr)
		find_offsets(offsets, entry->attr);
	if (!offsets->time || entry->size < offsets->time + sizeof(uint64_t) ||
	    entry->size < offsets->cpu + sizeof(uint64_t))
		return false;
	record->has = PEAT_SAMPLE_TIME | (offsets->cpu ? PEAT_SAMPLE_CPU : 0);
	record->time_ns = load_u64(entry->bytes + offsets->time, swapped);
	record->cpu = offsets->cpu ? load_u32(entry->bytes + offsets->cpu, swapped) : 0;
	return from_record__time_ns(record);
}

/* Queues the undecoded record: 0; 1: not queued, replay->reader.event is set; or an errno. */
static int queue_entry(struct replay *replay, const struct perf_entry *entry)
{
	struct replay_intake *in = &replay->in;
	bool is_decoded = !peek_sample(replay, entry);
	uint64_t sampled_ns;

	if (is_decoded &&
	    !replay_intake__decode(in, entry->attr, entry->layout, entry->bytes, entry->size))
		return 0;
	sampled_ns = from_record__time_ns(&in->record);
	if (sampled_ns > replay->newest_ns)
		replay->newest_ns = sampled_ns;
	if (sampled_ns && !queue_record(replay, entry, sampled_ns))
		return 0;
	if (!is_decoded &&
	    !replay_intake__decode(in, entry->attr, entry->layout, entry->bytes, entry->size))
		return 0;
	return replay_intake__fill_event(in, entry->attr);
}

static const struct peat_layout *unowned_layout(const struct replay_intake *in,
						const struct peat_event *queued)
{
	const struct peat_layout *layout;
	uint32_t type;

	memcpy(&type, queued->data, sizeof(type));
	if (in->rec.features.swapped)
		type = __builtin_bswap32(type);
	perf_attrs__owner(perf_file__attrs(in->rec.file), type, queued->data, queued->size,
			  &layout);
	return layout;
}

/* The event found on reading: later events may have the same ids. */
static const struct perf_attr *attr_of(const struct replay_intake *in,
				       const struct peat_event *queued)
{
	return queued->type == NO_EVENT ? NULL : perf_file__attrs(in->rec.file)->at[queued->type];
}

static const struct peat_layout *layout_of(const struct replay_intake *in,
					   const struct peat_event *queued)
{
	const struct perf_attr *attr = attr_of(in, queued);

	return attr ? &attr->layout : unowned_layout(in, queued);
}

/* part: has the deferred stack of the sample, or NULL. */
static int fill_queued(struct replay *replay, const struct peat_event *queued,
		       const struct peat_event *part)
{
	struct replay_intake *in = &replay->in;

	if (!replay_intake__decode(in, attr_of(in, queued), layout_of(in, queued), queued->data,
				   queued->size))
		return 0;
	if (part)
		deferral__complete(&replay->deferral, part, layout_of(in, part), &in->record);
	return replay_intake__fill_event(in, attr_of(in, queued));
}

static bool queue_is_full(const struct replay *replay)
{
	return replay->order.buffered_bytes > replay->order.limit_bytes;
}

/* ---- deferred stacks ------------------------------------------------------------------------- */

static bool needs_deferral(const struct replay *replay, const struct peat_event *queued)
{
	const struct perf_attr *attr = attr_of(&replay->in, queued);

	return !deferred__is_empty(&replay->deferral.queue) ||
	       (attr && perf_attr__has(attr, PERF_ATTR_DEFER_CALLCHAIN));
}

/* 1: the next record by time, and the deferred stack of a sample; 0: none; -ENOMEM. */
static int next_record(struct replay *replay, struct peat_event *queued,
		       const struct peat_event **part)
{
	struct deferral *deferral = &replay->deferral;
	int err = 0;

	*part = NULL;
	while (!err && !deferred__next(&deferral->queue, queued, part)) {
		if (order__next(&replay->order, queued)) {
			if (!needs_deferral(replay, queued))
				return 1;
			err = deferral__put(deferral, queued, layout_of(&replay->in, queued));
		} else if (replay->is_flushing && !deferred__is_empty(&deferral->queue)) {
			deferred__release(&deferral->queue);
		} else {
			return 0;
		}
	}
	return err ? perf_recording__log_error(&replay->in.rec, err, NULL) : 1;
}

/*
 * 1: an event; 0: none can be released.  Records wait for the end of their round, as in perf, so
 * that of several late ones the oldest is returned first.
 */
static int next_queued(struct replay *replay)
{
	const struct peat_event *part;
	struct peat_event queued;
	int ret = 0, more = 1;

	while (!ret && (replay->is_releasing || queue_is_full(replay)) &&
	       (more = next_record(replay, &queued, &part)) > 0)
		ret = fill_queued(replay, &queued, part);
	if (more < 0)
		return more;
	replay->is_releasing = replay->is_releasing && ret > 0;
	replay->is_flushing = replay->is_flushing && ret > 0;
	return ret;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/*
 * Releases queued records up to `until_ns`.  A round is one drain of all rings by perf: records
 * after a round may be older than the round's, but not older than the previous round's.
 */
static void release_queued(struct replay *replay, uint64_t until_ns)
{
	order__release_until(&replay->order, until_ns);
	replay->is_releasing = true;
}

static void release_all(struct replay *replay)
{
	release_queued(replay, UINT64_MAX);
	replay->is_flushing = true;
}

static void end_round(struct replay *replay)
{
	release_queued(replay, replay->round_newest_ns);
	replay->round_newest_ns = replay->newest_ns;
}

/* ---- the files of a directory ---------------------------------------------------------------- */

/*
 * The files have no rounds: nothing tells how far back the next record of a file may go.  A file of
 * several CPUs goes back by the time between two drains, and that of one CPU by interrupts that
 * came while the kernel wrote a record.  So records wait as long as the queue has room, which is
 * what perf does.
 */
static int next_merged(struct replay *replay, struct perf_entry *entry)
{
	int ret = merge_files__next(&replay->merge, entry);

	order__release_until(&replay->order, replay->merge.reached_ns);
	return ret;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static int process_entry(struct replay *replay, struct perf_entry *entry)
{
	struct replay_intake *in = &replay->in;
	int err = entry->type < TOOL_HEADER_ATTR ? replay_intake__begin(in, entry) : 0;

	if (err)
		return err;
	in->reader->stats.records++;
	if (entry->type >= TOOL_HEADER_ATTR) {
		if (entry->type == TOOL_FINISHED_ROUND && replay->is_ordered &&
		    !replay->has_streams)
			end_round(replay);
		return replay_intake__fill_tool_event(in, entry);
	}
	if (!replay->is_ordered)
		return replay_intake__decode(in, entry->attr, entry->layout, entry->bytes,
					     entry->size)
			       ? replay_intake__fill_event(in, entry->attr)
			       : 0;
	return queue_entry(replay, entry);
}

static int end_recording(struct replay *replay)
{
	replay->at_end = true;
	perf_recording__report_file_end(&replay->in.rec);
	perf_recording__report_end(&replay->in.rec, &replay->in.header.end);
	if (replay->is_ordered)
		release_all(replay);
	return replay_intake__resolve_types(&replay->in);
}

static const char *explain_read_error(int err)
{
	return err == -EMFILE ? "ordered, all files of a directory are open together, and it has "
				"more than a process may have: ulimit -n raises that"
			      : NULL;
}

static int next_entry(struct replay *replay, struct perf_entry *entry)
{
	replay->entries_left--;
	return replay->has_streams ? next_merged(replay, entry)
				   : perf_file__next(replay->in.rec.file, entry);
}

/* All events of the last recording are returned before the entry, its times mean nothing then. */
static void hold_entry(struct replay *replay, const struct perf_entry *entry)
{
	replay->held = *entry;
	replay->has_held = true;
	if (replay->is_ordered)
		release_all(replay);
}

static int process_held(struct replay *replay)
{
	int err = replay_intake__restart(&replay->in);

	replay->has_held = false;
	replay->last_ns = replay->newest_ns = replay->round_newest_ns = 0;
	replay->offsets.attr = NULL;
	if (replay->is_ordered)
		order__restart(&replay->order);
	return err ? err : process_entry(replay, &replay->held);
}

/* 1: an entry was processed, *has_event: into reader.event; 0: no entry now. */
static int read_entry(struct replay *replay, bool *has_event)
{
	struct perf_entry entry;
	int ret;

	if (replay->has_held) {
		ret = process_held(replay);
		*has_event = ret > 0;
		return ret < 0 ? ret : 1;
	}
	if (replay->at_end || !replay->entries_left || perf_file__would_wait(replay->in.rec.file))
		return 0;
	ret = next_entry(replay, &entry);
	if (ret < 0)
		return perf_recording__log_error(&replay->in.rec, ret, explain_read_error(ret));
	if (!ret) {
		ret = end_recording(replay);
		return ret ? ret : 1;
	}
	if (perf_file__recordings(replay->in.rec.file) != replay->in.recordings) {
		hold_entry(replay, &entry);
		return 1;
	}
	ret = process_entry(replay, &entry);
	*has_event = ret > 0;
	return ret < 0 ? ret : 1;
}

static int next_event(struct replay *replay)
{
	bool has_event = false;
	int more = 1;

	while (more > 0) {
		if (replay->is_ordered && (more = next_queued(replay)))
			return more;
		more = read_entry(replay, &has_event);
		if (has_event)
			return 1;
	}
	return more;
}

/* Late relative to returned events: many records are no events, or are filtered. */
static void mark_late(struct replay *replay)
{
	struct peat_event *event = &replay->reader.event;

	if (!event->time_ns || !from_record__time_ns(&replay->in.record))
		return;
	event->late = event->time_ns < replay->last_ns;
	replay->reader.stats.late += event->late;
	if (!event->late)
		replay->last_ns = event->time_ns;
}

static void count_event(struct replay *replay)
{
	const struct peat_event *event = &replay->reader.event;

	if (replay->is_ordered)
		mark_late(replay);
	if (event->kind != PEAT_EVENT_DATA)
		return;
	replay->reader.stats.events++;
	replay->reader.stats.event_bytes += event->size;
}

static void end_drain(struct replay *replay)
{
	replay->entries_left = DRAIN_ENTRIES;
	replay->reader.stats.rounds++;
	if (perf_file__fd(replay->in.rec.file) >= 0)
		replay_waiting__mark(replay, replay->has_held ||
						     (!replay->at_end &&
						      !perf_file__would_wait(replay->in.rec.file)));
}

/* The types of a pipe are known at its end, unless it is cut. */
static int check_fields(struct replay *replay)
{
	const struct selection *selection = &replay->reader.selection;

	if (!replay->reader.lacks_types || replay->in.rec.end.how != PERF_END_WHOLE)
		return 0;
	replay->reader.lacks_types = false;
	return peat_reader__resolve(&replay->reader, selection->where, selection->table,
				    selection->side_band);
}

static int replay__next(struct peat_reader *reader)
{
	struct replay *replay = replay_of(reader);
	int more = replay->err ? replay->err : next_event(replay);

	if (!more && replay->at_end)
		more = check_fields(replay);
	if (more > 0)
		count_event(replay);
	else if (!more)
		end_drain(replay);
	else
		replay->err = more;
	return more;
}

/* All queued records are returned before anything else is read. */
static void replay__flush(struct peat_reader *reader)
{
	struct replay *replay = replay_of(reader);

	if (!replay->is_ordered)
		return;
	release_all(replay);
	replay->entries_left = 0;
}

/* Events of another recording count once all of its types are known. */
static uint32_t known_events(const struct replay *replay)
{
	const struct perf_attrs *attrs = perf_file__attrs(replay->in.rec.file);
	const struct replay_types *types = &replay->in.types;
	bool is_new = replay->has_held || (types->other_count && !types->has_begun);

	return is_new ? attrs->begin : attrs->count;
}

static const struct peat_schema *replay__schema(struct peat_reader *reader, uint32_t i)
{
	struct replay_intake *in = &replay_of(reader)->in;
	const struct perf_attrs *attrs = perf_file__attrs(in->rec.file);
	const struct replay_type *event = i < known_events(replay_of(reader))
						  ? replay_types__of(&in->types, attrs->at[i])
						  : NULL;

	return event ? event->schema : NULL;
}

static bool replay__type(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	type->type = i;
	type->schema = replay__schema(reader, i);
	type->name = type->schema ? peat_schema__name(type->schema) : NULL;
	return type->schema;
}

static const struct btf *replay__btf(const struct peat_reader *reader, uint32_t i)
{
	const struct recorded_btfs *btfs = &const_replay_of(reader)->in.types.formats->btfs;

	return i < btfs->count ? btfs->at[i] : NULL;
}

static void replay__count(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	perf_file__position(const_replay_of(reader)->in.rec.file, &stats->read_bytes,
			    &stats->all_bytes);
	stats->hurried = const_replay_of(reader)->order.hurried;
	stats->skipped = const_replay_of(reader)->in.header.skipped;
	stats->skipped_is_known = const_replay_of(reader)->in.header.has_skipped;
	stats->stacks_missing = const_replay_of(reader)->deferral.queue.missing;
	stats->lost = stats->lost_records > stats->lost_samples ? stats->lost_records
								: stats->lost_samples;
}

static int replay__wall_clock(const struct peat_reader *reader, int64_t *offset_ns)
{
	const struct replay_header *header = &const_replay_of(reader)->in.header;

	if (!header->has_wall_clock)
		return -ENODATA;
	*offset_ns = header->wall_clock_ns;
	return 0;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int replay__fd(const struct peat_reader *reader)
{
	return const_replay_of(reader)->epoll_fd;
}

static void replay__interrupt(const struct peat_reader *reader)
{
	replay_waiting__interrupt(const_replay_of(reader));
}

/* The result after the last event. */
static int end_result(const struct replay *replay)
{
	return replay->in.rec.end.how == PERF_END_WHOLE ? -ENODATA : -EBADMSG;
}

static bool has_queued(struct replay *replay)
{
	return replay->is_ordered &&
	       (order__is_ready(&replay->order) || !deferred__is_empty(&replay->deferral.queue));
}

static int replay__wait(struct peat_reader *reader, int timeout_ms)
{
	struct replay *replay = replay_of(reader);
	struct epoll_event event;
	int ready;

	if (replay_waiting__was_interrupted(replay))
		return -ECANCELED;
	if (replay->err)
		return replay->err;
	if (replay->at_end && !has_queued(replay))
		return end_result(replay);
	if (replay->at_end || replay->has_held || !perf_file__would_wait(replay->in.rec.file))
		return 1;
	ready = epoll_wait(replay->epoll_fd, &event, 1, timeout_ms);
	if (ready < 0)
		return -errno;
	return ready && replay_waiting__was_interrupted(replay) ? -ECANCELED : ready;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Directories have no rounds, so they use all memory that they get. */
#define DIRECTORY_MEMORY_BYTES (24u << 20)

/*
 * Samples wait for their deferred stacks in a part of the memory.  A task that sleeps may let them
 * wait for hours, and the output of a pipe is read while it runs.
 */
#define DEFERRED_MEMORY(bytes) ((bytes) / 4)
#define PIPE_WAIT_NS	       1000000000u

static int open_order(struct replay *replay, const struct peat_replay_opts *opts)
{
	uint64_t memory_bytes = opts->memory_bytes;

	replay->is_ordered = opts->ordered;
	replay->queued.kind = PEAT_EVENT_RECORD;
	if (!opts->ordered)
		return 0;
	replay->has_streams = perf_file__streams(replay->in.rec.file) > 1;
	if (replay->has_streams && merge_files__init(&replay->merge, replay->in.rec.file))
		return -ENOMEM;
	if (!memory_bytes)
		memory_bytes = replay->has_streams ? DIRECTORY_MEMORY_BYTES
						   : PEAT_DEFAULT_REPLAY_MEMORY_BYTES;
	deferral__init(&replay->deferral, DEFERRED_MEMORY(memory_bytes),
		       perf_file__fd(replay->in.rec.file) < 0 ? UINT64_MAX : PIPE_WAIT_NS);
	return order__init(&replay->order, STREAMS, memory_bytes);
}

static int open_all(struct replay *replay, const struct peat_replay_opts *opts)
{
	struct perf_recording *rec = &replay->in.rec;
	int err = perf_recording__open(rec, replay->path);

	if (!err)
		err = replay_intake__open(&replay->in, &replay->reader, opts);
	if (err)
		return err;
	replay->entries_left = DRAIN_ENTRIES;
	err = open_order(replay, opts);
	if (!err)
		err = replay_waiting__open(replay);
	return err ? perf_recording__log_error(rec, err, NULL) : 0;
}

static void replay__free(struct peat_reader *reader)
{
	struct replay *replay = replay_of(reader);

	replay_waiting__close(replay);
	order__free(&replay->order);
	deferral__free(&replay->deferral);
	replay_intake__close(&replay->in);
	merge_files__free(&replay->merge);
	free(replay->path);
	source__close(&replay->reader);
	free(replay);
}

/* The order of the recording may be any. */
static uint64_t replay__safe_time(struct peat_reader *reader, bool is_urgent)
{
	(void)is_urgent;
	return replay_of(reader)->is_ordered ? UINT64_MAX : 0;
}

static const struct source_ops replay_ops = {
	.free = replay__free,
	.fd = replay__fd,
	.wait = replay__wait,
	.interrupt = replay__interrupt,
	.next = replay__next,
	.flush = replay__flush,
	.safe_time = replay__safe_time,
	.type = replay__type,
	.recorded_type = replay__schema,
	.btf = replay__btf,
	.count = replay__count,
	.wall_clock = replay__wall_clock,
};

static int check_opts(const struct peat_replay_opts *opts)
{
	if (!(opts->side_band & ~SIDE_BAND_RECORDED))
		return OPTS_CHECK_RESERVED(opts, "peat_replay_opts");
	log__error("peat_replay_opts: side_band is %#x: PEAT_SIDE_BAND_..., or-ed",
		   opts->side_band);
	return -EINVAL;
}

struct peat_reader *peat_reader__open(const char *path, const struct peat_replay_opts *callers_opts)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	struct replay *replay;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_replay_opts");

	if (!err)
		err = check_opts(&opts);
	if (err)
		return fail_null(err);
	replay = calloc(1, sizeof(*replay));
	if (!replay)
		return fail_null(-ENOMEM);
	replay->reader.ops = &replay_ops;
	replay->reader.selection.where = opts.where;
	replay->reader.selection.table = opts.table;
	replay->reader.selection.side_band = opts.where_side_band;
	source__open(&replay->reader);
	replay->epoll_fd = replay->interrupt_fd = replay->ready_fd = -1;
	replay->path = strdup(path);
	err = replay->path ? open_all(replay, &opts) : -ENOMEM;
	if (!err) {
		replay->reader.lacks_types = !perf_file__attrs(replay->in.rec.file)->count;
		err = peat_reader__resolve(&replay->reader, opts.where, opts.table,
					   opts.where_side_band);
	}
	if (!err)
		return &replay->reader;
	replay__free(&replay->reader);
	return fail_null(err);
}
