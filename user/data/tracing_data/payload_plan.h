/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tracing_data/payload_plan.h: the plan by which events become payloads (payload.c), and payloads
 * events again (payload_restore.c).
 */
#ifndef PEAT_TRACING_DATA_PAYLOAD_PLAN_H
#define PEAT_TRACING_DATA_PAYLOAD_PLAN_H

#include "field/appended.h"
#include "tracing_data/flatten.h"
#include "tracing_data/payload.h"

/* Copied numbers of `each` bytes: the last one is cleared if the event ends within it. */
struct payload_whole {
	uint32_t from, to, bytes, each;
};

/* Numbers that are converted: `count` of them, at `base` + `step` * i. */
struct payload_number {
	const struct peat_field *field;
	uint32_t base, step, count;
	uint32_t to, bytes;
};

/* A dynamic field. */
struct payload_tail {
	const struct peat_field *field;
	const struct peat_field *element;
	enum leaf_shape shape;
	bool is_string; /* up to its NUL, or of several strings */
	uint32_t base;
	uint32_t to;	   /* offset of its size and offset */
	uint32_t to_count; /* offset of its number of elements; for ELEMENTS */
};

/* The dynamic part of a payload that is being made. */
struct payload_tails {
	uint8_t *out;
	uint32_t at, end;
	uint32_t kept;	  /* the first field that was cut ends here, in the event */
	uint32_t whole;	  /* and ended here before */
	bool cut;	  /* a field was cut */
	bool has_strings; /* NULs between strings became blanks */
};

/* Bytes of a tail in an event.  Never NULL. */
const void *payload_tail__bytes(const struct payload_tail *tail, const uint8_t *data,
				uint32_t bytes, uint32_t *count);

void payload__store_number(uint8_t *to, uint64_t value, uint32_t bytes);

/* Bytes after the struct for which the format has no field. */
static inline uint32_t payload__appended(const struct payload_format *format, uint32_t bytes)
{
	const struct peat_schema *schema = format->schema;

	return schema && !schema->expects_appended && appended__has(schema, bytes)
		       ? bytes - schema->bytes
		       : 0;
}

/*
 * The rest: bytes after a payload, which perf does not read.  Most payloads have none: their event
 * has format->whole_bytes bytes, and no field has several strings.
 *
 *	REST_MARK, u16 size of the event, bytes after its struct, bits of the blanks in texts
 *
 * A bit for each blank: 1 says that the event has a NUL there.  Missing bits are 0.
 *
 * If the last field of the event was cut, the event ends there.  If a field before others was cut,
 * the event cannot be restored without it: the mark is REST_LOST, and nothing follows the size.
 */
#define REST_MARK	'e'
#define REST_LOST	'c'
#define REST_HEAD_BYTES 3

/* Whether an event of `bytes` bytes has fields at or after `end`, which is the end of a field. */
bool payload_rest__has_fields(const struct payload_format *format, uint32_t end, uint32_t bytes);

void payload_rest__append(const struct payload_format *format, struct payload_tails *tails,
			  const uint8_t *data, uint32_t bytes);

#endif /* PEAT_TRACING_DATA_PAYLOAD_PLAN_H */
