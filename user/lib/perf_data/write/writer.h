/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_writer.h: a recording that is written: perf.data, which stock perf reads.
 *
 *	encode  tool_encode  note ──┬▶ struct out ──▶ perf_writer ──▶ fd
 *	                 deflate  ──┘   records          ▲      whole records alone
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
 *	...more events; perf_writer__feature(), host_facts__add()
 *	err = perf_writer__begin(writer); // or what one of them failed with
 *	for each record:
 *		encode__record(perf_writer__out(writer), &event.layout, &rec);
 *		err = perf_writer__commit(writer);
 *	...perf_writer__round() and perf_writer__flush() now and then
 *	err = perf_writer__close(writer);
 *	if (err)
 *		complain(err, perf_writer__written(writer));
 *	perf_writer__free(writer);
 *
 * A regular file is a recording from the first flush on, up to its last whole record, whenever this
 * process dies: see perf_layout.h.  Into anything else (a pipe, a file that is appended to)
 * goes the same, but what closes a file.
 *
 * When the disk is full, or anything else fails, the file is cut behind its last whole record, or a
 * few before it, so that there is room for what closes it; nothing else is written any more.  If it
 * does not fit all the same, the file stays as it was while it grew, which is a recording, too.
 */
#ifndef PERF_WRITER_H
#define PERF_WRITER_H

#include "base/strbuf.h"
#include "record/attr.h"

struct perf_writer;

struct perf_written {
	uint64_t bytes;	       /* in the file: whole records, and what closed it */
	bool closed;	       /* it has become a file with sections */
	uint64_t lost_bytes;   /* were put, and did not get there: with an error alone */
	uint64_t lost_samples; /* so many records among those, compressed ones unseen */
	uint64_t writes;       /* calls to write(2) or pwrite(2) */
};

/* Owns the fd from now on.  NULL: it cannot be written to, or no memory; the fd is closed then. */
struct perf_writer *perf_writer__new(int fd);

/* Without perf_writer__close() the file stays as it is.  Takes NULL. */
void perf_writer__free(struct perf_writer *writer);

/*
 * In front of all else: the file is one of a machine of the other byte order, and so are the
 * features and records that the caller puts.
 */
void perf_writer__swap(struct perf_writer *writer);

/* ---- what is in the header ------------------------------------------------------------------- */

/*
 * An event: a copy of the attr, its name and its ids.  Samples bear one of those ids, as soon as
 * there are two events.  Also once records are written, in front of its first sample, but no
 * tracepoint then: -ENOTSUP.  0, -ENOMEM, or what writing failed with; -E2BIG: more than
 * TOOL_ENCODE_IDS_MOST ids in a pipe, or more events or ids than any recording has.
 */
int perf_writer__event(struct perf_writer *writer, const struct perf_attr *attr);

/*
 * A feature's bytes; given again they replace what was there.  Given in front of begin they are
 * written at once, unless they are more than TOOL_ENCODE_FEATURE_MOST.  All others are written when
 * a file is closed, and are in no pipe.  0, -ENOMEM, or -EINVAL: perf 6.1 does not know the bit,
 * and some of its commands die of that; for what is our own there is note.h.
 *
 * TRACING_DATA, with all formats there are, is one of them; EVENT_DESC is the writer's own;
 * BUILD_ID stands at the end of a file, and its entries are records of a pipe.
 */
int perf_writer__feature(struct perf_writer *writer, unsigned bit, const void *bytes, size_t count);

/* ---- records --------------------------------------------------------------------------------- */

/* Writes the header.  What one of the above failed with, or writing. */
int perf_writer__begin(struct perf_writer *writer);

/* Where to put records, whole ones alone; then commit: it writes when many have gathered. */
struct out *perf_writer__out(struct perf_writer *writer);
int perf_writer__commit(struct perf_writer *writer);

/*
 * A mark: what comes behind the next one is not older than what stands in front of this one.  perf
 * sorts in between, and shows nothing before it comes.
 */
int perf_writer__round(struct perf_writer *writer);

/* Writes all that was put.  Behind it the file has that, whatever becomes of this process. */
int perf_writer__flush(struct perf_writer *writer);

/* ---- its end --------------------------------------------------------------------------------- */

/*
 * Flushes, and of a regular file appends what makes it one with sections.  Nothing is written any
 * more.  0, or what failed first, now or before.
 */
int perf_writer__close(struct perf_writer *writer);

const struct perf_written *perf_writer__written(const struct perf_writer *writer);

#endif /* PERF_WRITER_H */
