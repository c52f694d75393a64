// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * recorder/sink.c: writes events as the records of a recording.
 *
 *	write ──▶ encode ──▶ block ──▶ queue ──▶ │ deflate ──▶ perf_writer ──▶ fd
 *	                                         │ the sink's own thread
 */
#include <fcntl.h>
#include <stdlib.h>

#include <peat/binding.h>
#include <peat/sink.h>

#include "recorder/block_queue.h"
#include "perf_data/write/deflate.h"
#include "record/encode.h"
#include "perf_data/write/feature_encode.h"
#include "recorder/delayed_exits.h"
#include "base/internal.h"
#include "recorder/ledger.h"
#include "perf_data/note.h"
#include "perf_data/features.h"
#include "recorder/event_formats.h"
#include "recorder/preamble.h"
#include "recorder/named_threads.h"

/* A block is full if the largest record might not fit any more, so that it never grows. */
#define BLOCK_ROOM  (256u << 10)
#define BLOCK_BYTES (BLOCK_ROOM - (66u << 10))

#define LEVEL_MAX 22

struct perf_sink {
	struct peat_sink sink;
	struct peat_reader *reader;
	struct perf_writer *writer; /* used by the worker thread while it runs */
	struct deflate *deflate;    /* likewise; NULL: no compression */
	struct block_queue *queue;
	struct block *block; /* being filled; NULL: the queue is full */
	struct event_formats formats;
	const struct event_format *last; /* of the previous event, often of the same type */
	struct peat_perf_stats stats;
	struct delayed_exits exits;
	struct named_threads names;
	uint64_t unrecorded;	 /* lost events that no record reports yet */
	uint64_t lost_by_reader; /* lost events that the reader has reported */
	uint64_t lost_before;	 /* lost events of the reader before the sink began */
	uint64_t newest_ns;
	uint64_t first_sample_ns, last_sample_ns;
	int err; /* first write error; nothing is written after it */
	bool has_finished;
	/* Kept between events: clearing a record of this size costs more than all else. */
	struct peat_record sample;
	unsigned char payload[PAYLOAD_BYTES_MAX];
};

/* ---- the thread ------------------------------------------------------------------------------ */

/* Flushes each block, so that it is in the file even if this process is killed. */
static int write_block(void *arg, struct block *block)
{
	struct perf_sink *sink = arg;
	struct strbuf *out = perf_writer__out(sink->writer);
	int err = 0;

	if (sink->deflate)
		err = deflate__records(sink->deflate, block->bytes.bytes, block->bytes.count, out);
	else
		strbuf__bytes(out, block->bytes.bytes, block->bytes.count);
	if (!err && block->ends_round)
		err = perf_writer__round(sink->writer);
	if (!err)
		err = perf_writer__flush(sink->writer);
	block->done = perf_writer__written(sink->writer)->bytes;
	return err;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Keeps and logs the first error; EPIPE is not logged: the reader of the pipe has closed it. */
static int note_error(struct perf_sink *sink, int err)
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

static int queue_block(struct perf_sink *sink)
{
	block_queue__put(sink->queue, sink->block);
	sink->block = NULL;
	return note_error(sink, block_queue__error(sink->queue, &sink->stats.bytes));
}

static int replace_block(struct perf_sink *sink)
{
	int err = sink->block ? queue_block(sink) : 0;

	sink->block = block_queue__get(sink->queue);
	return err ? err : sink->block != NULL;
}

/* Ensures that the block has room for a record.  1; 0: the queue is full; or the write error. */
static inline int ensure_block(struct perf_sink *sink)
{
	return sink->block && sink->block->bytes.count < BLOCK_BYTES ? 1 : replace_block(sink);
}

/*
 * Encodes a record at the end of the block, which has room.  1; 0: no memory, nothing is counted;
 * -ENOTSUP or -E2BIG: the record cannot be encoded.
 */
static inline int append_encoded(struct perf_sink *sink, const struct peat_layout *layout,
				 const struct peat_record *record)
{
	struct strbuf *out = &sink->block->bytes;
	size_t before = out->count;
	int err = encode__record(out, layout, record);

	if (err == -ENOMEM)
		out->failed = false; /* memory may be free again later */
	if (err)
		return err == -ENOMEM ? 0 : err;
	sink->stats.raw_bytes += out->count - before;
	if (record->time_ns > sink->newest_ns)
		sink->newest_ns = record->time_ns;
	return 1;
}

/* Like append_encoded(), but ensures room first.  0 also if the queue is full; or the write error.
 */
static int put_in_block(struct perf_sink *sink, const struct peat_layout *layout,
			const struct peat_record *record)
{
	int ret = ensure_block(sink);

	return ret > 0 ? append_encoded(sink, layout, record) : ret;
}

/* Counts a record as written, lost or skipped, by the result of put_in_block().  0 or the error. */
static inline int count_result(struct perf_sink *sink, int ret, uint64_t *counter)
{
	if (ret > 0) {
		++*counter;
	} else if (!ret) {
		sink->stats.lost++;
		sink->unrecorded++;
	} else if (ret == -ENOTSUP || ret == -E2BIG) {
		sink->stats.skipped++;
	} else {
		return ret;
	}
	return 0;
}

/* Writes a LOST_SAMPLES if there is room, also for events lost because the queue was full. */
static int put_losses(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = event->time_ns,
				      .cpu = event->cpu,
				      .id = sink->formats.side_id,
				      .lost_samples.lost = sink->unrecorded };
	int ret = put_in_block(sink, &sink->formats.side, &record);

	if (ret > 0)
		sink->unrecorded = 0;
	return ret < 0 ? ret : 0;
}

static const struct event_format *find_format(struct perf_sink *sink, uint32_t type)
{
	if (!sink->last || sink->last->type != type)
		sink->last = event_formats__find(&sink->formats, type);
	return sink->last;
}

/* Sets the sample's payload: converted by the format, or plain bytes.  1: it was cut. */
static int convert_payload(struct perf_sink *sink, const struct event_format *format,
			   const struct peat_event *event, struct peat_sample *sample)
{
	int size;

	if (!format->is_typed) {
		sample->raw = event->data;
		sample->raw_bytes = encode__raw_most(&format->layout);
		if (event->size <= sample->raw_bytes)
			sample->raw_bytes = event->size;
		return event->size > sample->raw_bytes;
	}
	size = payload__convert(&format->format, event->data, event->size, event->tid,
				sink->payload, sizeof(sink->payload));
	if (size < 0)
		return size;
	sample->raw = sink->payload;
	sample->raw_bytes = (uint32_t)size & PAYLOAD_BYTES;
	return (size & PAYLOAD_CUT) != 0;
}

/* Samples are sorted by time, except late ones. */
static inline void note_sample_time(struct perf_sink *sink, uint64_t time_ns)
{
	if (!sink->first_sample_ns || time_ns < sink->first_sample_ns)
		sink->first_sample_ns = time_ns;
	if (time_ns > sink->last_sample_ns)
		sink->last_sample_ns = time_ns;
}

static int put_sample(struct perf_sink *sink, const struct peat_event *event)
{
	const struct event_format *format = find_format(sink, event->type);
	struct peat_record *record = &sink->sample;
	int cut, ret;

	if (!format) {
		sink->stats.skipped++;
		return 0;
	}
	record->time_ns = event->time_ns;
	record->cpu = event->cpu;
	record->pid = event->pid;
	record->tid = event->tid;
	record->id = format->id;
	ret = ensure_block(sink);
	cut = ret > 0 ? convert_payload(sink, format, event, &record->sample) : 0;
	if (cut < 0)
		return cut;
	if (ret > 0)
		ret = append_encoded(sink, &format->layout, record);
	if (ret > 0) {
		sink->stats.cut += cut > 0;
		note_sample_time(sink, record->time_ns);
	}
	return count_result(sink, ret, &sink->stats.events);
}

/*
 * Writes a COMM record before an event whose thread has another name in the recording so far, or
 * none.  If there is no room, it is tried again at the thread's next event.
 */
static int put_comm(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = {
		.type = PEAT_RECORD_COMM,
		.time_ns = event->time_ns,
		.cpu = event->cpu,
		.pid = event->pid,
		.tid = event->tid,
		.id = sink->formats.side_id,
		.comm = { .pid = event->pid, .tid = event->tid, .comm = event->comm },
	};
	int ret;

	ret = put_in_block(sink, &sink->formats.side, &record);
	named_threads__set(&sink->names, event->tid, ret > 0 ? event->comm : NULL);
	return ret < 0 ? ret : 0;
}

static inline int put_named_sample(struct perf_sink *sink, const struct peat_event *event)
{
	bool has_name = !event->comm || named_threads__has(&sink->names, event->tid, event->comm);
	int err = has_name ? 0 : put_comm(sink, event);

	return err ? err : put_sample(sink, event);
}

/* ---- records of the kernel ------------------------------------------------------------------- */

static int put_side(struct perf_sink *sink, struct peat_record *record, uint64_t time_ns)
{
	record->id = sink->formats.side_id;
	record->time_ns = time_ns;
	return count_result(sink, put_in_block(sink, &sink->formats.side, record),
			    &sink->stats.records);
}

/*
 * Writes the EXITs that are older than the last flush, or all.  They get the newest time so far,
 * since perf sorts by time.
 */
static int put_delayed_exits(struct perf_sink *sink, bool all)
{
	struct peat_record record = { 0 };
	int err = 0;

	while (!err && (all ? delayed_exits__pop(&sink->exits, &record)
			    : delayed_exits__pop_old(&sink->exits, &record)))
		err = put_side(sink, &record,
			       sink->newest_ns > record.task.time_ns ? sink->newest_ns
								     : record.task.time_ns);
	delayed_exits__age(&sink->exits);
	return err;
}

/* If too many are delayed, writes the oldest. */
static int delay_exit(struct perf_sink *sink, struct peat_record *record)
{
	struct peat_record oldest = { 0 };
	int err = 0;

	if (delayed_exits__add(&sink->exits, record))
		return 0;
	if (delayed_exits__pop(&sink->exits, &oldest))
		err = put_side(sink, &oldest, record->time_ns);
	if (err || delayed_exits__add(&sink->exits, record))
		return err;
	return put_side(sink, record, record->time_ns);
}

/* Writes a thread's EXIT before the record that gives its id to another thread. */
static int put_exit_of_tid(struct perf_sink *sink, uint32_t tid, uint64_t time_ns)
{
	struct peat_record record = { 0 };
	int err = 0;

	while (!err && delayed_exits__pop_tid(&sink->exits, tid, time_ns, &record))
		err = put_side(sink, &record, time_ns);
	return err;
}

/* A new thread has its parent's name: readers copy it at the FORK. */
static void note_thread_name(struct perf_sink *sink, const struct peat_record *record)
{
	if (record->type == PEAT_RECORD_FORK)
		named_threads__copy(&sink->names, record->task.tid, record->task.ptid);
	else if (record->type == PEAT_RECORD_COMM)
		named_threads__set(&sink->names, record->comm.tid, record->comm.comm);
}

static int put_record(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = *event->record;
	int err = 0;

	record.cpu = event->cpu;
	record.pid = event->pid;
	record.tid = event->tid;
	record.time_ns = event->time_ns;
	if (record.type == PEAT_RECORD_EXIT)
		return delay_exit(sink, &record);
	if (record.type == PEAT_RECORD_FORK)
		err = put_exit_of_tid(sink, record.task.tid, event->time_ns);
	else if (record.type == PEAT_RECORD_COMM)
		err = put_exit_of_tid(sink, record.comm.tid, event->time_ns);
	if (!err)
		note_thread_name(sink, &record);
	return err ? err : put_side(sink, &record, event->time_ns);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static int write_one(struct perf_sink *sink, const struct peat_event *event)
{
	int err = 0;

	if (event->kind == PEAT_EVENT_DATA && !sink->unrecorded)
		return put_named_sample(sink, event);
	if (event->kind == PEAT_EVENT_LOST) {
		sink->unrecorded += event->lost;
		sink->lost_by_reader += event->lost;
	}
	if (sink->unrecorded)
		err = put_losses(sink, event);
	if (err || event->kind == PEAT_EVENT_LOST)
		return err;
	if (event->kind == PEAT_EVENT_DATA)
		return put_named_sample(sink, event);
	if (event->kind == PEAT_EVENT_RECORD && event->record)
		return put_record(sink, event);
	sink->stats.skipped++;
	return 0;
}

static int write_event(struct peat_sink *base, const struct peat_event *event)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err = sink->err;

	if (!err)
		err = sink->has_finished ? -EINVAL : write_one(sink, event);
	return err ? fail(err) : 0;
}

/* Ends the round: all events so far precede the mark, and no older one follows. */
static int flush_all(struct perf_sink *sink)
{
	if (sink->block && sink->block->bytes.count) {
		sink->block->ends_round = true;
		return queue_block(sink);
	}
	return note_error(sink, block_queue__error(sink->queue, &sink->stats.bytes));
}

static int flush_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err = sink->err;

	if (!err && !sink->has_finished)
		err = put_delayed_exits(sink, false);
	if (!err && !sink->has_finished)
		err = flush_all(sink);
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
	event_formats__free(&sink->formats);
	delayed_exits__free(&sink->exits);
	named_threads__free(&sink->names);
	free(sink);
}

/* ---- end ------------------------------------------------------------------------------------- */

/* Writes the last records: the lost events that no record reports yet, and the ledger. */
static int put_ledger(struct perf_sink *sink)
{
	struct strbuf text = { 0 };
	struct strbuf *out = perf_writer__out(sink->writer);
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = sink->newest_ns,
				      .id = sink->formats.side_id,
				      .lost_samples.lost = sink->unrecorded };
	uint64_t lost = recorder_ledger__lost(sink->reader);
	uint64_t reported = sink->lost_before + sink->lost_by_reader;
	int err;

	recorder_ledger__append(sink->reader, &sink->stats, &text);
	record.lost_samples.lost += lost > reported ? lost - reported : 0;
	err = record.lost_samples.lost ? encode__record(out, &sink->formats.side, &record) : 0;
	if (!err && text.count)
		err = note__put(out, NOTE_LEDGER, text.bytes, text.count);
	if (!err && text.failed)
		err = -ENOMEM;
	strbuf__free(&text);
	return err ? err : perf_writer__commit(sink->writer);
}

/* Writes the times of the first and last sample.  Only a file has them: they are known at its end.
 */
static int put_sample_time(struct perf_sink *sink)
{
	struct strbuf out = { 0 };

	if (!sink->first_sample_ns)
		return 0;
	feature_encode__sample_time(&out, sink->first_sample_ns, sink->last_sample_ns);
	return perf_writer__feature_strbuf(sink->writer, FEATURE_SAMPLE_TIME, &out);
}

static int finish_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err, closed;

	if (sink->has_finished)
		return sink->err ? fail(sink->err) : 0;
	if (!sink->err && !put_delayed_exits(sink, true))
		flush_all(sink);
	sink->has_finished = true;
	err = block_queue__finish(sink->queue);
	if (!err)
		err = put_ledger(sink);
	if (!err)
		err = put_sample_time(sink);
	closed = perf_writer__close(sink->writer);
	sink->stats.bytes = perf_writer__written(sink->writer)->bytes;
	err = note_error(sink, err ? err : closed);
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

static int check_perf_opts(const struct peat_perf_opts *opts, const struct peat_reader *reader,
			   int fd)
{
	if (!reader) {
		log__error("peat_sink__new_perf(): the reader of the events is missing");
		return -EINVAL;
	}
	if (opts->level < 0 || opts->level > LEVEL_MAX || opts->reserved) {
		log__error("peat_perf_opts: level must be 0 to %d, reserved must be 0", LEVEL_MAX);
		return -EINVAL;
	}
	if (fd < 0) {
		log__error("peat_sink: invalid file descriptor %d", fd);
		return -EINVAL;
	}
	return 0;
}

static int begin_recording(struct perf_sink *sink, const struct peat_perf_opts *opts)
{
	struct perf_writer *writer = sink->writer;
	struct strbuf compressed = { 0 };
	int err = preamble__features(writer, sink->reader, opts->args);

	if (!err && sink->deflate) {
		feature_encode__compressed(&compressed, opts->level, 1);
		err = perf_writer__feature_strbuf(writer, FEATURE_COMPRESSED, &compressed);
	}
	if (!err)
		err = event_formats__add(&sink->formats, sink->reader, writer);
	if (!err)
		err = perf_writer__begin(writer);
	if (!err)
		err = preamble__records(perf_writer__out(writer), &sink->formats);
	return err ? err : perf_writer__flush(writer);
}

static int open_sink(struct perf_sink *sink, int fd, const struct peat_perf_opts *opts)
{
	uint64_t queue_bytes = opts->queue_bytes ? opts->queue_bytes : PEAT_DEFAULT_QUEUE_BYTES;
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), err;

	if (copy < 0)
		return -errno;
	sink->writer = perf_writer__new(copy);
	if (!sink->writer)
		return -errno;
	sink->deflate = opts->level ? deflate__new(opts->level) : NULL;
	if (opts->level && !sink->deflate)
		return -ENOMEM;
	err = begin_recording(sink, opts);
	if (err)
		return err;
	sink->lost_before = recorder_ledger__lost(sink->reader);
	sink->queue = block_queue__new(queue_bytes, write_block, sink);
	return sink->queue ? 0 : -errno;
}

struct peat_sink *peat_sink__new_perf(struct peat_reader *reader, int fd,
				      const struct peat_perf_opts *callers_opts)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;
	struct perf_sink *sink;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_perf_opts");

	if (!err)
		err = check_perf_opts(&opts, reader, fd);
	if (err)
		return fail_null(err);
	sink = calloc(1, sizeof(*sink));
	if (!sink)
		return fail_null(-ENOMEM);
	sink->sink = (struct peat_sink){ .sz = sizeof(struct peat_sink),
					 .write = write_event,
					 .flush = flush_sink,
					 .free = free_sink,
					 .finish = finish_sink };
	sink->reader = reader;
	sink->sample.type = PEAT_RECORD_SAMPLE;
	sink->sample.misc = PEAT_MISC_KERNEL;
	sink->stats.sz = sizeof(sink->stats);
	err = open_sink(sink, fd, &opts);
	if (!err)
		return &sink->sink;
	if (err != -EPIPE)
		log__error("cannot begin the recording: %s", strerror(-err));
	free_sink(&sink->sink);
	return fail_null(err);
}
