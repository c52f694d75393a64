/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/write/tool_encode.h: encodes the records that perf itself writes into a perf.data;
 * perf_data/tool_record.h parses them.  Pure.
 *
 * Each function appends one record.  0; -E2BIG or -ENOMEM: nothing was appended.
 */
#ifndef PEAT_PERF_DATA_WRITE_TOOL_ENCODE_H
#define PEAT_PERF_DATA_WRITE_TOOL_ENCODE_H

#include "base/strbuf.h"
#include "record/attr.h"
#include "perf_data/tool_record.h"

/* HEADER_ATTR: an event, with its ids. */
#define TOOL_ENCODE_IDS_MOST ((65528 - 8 - 128) / 8)
int tool_encode__attr(struct strbuf *out, const struct perf_attr *attr);

/* EVENT_UPDATE: the name of the event that has the id. */
int tool_encode__name(struct strbuf *out, uint64_t id, const char *name);

/* Entries of guests are not supported. */
int tool_encode__id_index(struct strbuf *out, const struct tool_id_entry *entries, size_t count);

/* FINISHED_ROUND, FINISHED_INIT: a header alone. */
int tool_encode__mark(struct strbuf *out, enum tool_record_type type);

/*
 * HEADER_FEATURE: the bytes that a file has in a section; see perf_data/write/feature_encode.h.
 *
 * CPU_TOPOLOGY has exactly its bytes, since perf takes padding for a part of it.  Any other feature
 * is padded up to a multiple of 8 in `out`.  After a TRACING_DATA or a CPU_TOPOLOGY its size is no
 * multiple of 8, and the next records are aligned again.
 */
#define TOOL_ENCODE_FEATURE_AT	 16 /* the bytes' offset in the record */
#define TOOL_ENCODE_FEATURE_MOST (65528 - TOOL_ENCODE_FEATURE_AT)
int tool_encode__feature(struct strbuf *out, uint64_t id, const void *bytes, size_t count);

/* HEADER_TRACING_DATA, with the bytes after it as its payload: see tracing_data/tracing_data.h. */
#define TOOL_ENCODE_TRACING_AT 12 /* the payload's offset; also the size of the record */
int tool_encode__tracing_data(struct strbuf *out, const void *bytes, size_t count);

#endif /* PEAT_PERF_DATA_WRITE_TOOL_ENCODE_H */
