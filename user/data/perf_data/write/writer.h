/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/write/writer.h: writes a recording: a perf.data that stock perf reads.
 *
 *	encode  tool_encode  note ──┬▶ struct strbuf ──▶ perf_writer ──▶ fd
 *	                 deflate  ──┘   records          ▲      only whole records
 *	         feature_encode, host_facts: the header ─┘
 *
 *	struct perf_writer *writer = perf_writer__new(fd);
 *	struct perf_attr event = attr_encode__tracepoint(40000);
 *	uint64_t id = 1;
 *
 *	event.name = "peat:exec";
 *	event.ids = &id;
 *	event.ids_count = 1;
 *	err = perf_writer__event(writer, &event);
 *	...more events; perf_writer__feature(), host_info__add()
 *	err = perf_writer__begin(writer); // also the error of a call before
 *	for each record:
 *		encode__record(perf_writer__out(writer), &event.layout, &rec);
 *		err = perf_writer__commit(writer);
 *	...perf_writer__round() and perf_writer__flush() now and then
 *	err = perf_writer__close(writer);
 *	if (err)
 *		complain(err, perf_writer__written(writer));
 *	perf_writer__free(writer);
 *
 * From the first flush on, a regular file is a valid recording up to its last whole record, even if
 * this process dies: see perf_data/write/layout.h.  Any other output (a pipe, a file opened with
 * O_APPEND) gets the same bytes, except for those that close a file.
 *
 * If the disk is full, or anything else fails, the writer cuts the file after its last whole
 * record, or a few records earlier to leave room for the bytes that close the file.  It writes
 * nothing else any more.  If those bytes do not fit either, the file stays in its growing form,
 * which is a recording, too.
 */
#ifndef PEAT_PERF_DATA_WRITE_WRITER_H
#define PEAT_PERF_DATA_WRITE_WRITER_H

#include "base/strbuf.h"
#include "record/attr.h"

struct perf_writer;

struct perf_written {
	uint64_t bytes;	       /* in the file: whole records, and the bytes that closed it */
	bool closed;	       /* the file has sections now */
	uint64_t lost_bytes;   /* appended but not in the file; 0 without an error */
	uint64_t lost_samples; /* samples in them, without those in COMPRESSED records */
	uint64_t writes;       /* calls to write(2) or pwrite(2) */
};

/* The writer owns the fd, also on failure.  NULL: the fd is not writable, or no memory. */
struct perf_writer *perf_writer__new(int fd);

/* Closes the fd.  Without perf_writer__close() the file keeps its growing form.  Accepts NULL. */
void perf_writer__free(struct perf_writer *writer);

/*
 * Call before all others: the file is written in the other byte order, and the caller's features
 * and records are in that order as well.
 */
void perf_writer__swap(struct perf_writer *writer);

/* ---- the header ------------------------------------------------------------------------------ */

/*
 * Adds an event: copies the attr, its name and its ids.  If there are two events or more, each
 * sample has to have one of the ids.  May also be called after begin, before the first sample of
 * the event, but not for a tracepoint.
 *
 * 0; -ENOMEM; -ENOTSUP: a tracepoint after begin; -E2BIG: more than TOOL_ENCODE_IDS_MOST ids in a
 * pipe, or more events or ids than any recording has; or the errno of a failed write.
 */
int perf_writer__event(struct perf_writer *writer, const struct perf_attr *attr);

/*
 * Sets the bytes of a feature, and replaces those of an earlier call.  Features set before begin
 * are written by begin, if they have 1 to TOOL_ENCODE_FEATURE_MOST bytes.  All others are written
 * when a file is closed; a pipe does not get them.
 *
 * 0; -ENOMEM; -EINVAL: perf 6.1 does not have the feature, and some of its commands crash if a file
 * does.  Data of our own belongs into perf_data/note.h.
 *
 * TRACING_DATA, with all formats, is a feature too.  The writer itself makes EVENT_DESC.  BUILD_ID
 * is at the end of a file; in a pipe its entries are records.
 */
int perf_writer__feature(struct perf_writer *writer, unsigned bit, const void *bytes, size_t count);

/* The same with the bytes of a strbuf, which is freed.  -ENOMEM also if the strbuf failed. */
int perf_writer__feature_strbuf(struct perf_writer *writer, unsigned bit, struct strbuf *bytes);

/* ---- records --------------------------------------------------------------------------------- */

/* Writes the header.  0, the errno of the first call above that failed, or of a failed write. */
int perf_writer__begin(struct perf_writer *writer);

/* The buffer to append whole records to.  Commit after that: it writes once the buffer is large. */
struct strbuf *perf_writer__out(struct perf_writer *writer);
int perf_writer__commit(struct perf_writer *writer);

/*
 * Appends a FINISHED_ROUND.  Records after the next one may not be older than records before this
 * one.  perf sorts the records in between, and prints none of them before it reads that round.
 */
int perf_writer__round(struct perf_writer *writer);

/* Writes out everything that is buffered.  The file then has it, even if this process dies. */
int perf_writer__flush(struct perf_writer *writer);

/* After a write has failed: removes everything after the first `bytes` of the file. */
void perf_writer__cut(struct perf_writer *writer, uint64_t bytes);

/* ---- closing --------------------------------------------------------------------------------- */

/*
 * Flushes, and turns a regular file into one with sections.  Nothing may be written after that.  0,
 * or the first error of this or any earlier call.
 */
int perf_writer__close(struct perf_writer *writer);

const struct perf_written *perf_writer__written(const struct perf_writer *writer);

#endif /* PEAT_PERF_DATA_WRITE_WRITER_H */
