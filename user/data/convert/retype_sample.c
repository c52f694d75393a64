// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/retype_sample.c: replaces the raw bytes of a sample. */
#include <errno.h>
#include <string.h>

#include "convert/retype_sample.h"
#include "field/appended.h"

#define AT_SIZE		 6 /* offset in the header */
#define RECORD_BYTES_MAX 65528
#define COUNT_BYTES	 ((uint32_t)sizeof(uint32_t)) /* before the raw bytes */

/* Fields after the raw bytes are copied without decoding them. */
#define UP_TO_RAW                                                                                  \
	(PEAT_SAMPLE_IDS | PEAT_SAMPLE_IP | PEAT_SAMPLE_ADDR | PEAT_SAMPLE_PERIOD |                \
	 PEAT_SAMPLE_READ | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_RAW)

/* The fields around the raw bytes: the first `head` bytes of the record, and those from `tail` on.
 */
struct around {
	uint32_t head, tail, tail_bytes;
};

/* Includes the padding after the raw bytes, which not all writers count as part of them. */
static uint32_t raw_bytes_padded(uint32_t raw_bytes)
{
	return (COUNT_BYTES + raw_bytes + 7) & ~7U;
}

static struct around find_around(const struct peat_record *rec, const uint8_t *record)
{
	uint32_t raw = (uint32_t)((const uint8_t *)rec->sample.raw - record);
	struct around around = { .head = raw - COUNT_BYTES };

	around.tail = around.head + raw_bytes_padded(rec->sample.raw_bytes);
	if (around.tail > rec->size)
		around.tail = rec->size;
	around.tail_bytes = rec->size - around.tail;
	return around;
}

/* Writes the size, the payload and its padding of zeroes.  Returns their bytes and flags, or
 * -ENOSPC. */
static int write_payload(const struct payload_format *format, const struct peat_record *rec,
			 uint32_t room, uint8_t *out)
{
	uint32_t tid = rec->has & PEAT_SAMPLE_TID ? rec->tid : 0, payload, count, all;
	uint32_t bytes = appended__trim(format->schema, rec->sample.raw, rec->sample.raw_bytes);
	int size;

	if (room < COUNT_BYTES)
		return -ENOSPC;
	size = payload__convert(format, rec->sample.raw, bytes, tid, out + COUNT_BYTES,
				room - COUNT_BYTES);
	if (size < 0)
		return size;
	payload = (uint32_t)size & PAYLOAD_BYTES;
	all = raw_bytes_padded(payload);
	count = all - COUNT_BYTES;
	memcpy(out, &count, sizeof(count));
	memset(out + COUNT_BYTES + payload, 0, count - payload);
	all |= size & PAYLOAD_CUT ? RETYPE_CUT : 0;
	return (int)(all | (rec->sample.raw_bytes < format->event_bytes ? RETYPE_SHORT : 0));
}

static int write_retyped(const struct payload_format *format, const struct peat_record *rec,
			 const uint8_t *record, uint8_t *out)
{
	struct around around = find_around(rec, record);
	uint32_t kept = around.head + around.tail_bytes, all;
	int payload;
	uint16_t size;

	if (kept > RECORD_BYTES_MAX)
		return -ENOSPC;
	payload = write_payload(format, rec, (RECORD_BYTES_MAX - kept) & ~7U, out + around.head);
	if (payload < 0)
		return payload;
	all = kept + ((uint32_t)payload & RETYPE_BYTES);
	size = (uint16_t)all;
	memcpy(out, record, around.head);
	memcpy(out + all - around.tail_bytes, record + around.tail, around.tail_bytes);
	memcpy(out + AT_SIZE, &size, sizeof(size));
	return (int)(all | ((uint32_t)payload & (RETYPE_CUT | RETYPE_SHORT)));
}

int retype_sample__convert(const struct payload_format *format, const struct peat_layout *layout,
			   const void *record, uint32_t bytes, void *out)
{
	struct peat_layout head = *layout;
	struct peat_record rec;

	rec.sz = sizeof(rec);
	head.sample_type &= UP_TO_RAW;
	if (layout->swapped || peat_record__decode(&head, record, bytes, &rec) <= 0 ||
	    rec.type != PEAT_RECORD_SAMPLE || !rec.sample.raw)
		return -EBADMSG;
	return write_retyped(format, &rec, record, out);
}
