/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/write/deflate.h: compresses records into one zstd stream of COMPRESSED records, which
 * perf_data/read/inflate.h decompresses.  Pure.
 *
 * The stream is flushed after each COMPRESSED record, so a file may be cut after any of them.  Each
 * contains whole records, unless a single record is too large for it.
 */
#ifndef PEAT_PERF_DATA_WRITE_DEFLATE_H
#define PEAT_PERF_DATA_WRITE_DEFLATE_H

#include "base/strbuf.h"

/*
 * Bytes that a COMPRESSED record inflates to at most.  perf reads this limit from the header and
 * drops the bytes beyond it.
 */
#define DEFLATE_INFLATED_MOST 65536

struct deflate;

/* Levels are zstd's, 1 to 22.  NULL: no memory. */
struct deflate *deflate__new(int level);
void deflate__free(struct deflate *deflate); /* takes NULL */

/* Begins a new stream, for another recording. */
void deflate__reset(struct deflate *deflate);

/*
 * Appends all `records`, compressed.  They have to be whole, in the byte order of `out`, and of no
 * type that a payload follows (TRACING_DATA, AUXTRACE).  0; -ENOMEM or -EIO: the stream ends before
 * the records that are missing, and every later call fails.
 */
int deflate__records(struct deflate *deflate, const void *records, size_t count,
		     struct strbuf *out);

#endif /* PEAT_PERF_DATA_WRITE_DEFLATE_H */
