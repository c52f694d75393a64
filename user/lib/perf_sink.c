// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * perf_sink.c: events become the records of a recording.
 *
 *	write ──▶ encode ──▶ block ──▶ queue ──▶ │ deflate ──▶ perf_writer ──▶ fd
 *	                                         │ the sink's own thread
 */
#include <fcntl.h>
#include <stdlib.h>

#include <peat/sink.h>

#include "block_queue.h"
#include "deflate.h"
#include "encode.h"
#include "feature_encode.h"
#include "host_facts.h"
#include "internal.h"
#include "note.h"
#include "perf_features.h"
#include "perf_formats.h"
#include "perf_start.h"

#define BLOCK_BYTES (256u << 10)
#define QUEUE_BYTES (16u << 20)
#define LEVEL_MOST  22

struct perf_sink {
	struct peat_sink sink;
	struct peat_reader *reader;
	struct perf_writer *writer; /* the thread's, while there is one */
	struct deflate *deflate;    /* likewise; NULL: nothing is compressed */
	struct block_queue *queue;
	struct block *block; /* that is being filled; NULL: none was to be had */
	struct perf_formats formats;
	const struct perf_format *last; /* events of one type come in rows */
	struct peat_perf_stats stats;
	uint64_t told;	    /* losses that the reader told of */
	uint64_t told_lost; /* of those in the queue, so many */
	uint64_t newest_ns;
	bool has_failed, has_finished;
	unsigned char payload[RECORD_FORMAT_BYTES_MAX];
};

/* ---- the thread ------------------------------------------------------------------------------ */

/* Whatever happens to this process behind it, the file has what was handed over. */
static int write_block(void *arg, struct block *block)
{
	struct perf_sink *sink = arg;
	struct out *out = perf_writer__out(sink->writer);
	int err = 0;

	if (sink->deflate)
		err = deflate__records(sink->deflate, block->bytes.bytes, block->bytes.count, out);
	else
		out__bytes(out, block->bytes.bytes, block->bytes.count);
	if (!err)
		err = perf_writer__commit(sink->writer);
	if (!err && block->ends_round)
		err = perf_writer__round(sink->writer);
	if (!err)
		err = perf_writer__flush(sink->writer);
	block->done = perf_writer__written(sink->writer)->bytes;
	return err;
}

/* ---- records --------------------------------------------------------------------------------- */

/* NULL: the queue is full. */
static struct out *room_for_record(struct perf_sink *sink)
{
	if (sink->block && sink->block->bytes.count >= BLOCK_BYTES) {
		block_queue__put(sink->queue, sink->block);
		sink->block = NULL;
	}
	if (!sink->block)
		sink->block = block_queue__take(sink->queue);
	return sink->block ? &sink->block->bytes : NULL;
}

/* 1: it is in the queue; 0: there was no room, which counts; -ENOTSUP and others of encode.h. */
static int put(struct perf_sink *sink, const struct peat_layout *layout,
	       const struct peat_record *record)
{
	struct out *out = room_for_record(sink);
	size_t before;
	int err;

	if (!out) {
		sink->stats.lost++;
		return 0;
	}
	before = out->count;
	err = encode__record(out, layout, record);
	if (err)
		return err;
	sink->stats.raw_bytes += out->count - before;
	if (record->time_ns > sink->newest_ns)
		sink->newest_ns = record->time_ns;
	return 1;
}

static int put_loss(struct perf_sink *sink, uint64_t lost, uint64_t time_ns, uint32_t cpu)
{
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = time_ns,
				      .cpu = cpu,
				      .id = sink->formats.side_id,
				      .lost_samples.lost = lost };

	return put(sink, &sink->formats.side, &record);
}

/* What the queue lost shows where there is room again. */
static int tell_of_queue(struct perf_sink *sink, const struct peat_event *event)
{
	uint64_t lost = sink->stats.lost - sink->told_lost;
	int ret = lost ? put_loss(sink, lost, event->time_ns, event->cpu) : 0;

	if (ret > 0)
		sink->told_lost += lost;
	return ret < 0 ? ret : 0;
}

static const struct perf_format *format_of(struct perf_sink *sink, uint32_t type)
{
	if (!sink->last || sink->last->type != type)
		sink->last = perf_formats__find(&sink->formats, type);
	return sink->last;
}

/* The payload as the format has it; what is not typed goes as it is. */
static int convert(struct perf_sink *sink, const struct perf_format *format,
		   const struct peat_event *event, struct peat_sample *sample)
{
	int size;

	if (!format->is_typed) {
		sample->raw = event->data;
		sample->raw_bytes = event->size;
		return 0;
	}
	size = record_format__convert(&format->format, event->data, event->size, event->tid,
				      sink->payload, sizeof(sink->payload));
	if (size < 0)
		return size;
	sink->stats.cut += (size & RECORD_FORMAT_CUT) != 0;
	sample->raw = sink->payload;
	sample->raw_bytes = (uint32_t)size & RECORD_FORMAT_BYTES;
	return 0;
}

static int put_sample(struct perf_sink *sink, const struct peat_event *event)
{
	const struct perf_format *format = format_of(sink, event->type);
	struct peat_record record = { .type = PEAT_RECORD_SAMPLE,
				      .misc = PEAT_MISC_KERNEL,
				      .time_ns = event->time_ns,
				      .cpu = event->cpu,
				      .pid = event->pid,
				      .tid = event->tid };
	int ret;

	if (!format) {
		sink->stats.skipped++;
		return 0;
	}
	record.id = format->id;
	ret = convert(sink, format, event, &record.sample);
	if (!ret)
		ret = put(sink, &format->layout, &record);
	sink->stats.events += ret > 0;
	return ret < 0 ? ret : 0;
}

/*
 * The kernel's own.  It writes one more for a thread that ended, though events of it may follow,
 * and newer perfs forget its name then: whoever wants to see it asked for it.
 */
static int put_record(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = *event->record;
	int ret;

	record.id = sink->formats.side_id;
	record.time_ns = event->time_ns;
	record.cpu = event->cpu;
	record.pid = event->pid;
	record.tid = event->tid;
	ret = put(sink, &sink->formats.side, &record);
	sink->stats.skipped += ret == -ENOTSUP;
	sink->stats.records += ret > 0;
	return ret < 0 && ret != -ENOTSUP ? ret : 0;
}

static int tell_of_loss(struct perf_sink *sink, const struct peat_event *event)
{
	int ret = put_loss(sink, event->lost, event->time_ns, event->cpu);

	sink->told += ret > 0 ? event->lost : 0;
	return ret < 0 ? ret : 0;
}

/* ---- the sink -------------------------------------------------------------------------------- */

static int write_event(struct peat_sink *base, const struct peat_event *event)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err = sink->stats.lost == sink->told_lost ? 0 : tell_of_queue(sink, event);

	if (!err && event->kind == PEAT_EVENT_LOST)
		err = tell_of_loss(sink, event);
	else if (!err && event->kind == PEAT_EVENT_DATA)
		err = put_sample(sink, event);
	else if (!err && event->kind == PEAT_EVENT_RECORD && event->record)
		err = put_record(sink, event);
	return err ? fail(err) : 0;
}

static int failed_with(struct perf_sink *sink)
{
	int err = block_queue__error(sink->queue, &sink->stats.bytes);

	if (!err || sink->has_failed)
		return err;
	sink->has_failed = true;
	if (err != -EPIPE)
		log__error(
			"writing the recording failed: %s; %llu bytes of it are saved, and whole",
			strerror(-err), (unsigned long long)sink->stats.bytes);
	return err;
}

/* All that came is in front of the mark, and by time: nothing older follows. */
static int flush_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err;

	if (sink->block && sink->block->bytes.count) {
		sink->block->ends_round = true;
		block_queue__put(sink->queue, sink->block);
		sink->block = NULL;
	}
	err = failed_with(sink);
	return err ? fail(err) : 0;
}

static void free_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;

	if (sink->block)
		block_queue__put(sink->queue, sink->block);
	block_queue__free(sink->queue);
	perf_writer__free(sink->writer);
	deflate__free(sink->deflate);
	perf_formats__free(&sink->formats);
	free(sink);
}

/* ---- its end --------------------------------------------------------------------------------- */

/* The last words, in the order of records: what was lost and nobody told of, and the ledger. */
static int put_ledger(struct perf_sink *sink)
{
	struct out text = { 0 };
	struct out *out = perf_writer__out(sink->writer);
	uint64_t lost = perf_start__ledger(sink->reader, &sink->stats, &text);
	uint64_t untold = sink->stats.lost - sink->told_lost;
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = sink->newest_ns,
				      .id = sink->formats.side_id,
				      .lost_samples.lost = untold };
	int err;

	record.lost_samples.lost += lost > sink->told ? lost - sink->told : 0;
	err = record.lost_samples.lost ? encode__record(out, &sink->formats.side, &record) : 0;
	if (!err && text.count)
		err = note__put(out, NOTE_LEDGER, text.bytes, text.count);
	if (!err && text.failed)
		err = -ENOMEM;
	out__free(&text);
	return err ? err : perf_writer__commit(sink->writer);
}

static int finish_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err, closed;

	if (sink->has_finished)
		return 0;
	flush_sink(base);
	sink->has_finished = true;
	err = block_queue__finish(sink->queue);
	if (!err)
		err = put_ledger(sink);
	closed = perf_writer__close(sink->writer);
	failed_with(sink);
	sink->stats.bytes = perf_writer__written(sink->writer)->bytes;
	err = err ? err : closed;
	return err ? fail(err) : 0;
}

int peat_perf__stats(struct peat_sink *base, struct peat_perf_stats *callers_stats)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	struct peat_perf_stats stats;
	int err;

	if (base->write != write_event)
		return fail(-EINVAL);
	if (!sink->has_finished)
		block_queue__error(sink->queue, &sink->stats.bytes);
	stats = sink->stats;
	err = opts__write(callers_stats, &stats, sizeof(stats), "peat_perf_stats");
	return err ? fail(err) : 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int check_opts(const struct peat_perf_opts *opts, int fd)
{
	if (opts->level < 0 || opts->level > LEVEL_MOST || opts->reserved) {
		log__error("peat_perf_opts: level is 0 to %d, reserved is 0", LEVEL_MOST);
		return -EINVAL;
	}
	if (fd < 0) {
		log__error("peat_sink: %d is no file descriptor", fd);
		return -EINVAL;
	}
	return 0;
}

static int begin(struct perf_sink *sink, const struct peat_perf_opts *opts)
{
	struct perf_writer *writer = sink->writer;
	struct out compressed = { 0 };
	int err = perf_start__features(writer, sink->reader, opts->args);

	if (!err && sink->deflate) {
		feature_encode__compressed(&compressed, opts->level, 1);
		err = compressed.failed ? -ENOMEM
					: perf_writer__feature(writer, FEATURE_COMPRESSED,
							       compressed.bytes, compressed.count);
		out__free(&compressed);
	}
	if (!err)
		err = perf_formats__add(&sink->formats, sink->reader, writer);
	if (!err)
		err = perf_writer__begin(writer);
	if (!err)
		err = perf_start__records(perf_writer__out(writer), &sink->formats);
	if (!err)
		err = perf_writer__commit(writer);
	return err ? err : perf_writer__flush(writer);
}

static int open_all(struct perf_sink *sink, int fd, const struct peat_perf_opts *opts)
{
	uint64_t queue_bytes = opts->queue_bytes ? opts->queue_bytes : QUEUE_BYTES;
	uint32_t blocks = (uint32_t)(queue_bytes / BLOCK_BYTES);
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), err;

	if (copy < 0)
		return -errno;
	sink->writer = perf_writer__new(copy);
	if (!sink->writer)
		return -errno;
	sink->deflate = opts->level ? deflate__new(opts->level) : NULL;
	if (opts->level && !sink->deflate)
		return -ENOMEM;
	err = begin(sink, opts);
	if (err)
		return err;
	sink->queue = block_queue__new(blocks > 2 ? blocks : 2, write_block, sink);
	return sink->queue ? 0 : -errno;
}

struct peat_sink *peat_sink__new_perf(struct peat_reader *reader, int fd,
				      const struct peat_perf_opts *callers_opts)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;
	struct perf_sink *sink;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_perf_opts");

	if (!err)
		err = check_opts(&opts, fd);
	if (err)
		return fail_null(err);
	sink = calloc(1, sizeof(*sink));
	if (!sink)
		return fail_null(-ENOMEM);
	sink->sink = (struct peat_sink){
		.write = write_event, .flush = flush_sink, .free = free_sink, .finish = finish_sink
	};
	sink->reader = reader;
	sink->stats.sz = sizeof(sink->stats);
	err = open_all(sink, fd, &opts);
	if (!err)
		return &sink->sink;
	log__error("cannot begin the recording: %s", strerror(-err));
	free_sink(&sink->sink);
	return fail_null(err);
}
