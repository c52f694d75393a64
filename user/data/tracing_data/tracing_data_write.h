/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tracing_data/tracing_data_write.h: writes the TRACING_DATA of a perf.data. */
#ifndef PEAT_TRACING_DATA_TRACING_DATA_WRITE_H
#define PEAT_TRACING_DATA_TRACING_DATA_WRITE_H

#include "base/strbuf.h"
#include "tracing_data/tracing_data.h"

/*
 * Appends the contents of the feature's section.  In a pipe, they follow the record
 * HEADER_TRACING_DATA, padded with zeros to 8 bytes.  `formats` need not be sorted by system.
 */
void tracing_data_write__append(struct strbuf *out, const struct tracing_format *formats,
				uint32_t count, uint32_t page_bytes);

/*
 * Appends the TRACING_DATA in `bytes`, of this machine's byte order, with more formats in systems
 * of their own.  0; -EBADMSG: it is damaged or of the other byte order.
 */
int tracing_data_write__append_more(struct strbuf *out, const void *bytes, size_t byte_count,
				    const struct tracing_format *formats, uint32_t count);

#endif /* PEAT_TRACING_DATA_TRACING_DATA_WRITE_H */
