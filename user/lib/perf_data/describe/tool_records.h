/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TOOL_TOLD_H
#define TOOL_TOLD_H

#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

/*
 * Tells a record of perf itself (tool_record__decode()), to JSON or pairs, as an object:
 * {"type":"ID_INDEX","entries":[{"id":1,...}]}.  `features` is for the records FEATURE: what
 * perf_features.h says of it.  `why`: the reason when it could not be decoded, told as "damaged",
 * or NULL.
 *
 * 0, or -EBADMSG for a FEATURE that is damaged inside (told as well).
 */
int tool_told__record(const struct tool_record *rec, struct perf_features *features,
		      struct emit *emit, const char *why);

/* The same without the object around and without "type": for an emit amid an object's members. */
int tool_told__members(const struct tool_record *rec, struct perf_features *features,
		       struct emit *emit, const char *why);

/* tool_record__name(), but "NOTE" for one of note.h, of which stock perf knows nothing. */
const char *tool_told__name(const struct tool_record *rec);

#endif /* TOOL_TOLD_H */
