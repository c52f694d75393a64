/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * deflate.h: records become one zstd stream in COMPRESSED records: what inflate.h undoes.  Pure.
 *
 * Each record is a piece that brings out all that went into it, so that a file may be cut behind
 * any of them; and as far as they fit, a piece holds whole records.
 */
#ifndef DEFLATE_H
#define DEFLATE_H

#include "base/strbuf.h"

/* What a piece becomes at most: perf wants to be told, and drops what is beyond. */
#define DEFLATE_INFLATED_MOST 65536

struct deflate;

/* Levels are zstd's, 1 to 22.  NULL: no memory. */
struct deflate *deflate__new(int level);
void deflate__free(struct deflate *deflate); /* takes NULL */

/*
 * Appends COMPRESSED records of all the `records`, which have to be whole, of the byte order that
 * `out` has, and none of those that something follows (TRACING_DATA, AUXTRACE).  0; or -ENOMEM or
 * -EIO: the stream ends in front of what is missing, and takes no more.
 */
int deflate__records(struct deflate *deflate, const void *records, size_t count, struct out *out);

#endif /* DEFLATE_H */
