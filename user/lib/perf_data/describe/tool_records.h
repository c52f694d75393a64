/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_PERF_DATA_DESCRIBE_TOOL_RECORDS_H
#define PEAT_PERF_DATA_DESCRIBE_TOOL_RECORDS_H

#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

/*
 * Emits the members of a record of perf itself (tool_record__parse()), to JSON or pairs, into an
 * object that has begun: "entries":[{"id":1,...}].  `features`: for FEATURE records, see
 * perf_data/describe/features.h.
 *
 * 0; -EBADMSG: the record is damaged; everything before the damage was emitted, and the reason as
 * the member "damaged".
 */
int tool_records__emit_members(const struct tool_record *rec, struct perf_features *features,
			       struct emit *emit);

/* tool_record__name(), but "NOTE" for a note (perf_data/note.h), which stock perf does not know. */
const char *tool_records__name(const struct tool_record *rec);

#endif /* PEAT_PERF_DATA_DESCRIBE_TOOL_RECORDS_H */
