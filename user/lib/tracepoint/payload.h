/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record_format.h: events of a schema as what perf takes for a tracepoint's.
 *
 *	struct record_format format;
 *
 *	record_format__make(&format, schema, "exec", 40000);
 *	...format.text goes into the TRACING_DATA (tracing_write.h), 40000 into attr.config
 *	size = record_format__convert(&format, event->data, event->size, event->tid, out,
 *				      sizeof(out));
 *	...size & RECORD_FORMAT_BYTES bytes are the raw data of a sample
 *	record_format__free(&format);
 *
 *	event			payload
 *	ppid, uid	 ──▶	 0	common_type, common_flags, common_preempt_count, common_pid
 *	file[256]		 8	ppid, uid
 *	flags : 3		16	flags, in a byte of its own
 *				17	where the string is: bytes << 16 | offset
 *				21	"/usr/bin/ls\0"
 *
 * What is as plain in the payload as in the event is copied in runs.  Strings are sent as long as
 * they are, always with a NUL; numbers in network order are turned, bit-fields taken apart, so that
 * all that read a perf.data see numbers.  Several strings become one with blanks between.  Bytes
 * whose number the event says become hexadecimal digits: nothing of perf's but `script` reads a row
 * of any length.
 *
 * trace_format__read() makes a schema of the text by which the payload has the same values, but
 * without what no format can say: that a number is a duration, a size, a float, a stack.
 *
 * Pure.
 */
#ifndef RECORD_FORMAT_H
#define RECORD_FORMAT_H

#include <peat/schema.h>

#define RECORD_FORMAT_ID_MIN 40000
#define RECORD_FORMAT_ID_MAX 65534

/* No payload is larger. */
#define RECORD_FORMAT_BYTES_MAX 60000

/* In what record_format__convert() returns: how many bytes there are, and that there were more. */
#define RECORD_FORMAT_BYTES 0xffff
#define RECORD_FORMAT_CUT   0x10000

struct record_run;
struct record_whole;
struct record_number;
struct record_tail;

struct record_format {
	char *text;
	size_t text_bytes;
	uint32_t id;
	uint32_t fields;   /* of the text; with more than 55 scripts of perf's crash */
	uint32_t left_out; /* fields that are not in it: more than 2000, or larger than a payload */

	/* The plan; offsets of the event, then of the payload. */
	uint32_t event_bytes; /* from here on an event has all that is copied */
	uint32_t fixed_bytes; /* of the payload, before what stands behind the others */
	struct record_run *runs;
	struct record_whole *wholes;
	struct record_number *numbers;
	struct record_tail *tails;
	uint32_t run_count, whole_count, number_count, tail_count;
};

/*
 * `schema` has to outlive the format; NULL: of unknown events, which are bytes.  The event's name
 * may be anything: perf gets it with _ for what is no letter, digit or _.  0, -EINVAL (such an id
 * is none of ours) or -ENOMEM; then there is nothing to free.
 */
int record_format__make(struct record_format *format, const struct peat_schema *schema,
			const char *event, uint32_t id);

/*
 * The payload of an event of `bytes` bytes, in `room` bytes at `out`, of which no more than
 * RECORD_FORMAT_BYTES_MAX are used.  What the event ends before is 0, empty, or cut.  Returns the
 * payload's bytes, with RECORD_FORMAT_CUT when not all fitted; -ENOSPC: not even what the format
 * promises does.
 */
int record_format__convert(const struct record_format *format, const void *data, uint32_t bytes,
			   uint32_t tid, void *out, size_t room);

void record_format__free(struct record_format *format);

#endif /* RECORD_FORMAT_H */
