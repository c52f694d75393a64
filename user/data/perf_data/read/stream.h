/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/read/stream.h: the whole records of one file of a recording, in file order.
 *
 * Handles the framing of records, not their meaning: sizes, payloads after records, compressed
 * records and the records inside them.  Most callers want perf_data/read/file.h.
 */
#ifndef PEAT_PERF_DATA_READ_STREAM_H
#define PEAT_PERF_DATA_READ_STREAM_H

#include <peat/record.h>

#include "perf_data/read/inflate.h"
#include "record/attr.h"
#include "perf_data/read/source.h"
#include "perf_data/tool_record.h"

/* Larger payloads are skipped, like those of AUXTRACE.  All formats of a kernel are a few MiB. */
#define PERF_PAYLOAD_MAX (32U << 20)

/* A record.  Its pointers are valid until the next record is read. */
struct perf_entry {
	const uint8_t *bytes; /* header and body, in the file's byte order, at any alignment */
	uint32_t type;	      /* of the header, in host order */
	uint16_t misc, size;
	bool inflated;	 /* from the COMPRESSED record at `offset` */
	uint64_t offset; /* in its file, in bytes */

	/*
	 * The bytes after TRACING_DATA and AUXTRACE, which are in no record.  NULL if skipped: a
	 * payload of AUXTRACE unless stream->keeps_payloads, and any larger than
	 * PERF_PAYLOAD_MAX.
	 */
	const uint8_t *payload;
	uint64_t payload_bytes;

	/* Set only by perf_file. */
	uint32_t stream;	      /* number of the file, see perf_file__stream_name() */
	const struct perf_attr *attr; /* NULL: a record of perf itself, or of an unknown event */
	/*
	 * The layout to decode it by; may be set although attr is NULL.  NULL for perf's own types,
	 * and for a sample of several events that its id does not distinguish.
	 */
	const struct peat_layout *layout;
};

enum perf_end_how {
	PERF_END_NOT_YET, /* there may be more records */
	PERF_END_WHOLE,
	PERF_END_CUT,	 /* the file is truncated, or its writer did not finish it */
	PERF_END_DAMAGED /* the file contradicts itself: its rest cannot be trusted */
};

struct perf_end {
	enum perf_end_how how;
	uint64_t offset; /* in the file: of the first missing or wrong byte */
	/* "the file ends inside a record"; NULL or "text follows it" if PERF_END_WHOLE */
	const char *why;
	uint32_t stream; /* as in struct perf_entry */
};

struct perf_stream {
	struct perf_source source;
	uint64_t end_offset; /* of the records; UINT64_MAX: the end of the file */
	bool swapped, keeps_payloads;
	bool may_repeat;	/* of a pipe: the header of another recording may follow a record */
	uint32_t repeats;	/* recordings that followed */
	const char *unfinished; /* the `why` of PERF_END_CUT if the writer crashed; or NULL */
	struct perf_end end;

	/* Private. */
	size_t held;   /* bytes of the source that are lent to the caller */
	uint64_t pass; /* bytes of the source after those, to be skipped */
	struct inflate *inflate;
	bool inflating;
	uint64_t inflating_offset;
	size_t inflated_held;
};

/* Begins at the current offset of `source`, and owns it. */
void perf_stream__open(struct perf_stream *stream, const struct perf_source *source,
		       uint64_t end_offset, bool swapped);
void perf_stream__close(struct perf_stream *stream);

/*
 * 1: *entry is the next record.  0: no more records, see stream->end.  A negative errno: reading
 * failed, or no memory; later calls fail as well.
 */
int perf_stream__next(struct perf_stream *stream, struct perf_entry *entry);

/* Whether perf_stream__next() would block until the writer of a pipe writes. */
bool perf_stream__would_wait(struct perf_stream *stream);

#endif /* PEAT_PERF_DATA_READ_STREAM_H */
