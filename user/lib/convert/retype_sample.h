/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * retype.h: a sample of plain bytes as the same sample of a tracepoint.  Pure.
 *
 *	size = retype__sample(&format, &attr->layout, record, record_bytes, out);
 *	if (size > 0)
 *		...out has size & RETYPE_BYTES bytes
 *
 *	the sample's			that of the tracepoint
 *	header, ids, time, ...	 ──▶	as it is, with another size
 *	u32 size, bytes			u32 size, payload by record_format.h, up to a multiple of 8
 *	branches, registers, ...	as it is
 */
#ifndef RETYPE_H
#define RETYPE_H

#include "tracepoint/payload.h"
#include <peat/record.h>

/* What the result may take: more than any record has. */
#define RETYPE_ROOM 65536

/*
 * In what retype__sample() returns: how many bytes there are, that the payload had more, and that
 * the raw bytes end within what the format takes for granted.
 */
#define RETYPE_BYTES 0xffff
#define RETYPE_CUT   0x10000
#define RETYPE_SHORT 0x20000

/*
 * For a sample in this machine's byte order, of `bytes` bytes with its header, at any alignment;
 * `out` is 8-byte aligned.  -EBADMSG: it is no sample, makes no sense, or has no raw bytes;
 * -ENOSPC: the payload and all that was sampled beside it do not fit into a record.
 */
int retype__sample(const struct record_format *format, const struct peat_layout *layout,
		   const void *record, uint32_t bytes, void *out);

#endif /* RETYPE_H */
