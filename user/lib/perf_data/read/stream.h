/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_stream.h: the records of one file of a recording, in file order, whole ones alone.
 *
 * Knows how records are framed, and nothing of what they mean: sizes, payloads that follow records,
 * compressed records and those that come out of them.  Most callers want perf_file.h.
 */
#ifndef PERF_STREAM_H
#define PERF_STREAM_H

#include <peat/record.h>

#include "perf_data/read/inflate.h"
#include "record/attr.h"
#include "perf_data/read/source.h"
#include "perf_data/tool_record.h"

/* Larger ones are passed over like AUXTRACE's; all formats of a kernel take a few MiB. */
#define PERF_PAYLOAD_HELD_MAX (32U << 20)

/* A record.  What it points to lives until the next one is asked for. */
struct perf_entry {
	const uint8_t *bytes; /* header and body, in the file's byte order, at any alignment */
	uint32_t type;	      /* of the header, in host order */
	uint16_t misc, size;
	bool inflated;	 /* it came out of the COMPRESSED record that is at */
	uint64_t offset; /* in its file */

	/*
	 * What follows TRACING_DATA and AUXTRACE in the file and is in no record.  AUXTRACE's is
	 * passed over unless stream->holds_payloads, and any over PERF_PAYLOAD_HELD_MAX: payload is
	 * NULL then.
	 */
	const uint8_t *payload;
	uint64_t payload_bytes;

	/* Set by perf_file alone. */
	uint32_t stream;	      /* number of the file, see perf_file__stream_name() */
	const struct perf_attr *attr; /* NULL: of perf itself, or whose it is cannot be told */
	/* What to decode it by: may be known when the attr is not.  NULL: for perf's own types, and
	 * for samples of one of several events which cannot be told apart. */
	const struct peat_layout *layout;
};

enum perf_end_how {
	PERF_END_NOT_YET, /* there may be more records */
	PERF_END_WHOLE,
	PERF_END_CUT,	 /* the file is shorter than it was to be, or not finished */
	PERF_END_DAMAGED /* it contradicts itself: what follows cannot be trusted */
};

struct perf_end {
	enum perf_end_how how;
	uint64_t offset; /* in the file: what is missing or wrong begins here */
	const char *
		why; /* "the file ends inside a record"; of a whole one NULL or "text follows it" */
	uint32_t stream; /* as in struct perf_entry */
};

struct perf_stream {
	struct perf_source source;
	uint64_t end_offset; /* the records end here; UINT64_MAX: with the file */
	bool swapped, holds_payloads;
	const char *unfinished; /* its writer did not come to an end: the `why` of a cut there */
	struct perf_end end;

	/* Its own. */
	size_t held;   /* bytes of the source that were handed out */
	uint64_t pass; /* bytes of the source behind those, to be passed over */
	struct inflate *inflate;
	bool inflating;
	uint64_t inflating_offset;
	size_t inflated_held;
};

/* Begins where `source` is, and owns it from now on. */
void perf_stream__open(struct perf_stream *stream, const struct perf_source *source,
		       uint64_t end_offset, bool swapped);
void perf_stream__close(struct perf_stream *stream);

/*
 * 1: *entry is the next record.  0: there are no more, and stream->end says how it ended.  A
 * negative errno: the file cannot be read, or no memory; it stays so.
 */
int perf_stream__next(struct perf_stream *stream, struct perf_entry *entry);

/* Whether perf_stream__next() would have to wait until somebody writes to a pipe. */
bool perf_stream__would_wait(struct perf_stream *stream);

#endif /* PERF_STREAM_H */
