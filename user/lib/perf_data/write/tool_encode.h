/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tool_encode.h: the records that perf itself writes into a perf.data, put together: what
 * tool_record.h takes apart.  Pure.
 *
 * Each appends one record and returns 0, or -E2BIG or -ENOMEM, and then nothing was appended.
 */
#ifndef TOOL_ENCODE_H
#define TOOL_ENCODE_H

#include "base/strbuf.h"
#include "record/attr.h"
#include "perf_data/tool_record.h"

/* HEADER_ATTR: an event, with its ids. */
#define TOOL_ENCODE_IDS_MOST ((65528 - 8 - 128) / 8)
int tool_encode__attr(struct out *out, const struct perf_attr *attr);

/* EVENT_UPDATE: the name of the event that has the id. */
int tool_encode__name(struct out *out, uint64_t id, const char *name);

/* Those of guests are not written. */
int tool_encode__id_index(struct out *out, const struct tool_id_entry *entries, size_t count);

/* FINISHED_ROUND, FINISHED_INIT: a header alone. */
int tool_encode__mark(struct out *out, enum tool_record_type type);

/*
 * HEADER_FEATURE: what a file has as a section; see feature_encode.h.  It ends at a multiple of 8
 * of all that is in `out`: behind a TRACING_DATA that is an odd size, and records are aligned
 * again.
 */
#define TOOL_ENCODE_FEATURE_AT	 16 /* in the record */
#define TOOL_ENCODE_FEATURE_MOST (65528 - TOOL_ENCODE_FEATURE_AT)
int tool_encode__feature(struct out *out, uint64_t id, const void *bytes, size_t count);

/* HEADER_TRACING_DATA, and behind it all that is given: see tracing_data.h. */
#define TOOL_ENCODE_TRACING_AT 12 /* in the record, which is as long */
int tool_encode__tracing_data(struct out *out, const void *bytes, size_t count);

#endif /* TOOL_ENCODE_H */
