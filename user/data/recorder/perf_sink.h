/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/perf_sink.h: the parts of the sink that writes a recording.
 *
 *	event ──▶ records.c ──▶ block ──▶ queue ──▶ │ deflate ──▶ perf_writer ──▶ fd
 *	row   ──▶ rows.c    ──▶  blocks.c           │ the sink's own thread
 *
 * sink.c has the public functions.
 */
#ifndef PEAT_RECORDER_PERF_SINK_H
#define PEAT_RECORDER_PERF_SINK_H

#include <peat/sink.h>

#include "perf_data/write/deflate.h"
#include "recorder/block_queue.h"
#include "recorder/delayed_exits.h"
#include "recorder/event_formats.h"
#include "recorder/mapped_ids.h"
#include "recorder/named_threads.h"
#include "recorder/rounds.h"
#include "event/bpf_frames.h"
#include "identity/identities.h"

/* A block is full if the largest record might not fit any more, so that it never grows. */
#define BLOCK_ROOM  (256u << 10)
#define BLOCK_BYTES (BLOCK_ROOM - (66u << 10))

/* Paths that are removed from the table are written again at the next event. */
#define CGROUPS_MAX 16384

struct perf_counts {
	uint64_t events, records;
};

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
	struct identities cgroups; /* whose paths were written */
	struct bpf_frames machinery;
	struct mapped_ids mapped_ids; /* if samples have addresses */
	struct rounds rounds;
	uint64_t round_bytes;	 /* since the last mark */
	uint64_t unrecorded;	 /* lost events that no record reports yet */
	uint64_t lost_by_reader; /* lost events that the reader has reported */
	uint64_t lost_before;	 /* lost events of the reader before the sink began */
	uint64_t first_sample_ns, last_sample_ns;
	struct perf_counts queued;  /* in all blocks that were queued */
	struct perf_counts in_file; /* used by the worker thread while it runs */
	int err;		    /* first write error; nothing is written after it */
	bool has_finished;
};

/* ---- blocks.c -------------------------------------------------------------------------------- */

/* Worker thread: writes a block, so that it is in the file even if this process is killed. */
int perf_sink__write_block(void *arg, struct block *block);

/* Keeps and logs the first error; EPIPE is not logged: the reader of the pipe has closed it. */
int perf_sink__note_error(struct perf_sink *sink, int err);

/* Queues the block.  1: there is a new one; 0: the queue is full; or the write error. */
int perf_sink__replace_block(struct perf_sink *sink);

/* Whether the block has room for a record. */
static inline bool perf_sink__has_block(const struct perf_sink *sink)
{
	return sink->block && sink->block->bytes.count < BLOCK_BYTES;
}

/* Ensures that the block has room for a record.  As perf_sink__replace_block(). */
static inline int perf_sink__ensure_block(struct perf_sink *sink)
{
	return perf_sink__has_block(sink) ? 1 : perf_sink__replace_block(sink);
}

/* No event that the reader returns from now on is older; UINT64_MAX: they are sorted. */
uint64_t perf_sink__safe_time(const struct perf_sink *sink, bool is_urgent);

/* Passes everything to the thread, with a mark if the round may end.  0 or the write error. */
int perf_sink__flush_block(struct perf_sink *sink);

/* ---- records.c ------------------------------------------------------------------------------- */

/* Each returns 0 or the write error; events without room in the queue are counted as lost. */
int perf_sink__put_event(struct perf_sink *sink, const struct peat_event *event);

/*
 * Ensures that the recording has the name of the event's task at that time, as far as it is known.
 */
int perf_sink__put_name(struct perf_sink *sink, const struct peat_event *event);

/* Writes the EXITs that are older than the last call, or all. */
int perf_sink__put_exits(struct perf_sink *sink, bool all);

/* NULL: the reader has no such type. */
static inline const struct event_format *perf_sink__format(struct perf_sink *sink, uint32_t type)
{
	if (!sink->last || sink->last->type != type)
		sink->last = event_formats__find(&sink->formats, type);
	return sink->last;
}

static inline void perf_sink__note_sample_time(struct perf_sink *sink, uint64_t time_ns)
{
	if (!sink->first_sample_ns || time_ns < sink->first_sample_ns)
		sink->first_sample_ns = time_ns;
	if (time_ns > sink->last_sample_ns)
		sink->last_sample_ns = time_ns;
}

/* ---- rows.c ---------------------------------------------------------------------------------- */

/*
 * Writes the events that follow the reader's, in a row, up to `most`: they are of its type and
 * frame.  Returns their number, or the write error.  Stops if there is no room.
 */
int64_t perf_sink__put_row(struct perf_sink *sink, int64_t most);

#endif /* PEAT_RECORDER_PERF_SINK_H */
