// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/blocks.c: the blocks of a recording, and the marks that end its rounds. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "event/source.h"
#include "reader/types.h"
#include "recorder/perf_sink.h"

/*
 * Readers of the recording hold the records of two rounds.  So a round ends as soon as it may after
 * so many bytes, without a flush.  If it may not, staged events are collected for it.
 */
#define ROUND_BYTES	   ((uint64_t)1 << 20)
#define ROUND_BYTES_URGENT (2 * ROUND_BYTES)

/* ---- the thread ------------------------------------------------------------------------------ */

static void exchange(struct strbuf *a, struct strbuf *b)
{
	struct strbuf c = *a;

	*a = *b;
	*b = c;
}

/* The writer writes the block's own memory: its buffer is empty after each flush. */
static int write_plain(struct perf_sink *sink, struct block *block)
{
	struct strbuf *out = perf_writer__out(sink->writer);
	int err = 0;

	exchange(out, &block->bytes);
	if (block->ends_round)
		err = perf_writer__round(sink->writer);
	if (!err)
		err = perf_writer__flush(sink->writer);
	exchange(out, &block->bytes);
	return err;
}

static int write_deflated(struct perf_sink *sink, struct block *block)
{
	struct strbuf *out = perf_writer__out(sink->writer);
	int err = 0;

	if (block->bytes.count)
		err = deflate__records(sink->deflate, block->bytes.bytes, block->bytes.count, out);
	if (!err && block->ends_round)
		err = perf_writer__round(sink->writer);
	return err ? err : perf_writer__flush(sink->writer);
}

/*
 * Counts what is in the file.  After a failure, the writer has cut the file after the last record
 * that is whole, and has counted the samples after it; but compressed records have no samples to
 * count, so the file is cut before the block.
 */
static void count_written(struct perf_sink *sink, const struct block *block,
			  const struct perf_written *before, int err)
{
	const struct perf_written *now = perf_writer__written(sink->writer);
	uint64_t lost = now->lost_samples - before->lost_samples;

	if (!err) {
		sink->in_file.events += block->events;
		sink->in_file.records += block->records;
	} else if (sink->deflate) {
		perf_writer__cut(sink->writer, before->bytes);
	} else if (lost < block->events) {
		sink->in_file.events += block->events - lost;
	}
}

int perf_sink__write_block(void *arg, struct block *block)
{
	struct perf_sink *sink = arg;
	const struct perf_written before = *perf_writer__written(sink->writer);
	int err = sink->deflate ? write_deflated(sink, block) : write_plain(sink, block);

	count_written(sink, block, &before, err);
	block->done = perf_writer__written(sink->writer)->bytes;
	return err;
}

/* ---- the owner ------------------------------------------------------------------------------- */

int perf_sink__note_error(struct perf_sink *sink, int err)
{
	if (!err || sink->err)
		return sink->err;
	sink->err = err;
	if (err != -EPIPE)
		log__error(
			"writing the recording failed: %s; its first %llu bytes are saved and can "
			"be read",
			strerror(-err), (unsigned long long)sink->stats.bytes);
	return err;
}

static int queue_block(struct perf_sink *sink, bool is_urgent)
{
	sink->round_bytes += sink->block->bytes.count;
	if (sink->block->ends_round)
		sink->round_bytes = 0;
	sink->block->events = sink->stats.events - sink->queued.events;
	sink->block->records = sink->stats.records - sink->queued.records;
	sink->queued = (struct perf_counts){ sink->stats.events, sink->stats.records };
	block_queue__put(sink->queue, sink->block, is_urgent);
	sink->block = NULL;
	return perf_sink__note_error(sink, block_queue__error(sink->queue, &sink->stats.bytes));
}

uint64_t perf_sink__safe_time(const struct perf_sink *sink, bool is_urgent)
{
	const struct source_ops *ops = sink->reader->ops;

	return ops->safe_time ? ops->safe_time(sink->reader, is_urgent) : UINT64_MAX;
}

static void end_round(struct perf_sink *sink)
{
	rounds__end(&sink->rounds);
	sink->block->ends_round = true;
}

/* Events in the order of time have no need of more rounds than there are flushes. */
static void end_long_round(struct perf_sink *sink)
{
	uint64_t bytes = sink->round_bytes + sink->block->bytes.count, safe_ns;

	if (bytes < ROUND_BYTES)
		return;
	safe_ns = perf_sink__safe_time(sink, bytes >= ROUND_BYTES_URGENT);
	if (safe_ns != UINT64_MAX && rounds__may_end(&sink->rounds, safe_ns))
		end_round(sink);
}

int perf_sink__replace_block(struct perf_sink *sink)
{
	int err = 0;

	if (sink->block) {
		end_long_round(sink);
		err = queue_block(sink, false);
	}
	sink->block = reader__is_patient(sink->reader) ? block_queue__wait(sink->queue)
						       : block_queue__get(sink->queue);
	return err ? err : sink->block != NULL;
}

/* A mark alone is written, too: readers of a pipe wait for it. */
int perf_sink__flush_block(struct perf_sink *sink)
{
	bool ends = rounds__may_end(&sink->rounds, perf_sink__safe_time(sink, false));

	if (ends && !sink->block)
		sink->block = block_queue__get(sink->queue);
	if (sink->block && ends)
		end_round(sink);
	if (sink->block && (ends || sink->block->bytes.count))
		return queue_block(sink, true);
	return perf_sink__note_error(sink, block_queue__error(sink->queue, &sink->stats.bytes));
}
