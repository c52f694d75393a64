/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracing_data/payload.h: converts events of a schema to payloads of a tracepoint, for perf.
 *
 *	struct payload_format format;
 *
 *	payload__init(&format, schema, "exec", 40000);
 *	attr.config = 40000;
 *	write format.text to the TRACING_DATA (tracing_data/tracing_data_write.h)
 *	size = payload__convert(&format, event->data, event->size, event->tid, out, sizeof(out));
 *	write size & PAYLOAD_BYTES bytes as the raw data of a sample
 *	payload__free(&format);
 *
 *	event			payload
 *	ppid, uid	 ──▶	 0	common_type, common_flags, common_preempt_count, common_pid
 *	file[256]		 8	ppid, uid
 *	flags : 3		16	flags, in a byte of its own
 *				17	size and offset of the string: bytes << 16 | offset
 *				21	"/usr/bin/ls\0"
 *
 * Fields that are the same in both are copied in runs.  Strings have their real length and a NUL;
 * several strings become one, joined by blanks.  Numbers in network order are swapped and
 * bit-fields unpacked, so that every reader of a perf.data sees numbers.  Bytes of variable length
 * become hexadecimal digits: of perf's commands, only `script` can read them as an array.
 *
 * format_parse__text() parses the text to a schema with which the payload has the same values.  A
 * format cannot express that a number is a duration, a size, a float or a stack.
 *
 * payload__restore() makes the event again.  With format.is_exact, payloads have bytes at their end
 * that perf does not read, if the other bytes are not enough for that.
 *
 * Pure.
 */
#ifndef PEAT_TRACING_DATA_PAYLOAD_H
#define PEAT_TRACING_DATA_PAYLOAD_H

#include <stdbool.h>
#include <string.h>

#include <peat/schema.h>

#define PAYLOAD_ID_MIN 40000
#define PAYLOAD_ID_MAX 65534

/* The largest payload. */
#define PAYLOAD_BYTES_MAX 60000

/* Parts of payload__convert()'s result: the number of bytes, and whether the payload was cut. */
#define PAYLOAD_BYTES 0xffff
#define PAYLOAD_CUT   0x10000

#define PAYLOAD_HEAD_BYTES 8 /* the common fields */
#define PAYLOAD_TID_AT	   4 /* of them, the thread */

/* Bytes that are copied from the event. */
struct payload_run {
	uint32_t from, to, bytes;
};

struct payload_whole;
struct payload_number;
struct payload_tail;

struct payload_format {
	char *text;
	size_t text_bytes;
	uint32_t id;
	uint32_t fields;   /* fields of the text; perf's python scripts crash with more than 55 */
	uint32_t left_out; /* fields beyond FLATTEN_MAX or PAYLOAD_BYTES_MAX */
	bool is_exact;	   /* set by the caller: payloads can be restored exactly */

	/* The plan. */
	uint32_t event_bytes; /* events of at least this size contain all copied fields */
	uint32_t whole_bytes; /* the size of most events: all of the struct, without stacks */
	const struct peat_schema *schema; /* of the events; NULL: plain bytes */
	uint32_t fixed_bytes;		  /* size of the payload without its dynamic part */
	struct payload_run *runs;
	struct payload_whole *wholes;
	struct payload_number *numbers;
	struct payload_tail *tails;
	uint32_t run_count, whole_count, number_count, tail_count;
};

/*
 * `schema` has to outlive the format; NULL: events are plain bytes.  `event` may have any
 * characters, see naming__event().  On failure, there is nothing to free.
 *   0
 *   -EINVAL: `id` is not PAYLOAD_ID_MIN to PAYLOAD_ID_MAX
 *   -ENOMEM
 */
int payload__init(struct payload_format *format, const struct peat_schema *schema,
		  const char *event, uint32_t id);

/*
 * Converts an event of `bytes` bytes to a payload in `out`, which has `room` bytes; uses at most
 * PAYLOAD_BYTES_MAX of them.  Fields beyond the event's end are 0, empty or cut.  Returns the size
 * of the payload, with PAYLOAD_CUT if it was cut, or if the format has no field for bytes after the
 * event's struct; -ENOSPC: not even the fixed part fits.
 */
int payload__convert(const struct payload_format *format, const void *data, uint32_t bytes,
		     uint32_t tid, void *out, size_t room);

/*
 * Makes the event of a payload of `bytes` bytes, which may have any content: `out` has `room`
 * bytes, and event bytes that are in no field become 0.  The schema has to be made from BTF.
 * Returns the size of the event.  If the last field was cut, the event ends in it.
 *   -ENODATA: a field before others was cut: they are in the payload alone
 *   -EBADMSG: no payload of this format
 *   -ENOSPC: `room` is too small
 *   -ENOTSUP: the format has not all fields
 */
int payload__restore(const struct payload_format *format, const void *payload, uint32_t bytes,
		     void *out, size_t room);

/*
 * Whether the payloads of events of `bytes` bytes only consist of copied fields, so that
 * payload__copy() makes them: `payload_bytes` each.
 */
bool payload__is_copied(const struct payload_format *format, uint32_t bytes,
			uint32_t *payload_bytes);

static inline void payload__put_head(const struct payload_format *format, uint32_t tid, void *out)
{
	const uint16_t id_and_flags[2] = { (uint16_t)format->id, 0 };

	memcpy(out, id_and_flags, sizeof(id_and_flags));
	memcpy((char *)out + sizeof(id_and_flags), &tid, sizeof(tid));
}

/* Copies in words if there are few: most events are small, and a call costs more. */
static inline void payload__copy_run(const char *from, char *to, uint32_t bytes)
{
	uint64_t word;

	if (bytes > 64 || bytes % sizeof(word)) {
		memcpy(to, from, bytes);
		return;
	}
	for (uint32_t at = 0; at < bytes; at += (uint32_t)sizeof(word)) {
		memcpy(&word, from + at, sizeof(word));
		memcpy(to + at, &word, sizeof(word));
	}
}

/* Makes the common fields, and those that are copied: the event has them all. */
static inline void payload__copy(const struct payload_format *format, const void *data,
				 uint32_t tid, void *out)
{
	payload__put_head(format, tid, out);
	for (uint32_t i = 0; i < format->run_count; i++)
		payload__copy_run((const char *)data + format->runs[i].from,
				  (char *)out + format->runs[i].to, format->runs[i].bytes);
}

void payload__free(struct payload_format *format);

#endif /* PEAT_TRACING_DATA_PAYLOAD_H */
