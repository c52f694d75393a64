/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tracing_write.h: the TRACING_DATA of a perf.data, which tracing_data.h takes apart. */
#ifndef TRACING_WRITE_H
#define TRACING_WRITE_H

#include "base/strbuf.h"
#include "tracepoint/tracing_data.h"

/*
 * Appends what the feature's section has, and what follows the record HEADER_TRACING_DATA in a
 * pipe, where it gets zeros behind it up to a multiple of 8 bytes.  Formats of one system may stand
 * anywhere among the others.
 */
void tracing_write__append(struct out *out, const struct tracing_format *formats, uint32_t count,
			   uint32_t page_bytes);

/*
 * Appends what `bytes` is, of this machine's byte order, with all it has, and more formats behind
 * its own, in systems of their own.  0, or -EBADMSG: it is damaged, or of the other order.
 */
int tracing_write__append_more(struct out *out, const void *bytes, size_t byte_count,
			       const struct tracing_format *formats, uint32_t count);

#endif /* TRACING_WRITE_H */
