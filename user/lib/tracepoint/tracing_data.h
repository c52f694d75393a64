/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracing_data.h: what is in the TRACING_DATA of a perf.data: the section of that feature, or what
 * follows the record HEADER_TRACING_DATA in a pipe.
 *
 *	struct tracing_data data;
 *	struct tracing_format format;
 *
 *	err = tracing_data__begin(&data, bytes, count);
 *	while (!err && (err = tracing_data__next(&data, &format)) > 0)
 *		err = use(format.system, format.text.at, format.text.bytes); ...see trace_format.h
 *	if (err)
 *		say(data.why, data.bad_at);
 *
 * Pure: nothing is allocated or copied; all that is found points into the bytes given.  Of a
 *damaged one all comes that stands whole before the damage.  Bytes behind the end do not matter: in
 *a pipe there are zeros.
 */
#ifndef TRACING_DATA_H
#define TRACING_DATA_H

#include "base/cursor.h"

/* Not ended by a NUL. */
struct tracing_text {
	const char *at;
	uint64_t bytes;
};

struct tracing_format {
	const char
		*system; /* "sched"; "ftrace" of the tracer's own, which are no events of perf's */
	struct tracing_text text;
};

struct tracing_data {
	const char *version; /* "0.5", "0.6" */
	bool big_endian;     /* the machine that was traced; and whether this one's order is the */
	bool swapped;	     /* other one */
	uint8_t long_bytes;  /* of its kernel: 4 or 8 */
	uint32_t page_bytes; /* what it says, which may be anything */
	struct tracing_text header_page, header_event;

	/* Behind the formats: once tracing_data__next() has returned 0, and where there are any. */
	struct tracing_text kallsyms, printk, cmdlines;
	/* Likewise: so many bytes in stands how many systems there are, and ends the last one. */
	uint64_t systems_at, systems_end;

	/* Once something has returned an error: what is wrong, and how many bytes in. */
	const char *why;
	uint64_t bad_at;

	/* Where it is. */
	struct cursor cur;
	const uint8_t *start;
	const char *system;
	bool in_systems, at_end;   /* past the formats of ftrace; past all */
	uint32_t formats, systems; /* to come: of this system, and after it */
};

/* Reads up to the formats: 0, or -EBADMSG. */
int tracing_data__begin(struct tracing_data *data, const void *bytes, size_t count);

/* The next format: 1.  0: there are no more, and all is whole to the end.  -EBADMSG. */
int tracing_data__next(struct tracing_data *data, struct tracing_format *format);

#endif /* TRACING_DATA_H */
