/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * convert/retype_sample.h: turns a sample with plain bytes into a tracepoint's sample.  Pure.
 *
 *	size = retype_sample__convert(&format, &attr->layout, record, record_bytes, out);
 *	if (size > 0)
 *		write(out, size & RETYPE_BYTES);
 *
 *	plain sample			tracepoint's sample
 *	header, ids, time, ...	 ──▶	the same, with another size
 *	u32 size, bytes			u32 size, payload (tracing_data/payload.h), padded to 8
 *	branches, registers, ...	the same
 */
#ifndef PEAT_CONVERT_RETYPE_SAMPLE_H
#define PEAT_CONVERT_RETYPE_SAMPLE_H

#include "tracing_data/payload.h"
#include <peat/record.h>

/* Size of the output buffer: larger than any record. */
#define RETYPE_ROOM 65536

/*
 * Parts of retype_sample__convert()'s result: the number of bytes; the payload was cut; the raw
 * bytes are shorter than the fixed part of the format.
 */
#define RETYPE_BYTES 0xffff
#define RETYPE_CUT   0x10000
#define RETYPE_SHORT 0x20000

/*
 * Converts a sample in this machine's byte order, of `bytes` bytes with its header, at any
 * alignment; `out` is 8-byte aligned.  -EBADMSG: not a sample, invalid, or without raw bytes;
 * -ENOSPC: the payload and the other sampled fields do not fit into a record.
 */
int retype_sample__convert(const struct payload_format *format, const struct peat_layout *layout,
			   const void *record, uint32_t bytes, void *out);

#endif /* PEAT_CONVERT_RETYPE_SAMPLE_H */
