// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/sink.c: the sink of a recording: opening, operations, end. */
#include <fcntl.h>
#include <stdlib.h>

#include <peat/binding.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "perf_data/features.h"
#include "perf_data/note.h"
#include "perf_data/write/feature_encode.h"
#include "record/encode.h"
#include "recorder/ledger.h"
#include "recorder/perf_sink.h"
#include "recorder/preamble.h"
#include "reader/types.h"

#define LEVEL_MAX 22

/* ---- the sink -------------------------------------------------------------------------------- */

static int write_event(struct peat_sink *base, const struct peat_event *event)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err = sink->err;

	if (!err)
		err = sink->has_finished ? -EINVAL : perf_sink__put_event(sink, event);
	return err ? fail(err) : 0;
}

int64_t peat_sink__perf_write_row(struct peat_sink *base, const struct peat_event *event,
				  int64_t most)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int64_t more = 0;
	int err;

	if (base->write != write_event || most < 1)
		return fail(-EINVAL);
	err = write_event(base, event);
	if (err)
		return err;
	if (event == &sink->reader->event)
		more = perf_sink__put_row(sink, most - 1);
	return more < 0 ? fail((int)more) : more + 1;
}

static int flush_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;
	int err = sink->err;

	if (!err && !sink->has_finished)
		err = perf_sink__put_exits(sink, false);
	if (!err && !sink->has_finished)
		err = perf_sink__flush_block(sink);
	return err ? fail(err) : 0;
}

static void free_sink(struct peat_sink *base)
{
	struct perf_sink *sink = (struct perf_sink *)base;

	if (sink->block)
		block_queue__put(sink->queue, sink->block, true);
	block_queue__free(sink->queue);
	perf_writer__free(sink->writer);
	deflate__free(sink->deflate);
	event_formats__free(&sink->formats);
	delayed_exits__free(&sink->exits);
	named_threads__free(&sink->names);
	identities__free(&sink->cgroups);
	mapped_ids__free(&sink->mapped_ids);
	free(sink);
}

/* ---- end ------------------------------------------------------------------------------------- */

/* Writes the last records: the lost events that no record reports yet, and the ledger. */
static int put_ledger(struct perf_sink *sink)
{
	struct strbuf text = { 0 };
	struct strbuf *out = perf_writer__out(sink->writer);
	struct peat_record record = { .type = PEAT_RECORD_LOST_SAMPLES,
				      .time_ns = sink->rounds.newest_ns,
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
	if (!sink->err && !perf_sink__put_exits(sink, true))
		perf_sink__flush_block(sink);
	sink->has_finished = true;
	err = block_queue__finish(sink->queue);
	sink->stats.unwritten = sink->stats.events - sink->in_file.events;
	sink->stats.unwritten_records = sink->stats.records - sink->in_file.records;
	if (!err)
		err = put_ledger(sink);
	if (!err)
		err = put_sample_time(sink);
	closed = perf_writer__close(sink->writer);
	sink->stats.bytes = perf_writer__written(sink->writer)->bytes;
	err = perf_sink__note_error(sink, err ? err : closed);
	return err ? fail(err) : 0;
}

int peat_sink__perf_stats(struct peat_sink *base, struct peat_perf_stats *callers_stats)
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
	if (opts->level < 0 || opts->level > LEVEL_MAX) {
		log__error("peat_perf_opts: level must be 0 to %d", LEVEL_MAX);
		return -EINVAL;
	}
	if (fd < 0) {
		log__error("peat_sink: invalid file descriptor %d", fd);
		return -EINVAL;
	}
	return OPTS_CHECK_RESERVED(opts, "peat_perf_opts");
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
	if (!err)
		err = preamble__interfaces(perf_writer__out(writer), sink->reader);
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
	sink->stats.bytes = perf_writer__written(sink->writer)->bytes;
	sink->lost_before = recorder_ledger__lost(sink->reader);
	sink->queue = block_queue__new(queue_bytes, perf_sink__write_block, sink);
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
	if (!err)
		err = reader__check_process(reader);
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
	sink->stats.sz = sizeof(sink->stats);
	identities__init(&sink->cgroups, CGROUPS_MAX);
	err = open_sink(sink, fd, &opts);
	if (!err)
		return &sink->sink;
	if (err != -EPIPE)
		log__error("cannot begin the recording: %s", strerror(-err));
	free_sink(&sink->sink);
	return fail_null(err);
}
