/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/encode.h: encodes records as the kernel writes them: the inverse of
 * peat_record__decode().  Pure.
 *
 *	struct peat_record rec = { .type = PEAT_RECORD_SAMPLE, .id = id, .time_ns = now };
 *
 *	rec.sample.raw = payload;
 *	rec.sample.raw_bytes = payload_bytes;
 *	err = encode__record(&out, &attr.layout, &rec);
 */
#ifndef PEAT_RECORD_ENCODE_H
#define PEAT_RECORD_ENCODE_H

#include <peat/record.h>

#include "base/strbuf.h"

/* The largest record: a multiple of 8 that fits into the u16 size. */
#define ENCODE_RECORD_MOST 65528

/* The fields that a sample may have; others are rejected. */
#define ENCODE_SAMPLE                                                                              \
	(PEAT_SAMPLE_IDS | PEAT_SAMPLE_IP | PEAT_SAMPLE_ADDR | PEAT_SAMPLE_PERIOD | PEAT_SAMPLE_RAW)

/*
 * Appends a record of the kernel (any type but READ and CALLCHAIN_DEFERRED), with the fields and
 * the trailer of the layout, in this machine's byte order: out->swapped has to be false.  Ignores
 * `size` and `has` of the record, and members that repeat a bit of `misc`, such as comm.exec.
 *
 * 0; -ENOTSUP: a type or a field that cannot be encoded; -E2BIG: larger than a record can be;
 * -ENOMEM.  After an error, nothing was appended.
 */
int encode__record(struct strbuf *out, const struct peat_layout *layout,
		   const struct peat_record *rec);

/* The most bytes of RAW in a sample of this layout; only fields of ENCODE_SAMPLE count. */
uint32_t encode__raw_most(const struct peat_layout *layout);

/*
 * A record of another type: begin it, append its body, end it.  It is padded to 8 bytes.  0, or an
 * error as above: then the whole record is removed.
 */
size_t encode__begin(struct strbuf *out, uint32_t type, uint16_t misc);
int encode__end(struct strbuf *out, size_t start);

#endif /* PEAT_RECORD_ENCODE_H */
