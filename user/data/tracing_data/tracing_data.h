/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracing_data/tracing_data.h: parses the TRACING_DATA of a perf.data: the section of that feature,
 * or the payload of the record HEADER_TRACING_DATA in a pipe.
 *
 *	struct tracing_data data;
 *	struct tracing_format format;
 *
 *	err = tracing_data__begin(&data, bytes, count);
 *	while (!err && (err = tracing_data__next(&data, &format)) > 0)
 *		err = parse(format.system, format.text.at, format.text.bytes);
 *	if (err)
 *		print(data.why, data.bad_at);
 *
 * tracepoint/format_parse.h parses the formats.
 *
 * Pure: allocates and copies nothing; results point into the given bytes.  If they are damaged, all
 * formats before the damage are returned.  Bytes after the end are ignored: a pipe pads with zeros.
 */
#ifndef PEAT_TRACING_DATA_TRACING_DATA_H
#define PEAT_TRACING_DATA_TRACING_DATA_H

#include "base/cursor.h"

/* Not terminated by a NUL. */
struct tracing_text {
	const char *at;
	uint64_t bytes;
};

struct tracing_format {
	const char *system; /* "sched"; "ftrace": not a perf event */
	struct tracing_text text;
};

struct tracing_data {
	const char *version; /* "0.5", "0.6" */
	bool big_endian;     /* byte order of the traced machine */
	bool swapped;	     /* it differs from this machine's */
	uint8_t long_bytes;  /* size of a long in its kernel: 4 or 8 */
	uint32_t page_bytes; /* as stored, not checked */
	struct tracing_text header_page, header_event;

	/* Parts after the formats: set if present when tracing_data__next() has returned 0. */
	struct tracing_text kallsyms, printk, cmdlines;
	/* The same: offsets of the number of systems, and of the end of the last system. */
	uint64_t systems_at, systems_end;

	/* After an error: the reason and its offset. */
	const char *why;
	uint64_t bad_at;

	/* Position. */
	struct cursor cur;
	const uint8_t *start;
	const char *system;
	bool in_systems, at_end;   /* after the formats of ftrace; after all formats */
	uint32_t formats, systems; /* left: formats of this system, systems after it */
};

/* Parses up to the formats.  0 or -EBADMSG. */
int tracing_data__begin(struct tracing_data *data, const void *bytes, size_t count);

/* 1: the next format; 0: no more formats, and the rest is valid; -EBADMSG. */
int tracing_data__next(struct tracing_data *data, struct tracing_format *format);

#endif /* PEAT_TRACING_DATA_TRACING_DATA_H */
