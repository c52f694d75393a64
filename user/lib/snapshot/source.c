// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * snapshot/source.c: options, operations and counts of a snapshot.
 *
 *	live/flight_rings.c ──▶ rings, frames ──▶ frames.c, samples.c ──▶ streams
 *	streams ──▶ base/time_heap.h ──▶ next()
 *
 * All is found and counted when the snapshot is made; next() only decodes and merges.
 */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/opts.h"
#include "channel/channel.h"
#include "channel/ledger.h"
#include "field/appended.h"
#include "live/source.h"
#include "snapshot/source.h"

static struct snapshot_source *snapshot_of(struct peat_reader *reader)
{
	return (struct snapshot_source *)reader;
}

static const struct snapshot_source *const_snapshot_of(const struct peat_reader *reader)
{
	return (const struct snapshot_source *)reader;
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void snapshot__free(struct peat_reader *reader)
{
	struct snapshot_source *snapshot = snapshot_of(reader);

	for (uint32_t i = 0; snapshot->streams && i < snapshot->stream_count; i++) {
		frames__free(&snapshot->streams[i].frames);
		samples__free(&snapshot->streams[i].samples);
	}
	free(snapshot->streams);
	free(snapshot->heap.entries);
	flight_rings__free_copy(&snapshot->copy);
	from_record__free(&snapshot->from);
	tasks__free(snapshot->tasks);
	free(snapshot->ledgers);
	free(snapshot->returned);
	free(snapshot->losses);
	close_fd(snapshot->ready_fd);
	close_fd(snapshot->interrupt_fd);
	source__close(reader);
	free(snapshot);
}

/* ---- events ---------------------------------------------------------------------------------- */

bool snapshot_source__advance(struct snapshot_stream *stream, uint64_t *time_ns)
{
	struct samples *samples = &stream->samples;

	if (!stream->copy) {
		if (!frames__next(&stream->frames))
			return false;
		*time_ns = stream->frames.event.time_ns;
		return true;
	}
	if (samples->at == samples->count)
		return false;
	*time_ns = samples->samples[samples->at++].time_ns;
	return true;
}

/* Remembers the last type, since the next event mostly has it too. */
static const struct peat_schema *schema_of(struct snapshot_source *snapshot, uint32_t type)
{
	if (!snapshot->last_schema || snapshot->last_type != type)
		snapshot->last_schema = peat_channel__schema(snapshot->channel, type);
	snapshot->last_type = type;
	return snapshot->last_schema;
}

static void fill_framed(struct snapshot_source *snapshot, const struct snapshot_stream *stream)
{
	const struct peat_frame_event *framed = &stream->frames.event;

	snapshot->reader.event = (struct peat_event){
		.kind = PEAT_EVENT_DATA,
		.cpu = stream->cpu,
		.time_ns = framed->time_ns,
		.pid = framed->tgid,
		.tid = framed->tid,
		.has_owner = framed->has_owner,
		.uid = framed->uid,
		.cgroup = framed->cgroup,
		.type = framed->type,
		.size = framed->size,
		.data = framed->data,
		.schema = schema_of(snapshot, framed->type),
	};
	if (snapshot->tasks && framed->has_ids &&
	    !from_record__name_sent(&snapshot->from, &snapshot->reader.event, framed))
		from_record__name_task(&snapshot->from, &snapshot->reader.event,
				       framed->time_ns ? framed->time_ns : UINT64_MAX);
	snapshot->returned[stream->cpu]++;
}

static const char *map_name(const struct snapshot_source *snapshot, uint32_t map)
{
	if (snapshot->map_names[map])
		return snapshot->map_names[map];
	return *snapshot->kernel_names[map] ? snapshot->kernel_names[map] : NULL;
}

static void fill_sample(struct snapshot_source *snapshot, const struct snapshot_stream *stream)
{
	const struct sample_at *at = &stream->samples.samples[stream->samples.at - 1];
	const struct perf_event_header *header = (const void *)(stream->copy->bytes + at->offset);
	struct peat_event *event = &snapshot->reader.event;

	peat_record__decode(&snapshot->layout, header, header->size, &snapshot->record);
	from_record__begin(event, &snapshot->record);
	event->cpu = stream->cpu;
	from_record__sample(&snapshot->from, event, &snapshot->record.sample);
	event->type = at->output;
	event->map = map_name(snapshot, at->output);
	event->schema = snapshot->schemas[at->output];
	event->size = appended__trim(event->schema, event->data, event->size);
	if (snapshot->tasks)
		from_record__name_task(&snapshot->from, event, event->time_ns);
}

static bool next_loss(struct snapshot_source *snapshot)
{
	const struct snapshot_loss *loss;

	if (snapshot->loss_at == snapshot->loss_count)
		return false;
	loss = &snapshot->losses[snapshot->loss_at++];
	snapshot->reader.event = (struct peat_event){
		.kind = PEAT_EVENT_LOST,
		.cpu = loss->cpu,
		.time_ns = snapshot->last_ns ? snapshot->last_ns : snapshot->info.time_ns,
		.lost = loss->lost,
		.cause = loss->cause,
	};
	return true;
}

static int snapshot__next(struct peat_reader *reader)
{
	struct snapshot_source *snapshot = snapshot_of(reader);
	struct snapshot_stream *stream;
	struct time_entry next;

	if (!snapshot->heap.count) {
		snapshot->has_ended = !next_loss(snapshot);
		return !snapshot->has_ended;
	}
	next = snapshot->heap.entries[0];
	stream = &snapshot->streams[next.index];
	if (stream->copy)
		fill_sample(snapshot, stream);
	else
		fill_framed(snapshot, stream);
	reader->event.late = reader->event.time_ns < snapshot->last_ns;
	reader->stats.late += reader->event.late;
	if (!reader->event.late)
		snapshot->last_ns = reader->event.time_ns;
	reader->stats.events++;
	reader->stats.event_bytes += reader->event.size;
	if (snapshot_source__advance(stream, &next.time_ns))
		time_heap__renew(&snapshot->heap, next);
	else
		time_heap__remove(&snapshot->heap);
	return 1;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int snapshot__fd(const struct peat_reader *reader)
{
	return const_snapshot_of(reader)->ready_fd;
}

static void snapshot__interrupt(const struct peat_reader *reader)
{
	uint64_t one = 1;
	int saved_errno = errno;

	/* Fails only if the count would exceed 2^64 - 2: it is set anyway. */
	if (write(const_snapshot_of(reader)->interrupt_fd, &one, sizeof(one)) < 0)
		errno = saved_errno;
}

static int snapshot__wait(struct peat_reader *reader, int timeout_ms)
{
	struct snapshot_source *snapshot = snapshot_of(reader);
	uint64_t count;

	(void)timeout_ms;
	if (read(snapshot->interrupt_fd, &count, sizeof(count)) > 0)
		return -ECANCELED;
	return snapshot->has_ended ? -ENODATA : 1;
}

static void snapshot__flush(struct peat_reader *reader)
{
	(void)reader; /* the next round has all events anyway */
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool snapshot__type(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	const struct snapshot_source *snapshot = const_snapshot_of(reader);

	if (snapshot->channel)
		return live_source__channel_type(snapshot->channel, i, type);
	if (i >= snapshot->maps)
		return false;
	type->type = i;
	type->schema = snapshot->schemas[i];
	type->map = map_name(snapshot, i);
	type->name = type->schema ? peat_schema__name(type->schema) : type->map ? type->map : "map";
	return true;
}

static const struct btf *snapshot__btf(const struct peat_reader *reader, uint32_t i)
{
	const struct snapshot_source *snapshot = const_snapshot_of(reader);
	const struct peat_channel *channel = snapshot->channel;

	if (channel)
		return i < channel->bound_count ? channel__btf(&channel->bound[i]) : NULL;
	for (uint32_t map = 0; map < snapshot->maps; map++)
		if (snapshot->map_btfs[map] && !i--)
			return snapshot->map_btfs[map];
	return NULL;
}

static int snapshot__set_schema(struct peat_reader *reader, uint32_t map,
				const struct peat_schema *schema)
{
	struct snapshot_source *snapshot = snapshot_of(reader);

	if (map >= snapshot->maps)
		return -EINVAL;
	snapshot->schemas[map] = schema;
	return 0;
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Events that are in no snapshot, and not lost, are not part of this ledger. */
static void fill_ledger(const struct snapshot_source *snapshot, uint32_t cpu,
			struct peat_ledger *ledger)
{
	*ledger = snapshot->ledgers[cpu];
	ledger->held = ledger->delivered - snapshot->returned[cpu];
	ledger->delivered = snapshot->returned[cpu];
	ledger->staged = ledger->in_ring = ledger->emitted = 0;
	ledger__close(ledger);
	ledger->emitted = -ledger->in_ring;
	ledger->in_ring = 0;
}

static int snapshot__ledger(const struct peat_reader *reader, uint32_t cpu,
			    struct peat_ledger *ledger)
{
	const struct snapshot_source *snapshot = const_snapshot_of(reader);
	struct peat_ledger of_cpu;

	if (!snapshot->channel)
		return -ENOTSUP;
	if (cpu != PEAT_ALL_CPUS && cpu >= snapshot->cpus)
		return -EINVAL;
	*ledger = (struct peat_ledger){ 0 };
	for (uint32_t i = 0; i < snapshot->cpus; i++) {
		if (cpu != PEAT_ALL_CPUS && cpu != i)
			continue;
		fill_ledger(snapshot, i, &of_cpu);
		ledger__add(ledger, &of_cpu);
	}
	if (cpu == PEAT_ALL_CPUS)
		ledger->skipped = snapshot->skipped;
	return 0;
}

static void snapshot__count(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	const struct snapshot_source *snapshot = const_snapshot_of(reader);

	stats->records = snapshot->records;
	stats->corrupt = snapshot->corrupt;
	stats->rounds = snapshot->has_ended;
	stats->rings = snapshot->copy.ring_count;
	stats->lost_is_exact = snapshot->channel != NULL;
	stats->skipped_is_known = snapshot->skipped_is_known;
	stats->skipped = snapshot->skipped;
	for (uint32_t i = 0; i < snapshot->loss_count; i++)
		stats->lost += snapshot->losses[i].lost;
}

int peat_snapshot__info(const struct peat_reader *reader, struct peat_snapshot_info *info)
{
	if (reader->ops != &snapshot_source__ops)
		return fail(-EINVAL);
	return opts__write(info, &const_snapshot_of(reader)->info, sizeof(*info),
			   "peat_snapshot_info")
		       ? fail(-EINVAL)
		       : 0;
}

const struct source_ops snapshot_source__ops = {
	.free = snapshot__free,
	.fd = snapshot__fd,
	.wait = snapshot__wait,
	.interrupt = snapshot__interrupt,
	.next = snapshot__next,
	.flush = snapshot__flush,
	.count = snapshot__count,
	.type = snapshot__type,
	.btf = snapshot__btf,
	.set_schema = snapshot__set_schema,
	.ledger = snapshot__ledger,
};
