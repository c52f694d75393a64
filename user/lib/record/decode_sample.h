/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/decode_sample.h: decodes the body of PERF_RECORD_SAMPLE.
 */
#ifndef PEAT_RECORD_DECODE_SAMPLE_H
#define PEAT_RECORD_DECODE_SAMPLE_H

#include "base/cursor.h"

/* Sets rec->has, the ids and rec->sample; cur->bad: the body does not fit. */
void peat_sample__decode(struct cursor *cur, struct peat_record *rec);

/* A struct read_format, in a SAMPLE or a READ. */
void peat_read__decode(struct cursor *cur, struct peat_read *read);

/* The fields up to PERIOD, of fixed size.  The trailers of other records have the same order. */
static inline void peat_sample__decode_head(uint64_t has, struct cursor *cur,
					    struct peat_record *rec)
{
	struct peat_sample *s = &rec->sample;

	if (has & PEAT_SAMPLE_IDENTIFIER)
		rec->id = cursor__u64(cur);
	if (has & PEAT_SAMPLE_IP)
		s->ip = cursor__u64(cur);
	if (has & PEAT_SAMPLE_TID) {
		rec->pid = cursor__u32(cur);
		rec->tid = cursor__u32(cur);
	}
	if (has & PEAT_SAMPLE_TIME)
		rec->time_ns = cursor__u64(cur);
	if (has & PEAT_SAMPLE_ADDR)
		s->addr = cursor__u64(cur);
	if (has & PEAT_SAMPLE_ID)
		rec->id = cursor__u64(cur);
	if (has & PEAT_SAMPLE_STREAM_ID)
		rec->stream_id = cursor__u64(cur);
	if (has & PEAT_SAMPLE_CPU) {
		rec->cpu = cursor__u32(cur);
		cursor__u32(cur);
	}
	if (has & PEAT_SAMPLE_PERIOD)
		s->period = cursor__u64(cur);
}

#endif /* PEAT_RECORD_DECODE_SAMPLE_H */
