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

#include "recorder/block_queue.h"
#include "perf_data/write/deflate.h"
#include "record/encode.h"
#include "perf_data/write/feature_encode.h"
#include "recorder/delayed_exits.h"
#include "base/internal.h"
#include "recorder/ledger.h"
#include "perf_data/note.h"
#include "perf_data/describe/features.h"
#include "recorder/event_formats.h"
#include "recorder/preamble.h"
#include "recorder/named_threads.h"

/* A block's room never grows beyond this: it is full when one more record might not fit. */
#define BLOCK_ROOM  (256u << 10)
#define BLOCK_BYTES (BLOCK_ROOM - (66u << 10))

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
	struct held_exits exits;
	struct told_names names;
	uint64_t untold;	 /* losses, whosever, that no record tells of yet */
	uint64_t told_by_reader; /* losses, whether a record tells of them or not */
	uint64_t lost_before;	 /* by the reader, when the sink began */
	uint64_t newest_ns;
	uint64_t first_sample_ns, last_sample_ns;
	int err; /* what writing failed with, for good */
	bool has_finished;
	/* The last one: to clear one of this size for each costs more than all else. */
	struct peat_record sample;
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

/* Says so the first time; a reader that closes the pipe has seen enough. */
static int take_error(struct perf_sink *sink, int err)
{
	if (!err || sink->err)
		return sink->err;
	sink->err = err;
	if (err != -EPIPE)
		log__error(
			"writing the recording failed: %s; %llu bytes of it are saved, and whole",
			strerror(-err), (unsigned long long)sink->stats.bytes);
	return err;
}

static int hand_over(struct perf_sink *sink)
{
	block_queue__put(sink->queue, sink->block);
	sink->block = NULL;
	return take_error(sink, block_queue__error(sink->queue, &sink->stats.bytes));
}

static int change_block(struct perf_sink *sink)
{
	int err = sink->block ? hand_over(sink) : 0;

	sink->block = block_queue__take(sink->queue);
	return err ? err : sink->block != NULL;
}

/* 1, 0: the queue is full, or what writing failed with. */
static inline int make_room(struct perf_sink *sink)
{
	return sink->block && sink->block->bytes.count < BLOCK_BYTES ? 1 : change_block(sink);
}

/*
 * Where there is room.  1: it is in the queue; 0: there is no memory for it, and nothing is
 * counted; -ENOTSUP or -E2BIG: it cannot be written.
 */
static inline int append(struct perf_sink *sink, const struct peat_layout *layout,
			 const struct peat_record *record)
{
	struct out *out = &sink->block->bytes;
	size_t before = out->count;
	int err = encode__record(out, layout, record);

	if (err == -ENOMEM)
		out->failed = false; /* there may be more later */
	if (err)
		return err == -ENOMEM ? 0 : err;
	sink->stats.raw_bytes += out->count - before;
	if (record->time_ns > sink->newest_ns)
		sink->newest_ns = record->time_ns;
	return 1;
}

/* The same; 0 also without room; or what writing failed with. */
static int put(struct perf_sink *sink, const struct peat_layout *layout,
	       const struct peat_record *record)
{
	int ret = make_room(sink);

	return ret > 0 ? append(sink, layout, record) : ret;
}

/* What became of a record: 0, or what writing failed with. */
static inline int account(struct perf_sink *sink, int put, uint64_t *counter)
{
	if (put > 0) {
		++*counter;
	} else if (!put) {
		sink->stats.lost++;
		sink->untold++;
	} else if (put == -ENOTSUP || put == -E2BIG) {
		sink->stats.skipped++;
	} else {
		return put;
	}
	return 0;
}

/* Where there is room, also of what the queue had none for before. */
static int tell_losses(struct perf_sink *sink, const struct peat_event *event)
{
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = event->time_ns,
				      .cpu = event->cpu,
				      .id = sink->formats.side_id,
				      .lost_samples.lost = sink->untold };
	int ret = put(sink, &sink->formats.side, &record);

	if (ret > 0)
		sink->untold = 0;
	return ret < 0 ? ret : 0;
}

static const struct perf_format *format_of(struct perf_sink *sink, uint32_t type)
{
	if (!sink->last || sink->last->type != type)
		sink->last = perf_formats__find(&sink->formats, type);
	return sink->last;
}

/* The payload as the format has it; what is not typed goes as it is.  1: not all of it. */
static int convert(struct perf_sink *sink, const struct perf_format *format,
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
	size = record_format__convert(&format->format, event->data, event->size, event->tid,
				      sink->payload, sizeof(sink->payload));
	if (size < 0)
		return size;
	sample->raw = sink->payload;
	sample->raw_bytes = (uint32_t)size & RECORD_FORMAT_BYTES;
	return (size & RECORD_FORMAT_CUT) != 0;
}

/* Samples come by time, but for late ones. */
static inline void note_time(struct perf_sink *sink, uint64_t time_ns)
{
	if (!sink->first_sample_ns || time_ns < sink->first_sample_ns)
		sink->first_sample_ns = time_ns;
	if (time_ns > sink->last_sample_ns)
		sink->last_sample_ns = time_ns;
}

static int put_sample(struct perf_sink *sink, const struct peat_event *event)
{
	const struct perf_format *format = format_of(sink, event->type);
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
	ret = make_room(sink);
	cut = ret > 0 ? convert(sink, format, event, &record->sample) : 0;
	if (cut < 0)
		return cut;
	if (ret > 0)
		ret = append(sink, &format->layout, record);
	if (ret > 0) {
		sink->stats.cut += cut > 0;
		note_time(sink, record->time_ns);
	}
	return account(sink, ret, &sink->stats.events);
}

/*
 * Its thread's, in front of the first event of each that no record of the kernel's has named.  One
 * that finds no room is tried again with the next.
 */
static int put_name(struct perf_sink *sink, const struct peat_event *event)
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

	ret = put(sink, &sink->formats.side, &record);
	told_names__set(&sink->names, event->tid, ret > 0);
	return ret < 0 ? ret : 0;
}

static inline int put_data(struct perf_sink *sink, const struct peat_event *event)
{
	bool has_name = !event->comm || told_names__has(&sink->names, event->tid);
	int err = has_name ? 0 : put_name(sink, event);

	return err ? err : put_sample(sink, event);
}

/* ---- the kernel's own ------------------------------------------------------------------------ */

static int put_side(struct perf_sink *sink, struct peat_record *record, uint64_t time_ns)
{
	record->id = sink->formats.side_id;
	record->time_ns = time_ns;
	return account(sink, put(sink, &sink->formats.side, record), &sink->stats.records);
}

/* Those of a flush ago, or all.  They are of now: perf sorts by time. */
static int let_exits_go(struct perf_sink *sink, bool all)
{
	struct peat_record record = { 0 };
	int err = 0;

	while (!err && (all ? held_exits__take(&sink->exits, &record)
			    : held_exits__take_old(&sink->exits, &record)))
		err = put_side(sink, &record,
			       sink->newest_ns > record.task.time_ns ? sink->newest_ns
								     : record.task.time_ns);
	held_exits__age(&sink->exits);
	return err;
}

/* When there are too many, the oldest goes. */
static int hold_exit(struct perf_sink *sink, struct peat_record *record)
{
	struct peat_record oldest = { 0 };
	int err = 0;

	if (held_exits__hold(&sink->exits, record))
		return 0;
	if (held_exits__take(&sink->exits, &oldest))
		err = put_side(sink, &oldest, record->time_ns);
	if (err || held_exits__hold(&sink->exits, record))
		return err;
	return put_side(sink, record, record->time_ns);
}

/* In front of what gives the number to another thread. */
static int let_exit_of_number_go(struct perf_sink *sink, uint32_t tid, uint64_t time_ns)
{
	struct peat_record record = { 0 };
	int err = 0;

	while (!err && held_exits__take_of(&sink->exits, tid, time_ns, &record))
		err = put_side(sink, &record, time_ns);
	return err;
}

/* A new thread has its parent's name, as readers know that. */
static void note_name(struct perf_sink *sink, const struct peat_record *record)
{
	if (record->type == PEAT_RECORD_FORK)
		told_names__set(&sink->names, record->task.tid,
				told_names__has(&sink->names, record->task.ptid));
	else if (record->type == PEAT_RECORD_COMM)
		told_names__set(&sink->names, record->comm.tid, true);
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
		return hold_exit(sink, &record);
	if (record.type == PEAT_RECORD_FORK)
		err = let_exit_of_number_go(sink, record.task.tid, event->time_ns);
	else if (record.type == PEAT_RECORD_COMM)
		err = let_exit_of_number_go(sink, record.comm.tid, event->time_ns);
	if (!err)
		note_name(sink, &record);
	return err ? err : put_side(sink, &record, event->time_ns);
}

/* ---- the sink -------------------------------------------------------------------------------- */

static int write_one(struct perf_sink *sink, const struct peat_event *event)
{
	int err = 0;

	if (event->kind == PEAT_EVENT_DATA && !sink->untold)
		return put_data(sink, event);
	if (event->kind == PEAT_EVENT_LOST) {
		sink->untold += event->lost;
		sink->told_by_reader += event->lost;
	}
	if (sink->untold)
		err = tell_losses(sink, event);
	if (err || event->kind == PEAT_EVENT_LOST)
		return err;
	if (event->kind == PEAT_EVENT_DATA)
		return put_data(sink, event);
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

/* All that came is in front of the mark, and by time: nothing older follows. */
static int flush_all(struct perf_sink *sink)
{
	if (sink->block && sink->block->bytes.count) {
		sink->block->ends_round = true;
		return hand_over(sink);
	}
	return take_error(sink, block_queue__error(sink->queue, &sink->stats.bytes));
}

static int flush_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err = sink->err;

	if (!err && !sink->has_finished)
		err = let_exits_go(sink, false);
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
	perf_formats__free(&sink->formats);
	held_exits__free(&sink->exits);
	told_names__free(&sink->names);
	free(sink);
}

/* ---- its end --------------------------------------------------------------------------------- */

/* The last words, in the order of records: what was lost and nobody told of, and the ledger. */
static int put_ledger(struct perf_sink *sink)
{
	struct out text = { 0 };
	struct out *out = perf_writer__out(sink->writer);
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = sink->newest_ns,
				      .id = sink->formats.side_id,
				      .lost_samples.lost = sink->untold };
	uint64_t lost = ledger_note__lost(sink->reader);
	uint64_t told = sink->lost_before + sink->told_by_reader;
	int err;

	ledger_note__append(sink->reader, &sink->stats, &text);
	record.lost_samples.lost += lost > told ? lost - told : 0;
	err = record.lost_samples.lost ? encode__record(out, &sink->formats.side, &record) : 0;
	if (!err && text.count)
		err = note__put(out, NOTE_LEDGER, text.bytes, text.count);
	if (!err && text.failed)
		err = -ENOMEM;
	out__free(&text);
	return err ? err : perf_writer__commit(sink->writer);
}

/* From when to when, which only now is known: in a file alone. */
static int put_sample_time(struct perf_sink *sink)
{
	struct out out = { 0 };
	int err;

	if (!sink->first_sample_ns)
		return 0;
	feature_encode__sample_time(&out, sink->first_sample_ns, sink->last_sample_ns);
	err = out.failed ? -ENOMEM
			 : perf_writer__feature(sink->writer, FEATURE_SAMPLE_TIME, out.bytes,
						out.count);
	out__free(&out);
	return err;
}

static int finish_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err, closed;

	if (sink->has_finished)
		return sink->err ? fail(sink->err) : 0;
	if (!sink->err && !let_exits_go(sink, true))
		flush_all(sink);
	sink->has_finished = true;
	err = block_queue__finish(sink->queue);
	if (!err)
		err = put_ledger(sink);
	if (!err)
		err = put_sample_time(sink);
	closed = perf_writer__close(sink->writer);
	sink->stats.bytes = perf_writer__written(sink->writer)->bytes;
	err = take_error(sink, err ? err : closed);
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

static int check_opts(const struct peat_perf_opts *opts, const struct peat_reader *reader, int fd)
{
	if (!reader) {
		log__error("peat_sink: a recording needs the reader whose events it has");
		return -EINVAL;
	}
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
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), err;

	if (copy < 0)
		return -errno;
	sink->writer = perf_writer__new(copy);
	if (!sink->writer)
		return -errno;
	sink->deflate = opts->level ? deflate__new(opts->level) : NULL;
	if (opts->level && !sink->deflate)
		return -ENOMEM;
	err = told_names__init(&sink->names) ?: begin(sink, opts);
	if (err)
		return err;
	sink->lost_before = ledger_note__lost(sink->reader);
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
		err = check_opts(&opts, reader, fd);
	if (err)
		return fail_null(err);
	sink = calloc(1, sizeof(*sink));
	if (!sink)
		return fail_null(-ENOMEM);
	sink->sink = (struct peat_sink){
		.write = write_event, .flush = flush_sink, .free = free_sink, .finish = finish_sink
	};
	sink->reader = reader;
	sink->sample.type = PEAT_RECORD_SAMPLE;
	sink->sample.misc = PEAT_MISC_KERNEL;
	sink->stats.sz = sizeof(sink->stats);
	err = open_all(sink, fd, &opts);
	if (!err)
		return &sink->sink;
	if (err != -EPIPE)
		log__error("cannot begin the recording: %s", strerror(-err));
	free_sink(&sink->sink);
	return fail_null(err);
}
