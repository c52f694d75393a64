// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* snapshot/take.c: makes a snapshot of a flight recorder. */
#include <stdlib.h>
#include <sys/eventfd.h>

#include <peat/where.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "channel/channel.h"
#include "channel/frame.h"
#include "channel/ledger.h"
#include "live/source.h"
#include "snapshot/source.h"

/* ---- streams --------------------------------------------------------------------------------- */

/* 0 or -ENOMEM. */
static int add_frame(struct snapshot_source *snapshot, uint32_t cpu, const void *bytes,
		     size_t count, uint64_t from_ns)
{
	struct peat_frame frame = { .sz = sizeof(frame) };
	int err;

	if (frame__is_bell(bytes, count))
		return 0;
	if (cpu >= snapshot->cpus || peat_frame__open(&frame, bytes, count)) {
		snapshot->corrupt++;
		return 0;
	}
	err = frames__add(&snapshot->streams[cpu * PEAT_SLOTS + frame.slot].frames, bytes, count,
			  from_ns);
	return err == -ENOMEM ? err : 0;
}

static int add_frames_of_ring(struct snapshot_source *snapshot, const struct backward_copy *copy,
			      uint64_t from_ns)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < copy->count; i++) {
		const struct perf_event_header *header =
			(const void *)(copy->bytes + copy->records[i]);

		if (header->type != PEAT_RECORD_SAMPLE)
			continue;
		if (peat_record__decode(&snapshot->layout, header, header->size,
					&snapshot->record) == 1)
			err = add_frame(snapshot, copy->cpu, snapshot->record.sample.raw,
					snapshot->record.sample.raw_bytes, from_ns);
		else
			snapshot->corrupt++;
	}
	return err;
}

static int add_staged_frames(struct snapshot_source *snapshot, uint64_t from_ns)
{
	int err = 0;

	for (uint32_t index = 0; !err && index < snapshot->copy.slot_count; index++) {
		const struct flight_slot *slot = &snapshot->copy.slots[index];

		if (slot->frame)
			err = add_frame(snapshot, index / PEAT_SLOTS, slot->frame, slot->bytes,
					from_ns);
	}
	return err;
}

static int find_frames(struct snapshot_source *snapshot, uint64_t from_ns)
{
	int err = 0;

	for (uint32_t i = 0; i < snapshot->stream_count; i++)
		snapshot->streams[i].cpu = i / PEAT_SLOTS;
	for (uint32_t i = 0; !err && i < snapshot->copy.ring_count; i++)
		err = add_frames_of_ring(snapshot, &snapshot->copy.rings[i], from_ns);
	if (!err)
		err = add_staged_frames(snapshot, from_ns);
	for (uint32_t i = 0; i < snapshot->stream_count; i++)
		snapshot->corrupt += snapshot->streams[i].frames.corrupt;
	for (uint32_t index = 0; !err && index < snapshot->copy.slot_count; index++)
		frames__drop_outdated(&snapshot->streams[index].frames,
				      snapshot->copy.slots[index].frame);
	return err;
}

static int find_samples(struct snapshot_source *snapshot, uint64_t from_ns)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < snapshot->stream_count; i++) {
		struct snapshot_stream *stream = &snapshot->streams[i];

		stream->copy = &snapshot->copy.rings[i];
		stream->cpu = stream->copy->cpu;
		err = samples__find(&stream->samples, stream->copy, &snapshot->layout, from_ns);
		snapshot->corrupt += stream->samples.corrupt;
	}
	return err;
}

static int find_streams(struct snapshot_source *snapshot, uint64_t from_ns)
{
	snapshot->stream_count =
		snapshot->channel ? snapshot->cpus * PEAT_SLOTS : snapshot->copy.ring_count;
	snapshot->streams = calloc(snapshot->stream_count + 1, sizeof(*snapshot->streams));
	if (!snapshot->streams)
		return -ENOMEM;
	for (uint32_t i = 0; i < snapshot->copy.ring_count; i++) {
		snapshot->records += snapshot->copy.rings[i].count;
		snapshot->corrupt += snapshot->copy.rings[i].is_corrupt;
	}
	return snapshot->channel ? find_frames(snapshot, from_ns) : find_samples(snapshot, from_ns);
}

static void put_streams(struct snapshot_source *snapshot)
{
	for (uint32_t i = 0; i < snapshot->stream_count; i++) {
		struct time_entry entry = { .tie = i, .index = i };

		if (snapshot_source__advance(&snapshot->streams[i], &entry.time_ns))
			time_heap__put(&snapshot->heap, entry);
	}
}

static int fill_heap(struct snapshot_source *snapshot)
{
	struct time_heap *heap = &snapshot->heap;

	heap->entries = calloc(snapshot->stream_count + 1, sizeof(*heap->entries));
	if (!heap->entries)
		return -ENOMEM;
	put_streams(snapshot);
	return 0;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void count_stream(struct snapshot_source *snapshot, struct live_source *live, uint32_t index)
{
	const struct frames *frames = &snapshot->streams[index].frames;

	if (frames->count)
		account__skip(&live->accounts, index, frames->frames[0].seq);
	for (uint32_t i = 0; i < frames->count; i++) {
		const struct frame_at *frame = &frames->frames[i];

		account__deliver(&live->accounts, index, frame->seq, frame->end_seq, frame->used);
		snapshot->info.events += frame->used;
	}
	if (!frames->count && snapshot->copy.slot_count)
		account__skip(&live->accounts, index, snapshot->copy.slots[index].sent);
}

/* Without memory, the remaining losses are reported by the next snapshot. */
static void find_losses(struct snapshot_source *snapshot, struct live_source *live)
{
	struct peat_event event = { 0 };

	while (account__next_loss(&live->accounts, &event)) {
		if (!ARRAY_RESERVE_NEXT(snapshot->losses, snapshot->loss_count))
			return;
		snapshot->losses[snapshot->loss_count++] =
			(struct snapshot_loss){ event.lost, event.cpu, event.cause };
	}
}

/* The counts since the snapshot before. */
static int fill_ledgers(struct snapshot_source *snapshot, struct live_source *live)
{
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < snapshot->cpus; cpu++) {
		struct peat_ledger now;

		err = account__fill(&live->accounts, cpu, &now);
		if (err)
			break;
		snapshot->ledgers[cpu] = now;
		ledger__subtract(&snapshot->ledgers[cpu], &live->flight.taken[cpu]);
		live->flight.taken[cpu] = now;
	}
	return err;
}

/* The runs since the snapshot before. */
static void count_skipped(struct snapshot_source *snapshot, struct live_source *live)
{
	uint64_t skipped;

	snapshot->skipped_is_known = skipped__read(&live->inputs.skipped, &skipped);
	snapshot->skipped = skipped - live->flight.skipped;
	live->flight.skipped = skipped;
}

static int count_channel(struct snapshot_source *snapshot, struct live_source *live)
{
	for (uint32_t index = 0; index < snapshot->stream_count; index++)
		count_stream(snapshot, live, index);
	find_losses(snapshot, live);
	return fill_ledgers(snapshot, live);
}

/* ---- info ------------------------------------------------------------------------------------ */

static uint64_t last_time(const struct snapshot_stream *stream)
{
	const struct samples *samples = &stream->samples;
	uint64_t last_ns = 0;

	if (stream->copy)
		return samples->count ? samples->samples[samples->count - 1].time_ns : 0;
	for (uint32_t i = 0; i < stream->frames.count; i++)
		if (stream->frames.frames[i].last_ns > last_ns)
			last_ns = stream->frames.frames[i].last_ns;
	return last_ns;
}

static void fill_info(struct snapshot_source *snapshot)
{
	const struct flight_copy *copy = &snapshot->copy;
	struct peat_snapshot_info *info = &snapshot->info;

	info->sz = sizeof(*info);
	info->time_ns = copy->time_ns;
	info->swap_ns = copy->swap_ns;
	info->copy_ns = copy->copy_ns;
	info->first_ns = snapshot->heap.count ? snapshot->heap.entries[0].time_ns : 0;
	for (uint32_t i = 0; i < snapshot->stream_count; i++) {
		uint64_t last_ns = last_time(&snapshot->streams[i]);

		info->last_ns = last_ns > info->last_ns ? last_ns : info->last_ns;
		info->events += snapshot->streams[i].samples.count;
	}
	for (uint32_t i = 0; i < copy->ring_count; i++) {
		info->bytes += copy->rings[i].used_bytes;
		info->overwritten_bytes += copy->rings[i].overwritten_bytes;
	}
	for (uint32_t index = 0; index < copy->slot_count; index++)
		info->bytes += copy->slots[index].bytes;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_fds(struct snapshot_source *snapshot)
{
	snapshot->ready_fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
	snapshot->interrupt_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (snapshot->ready_fd >= 0 && snapshot->interrupt_fd >= 0)
		return 0;
	log__error("cannot create an eventfd: %s", strerror(errno));
	return -errno;
}

static int open_channel(struct snapshot_source *snapshot, const struct live_source *live)
{
	snapshot->channel = live->channel;
	snapshot->cpus = live->accounts.cpus;
	snapshot->ledgers = calloc(snapshot->cpus, sizeof(*snapshot->ledgers));
	snapshot->returned = calloc(snapshot->cpus, sizeof(*snapshot->returned));
	if (!snapshot->ledgers || !snapshot->returned)
		return -ENOMEM;
	return source__count_selection(&snapshot->reader, snapshot->cpus);
}

static int open_maps(struct snapshot_source *snapshot, const struct live_source *live)
{
	snapshot->maps = live->inputs.rings.events.outputs;
	for (uint32_t map = 0; map < snapshot->maps; map++) {
		snapshot->schemas[map] = live->intake.schemas[map];
		snapshot->map_names[map] = live->map_names[map];
		snapshot->map_btfs[map] = live->map_btfs[map];
		memcpy(snapshot->kernel_names[map], live->inputs.rings.map_names[map],
		       sizeof(snapshot->kernel_names[map]));
	}
	return from_record__init(&snapshot->from);
}

/*
 * Sets the fds first, which are closed in any case.  All memory that does not depend on the copy
 * follows, so that a failure loses nothing.
 */
static int open_snapshot(struct snapshot_source *snapshot, const struct live_source *live)
{
	int err = open_fds(snapshot);

	snapshot->layout = live->inputs.rings.events.output;
	snapshot->record.sz = sizeof(snapshot->record);
	if (!err)
		err = live->channel ? open_channel(snapshot, live) : open_maps(snapshot, live);
	return err;
}

static int copy_names(struct snapshot_source *snapshot, const struct live_source *live)
{
	if (!live->flight.names)
		return 0;
	snapshot->tasks = snapshot->from.tasks = tasks__copy(live->flight.names->tasks);
	snapshot->from.has_other_pids = live->intake.from.has_other_pids;
	return snapshot->tasks ? 0 : -ENOMEM;
}

/* Events that were copied, but cannot be returned, are overwritten for the ledger. */
static void skip_all(const struct snapshot_source *snapshot, struct live_source *live)
{
	for (uint32_t index = 0; index < snapshot->copy.slot_count; index++)
		account__skip(&live->accounts, index, snapshot->copy.slots[index].sent);
}

static int take(struct snapshot_source *snapshot, struct live_source *live,
		const struct peat_snapshot_opts *opts)
{
	uint64_t from_ns = 0;
	int err = flight_rings__copy(&live->flight, &live->inputs,
				     opts->bytes ? opts->bytes : UINT64_MAX, &snapshot->copy);

	if (opts->last_ns && opts->last_ns < snapshot->copy.time_ns)
		from_ns = snapshot->copy.time_ns - opts->last_ns;
	if (!err)
		err = find_streams(snapshot, from_ns);
	if (!err)
		err = fill_heap(snapshot);
	if (!err)
		err = copy_names(snapshot, live);
	if (err) {
		skip_all(snapshot, live);
		return err;
	}
	fill_info(snapshot);
	count_skipped(snapshot, live);
	return live->channel ? count_channel(snapshot, live) : 0;
}

static struct live_source *flight_of(struct peat_reader *reader)
{
	struct live_source *live = flight_rings__of(reader);

	if (live)
		return live;
	log__error("only a reader with peat_reader_opts.overwrite keeps events for snapshots");
	return NULL;
}

struct peat_reader *peat_reader__snapshot(struct peat_reader *reader,
					  const struct peat_snapshot_opts *callers_opts)
{
	struct peat_snapshot_opts opts = PEAT_SNAPSHOT_OPTS_INIT;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_snapshot_opts");
	struct live_source *live = err ? NULL : flight_of(reader);
	struct snapshot_source *snapshot;

	if (!live)
		return fail_null(-EINVAL);
	err = fork_mark__check(reader->mark, "the reader");
	if (err)
		return fail_null(err);
	snapshot = calloc(1, sizeof(*snapshot));
	if (!snapshot)
		return fail_null(-ENOMEM);
	snapshot->reader.ops = &snapshot_source__ops;
	snapshot->reader.row.step = SIZE_MAX;
	snapshot->reader.is_patient = true;
	snapshot->reader.selection.where = reader->selection.where;
	snapshot->reader.selection.pids = reader->selection.pids;
	source__open(&snapshot->reader);
	err = open_snapshot(snapshot, live);
	if (!err)
		err = take(snapshot, live, &opts);
	if (!err)
		return &snapshot->reader;
	snapshot_source__ops.free(&snapshot->reader);
	return fail_null(err);
}

/* ---- events that could not be written -------------------------------------------------------- */

static void begin_anew(struct snapshot_source *snapshot)
{
	for (uint32_t i = 0; i < snapshot->stream_count; i++) {
		struct snapshot_stream *stream = &snapshot->streams[i];

		stream->samples.at = stream->frames.at = 0;
		stream->frames.frame = (struct peat_frame){ 0 };
	}
	snapshot->heap.count = 0;
	put_streams(snapshot);
}

/* The heap has each stream that has a next event. */
static void overwrite_rest(struct snapshot_source *snapshot, struct live_source *live)
{
	uint64_t time_ns;

	for (uint32_t i = 0; i < snapshot->heap.count; i++) {
		struct snapshot_stream *stream =
			&snapshot->streams[snapshot->heap.entries[i].index];
		struct peat_ledger *taken = &live->flight.taken[stream->cpu];
		uint64_t events = 1;

		while (snapshot_source__advance(stream, &time_ns))
			events++;
		account__overwrite(&live->accounts, stream->cpu, events);
		taken->delivered -= events;
		taken->overwritten += events;
	}
	snapshot->heap.count = 0;
}

/* Whether peat_reader__next() has returned the present event, and not filtered it. */
static bool is_returned(const struct peat_reader *snapshot)
{
	struct peat_where *where = snapshot->selection.where;

	return snapshot->event.kind == PEAT_EVENT_DATA &&
	       source__wants_pid(&snapshot->selection, &snapshot->event) &&
	       (!where || peat_where__test(where, &snapshot->event));
}

int peat_snapshot__keep(struct peat_reader *snapshot_reader, struct peat_reader *reader,
			uint64_t events)
{
	struct snapshot_source *snapshot = (struct snapshot_source *)snapshot_reader;
	struct live_source *live = flight_of(reader);

	if (!live || snapshot_reader->ops != &snapshot_source__ops)
		return fail(-EINVAL);
	if (fork_mark__is_inherited(reader->mark))
		return fail(-ECHILD);
	if (!snapshot->channel)
		return 0;
	begin_anew(snapshot);
	while (events && snapshot->heap.count && snapshot_source__ops.next(snapshot_reader) > 0)
		events -= is_returned(snapshot_reader);
	overwrite_rest(snapshot, live);
	return 0;
}
