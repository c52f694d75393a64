/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * encode.h: records put together, as the kernel writes them: what peat_record__decode() takes
 * apart.  Pure.
 *
 *	struct peat_record rec = { .type = PEAT_RECORD_SAMPLE, .id = id, .time_ns = now };
 *
 *	rec.sample.raw = payload;
 *	rec.sample.raw_bytes = payload_bytes;
 *	err = encode__record(&out, &attr.layout, &rec);
 */
#ifndef ENCODE_H
#define ENCODE_H

#include <peat/record.h>

#include "base/strbuf.h"

/* The largest multiple of 8 that a record's size can say. */
#define ENCODE_RECORD_MOST 65528

/* What a sample may have: others are refused. */
#define ENCODE_SAMPLE                                                                              \
	(PEAT_SAMPLE_IDS | PEAT_SAMPLE_IP | PEAT_SAMPLE_ADDR | PEAT_SAMPLE_PERIOD | PEAT_SAMPLE_RAW)

/*
 * Appends a record of the kernel's, but no READ and no CALLCHAIN_DEFERRED, with the fields and the
 * trailer that the layout has, in this machine's byte order whatever `out` says.  Of the record
 * `size` and `has` are not looked at, and neither is what merely repeats a bit of `misc`, such as
 * comm.exec.
 *
 * 0; -ENOTSUP: a type or a field that cannot be written; -E2BIG: it is larger than records can be;
 * -ENOMEM.  After an error nothing was appended.
 */
int encode__record(struct out *out, const struct peat_layout *layout,
		   const struct peat_record *rec);

/* The bytes that RAW of a sample of this layout may have, of those in ENCODE_SAMPLE. */
uint32_t encode__raw_most(const struct peat_layout *layout);

/*
 * A record of another type: begin it, append its body, end it.  It is padded to 8 bytes.  0, or as
 * above: then all of it is gone.
 */
size_t encode__begin(struct out *out, uint32_t type, uint16_t misc);
int encode__end(struct out *out, size_t start);

#endif /* ENCODE_H */
