/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recorded.h: what an event of a recording cannot tell by itself. */
#ifndef RECORDED_H
#define RECORDED_H

#include <peat/reader.h>

#include "perf_data/attrs.h"
#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

/* Lent with the event; all it points to lives as long. */
struct peat_recorded {
	const char *arch; /* of the machine, as uname -m has it; NULL: not told */
	bool same_kernel; /* the kernel's addresses mean what they mean here and now */
	const struct perf_attrs *attrs; /* the events: whose the ids are that samples bear */

	/* Of PEAT_EVENT_TOOL, else NULL. */
	const struct tool_record *tool;
	const char *damage; /* why `tool` could not be decoded, or not all of it; NULL: it could */
	struct perf_features *features; /* for what tool_told__record() says of a FEATURE */
};

#endif /* RECORDED_H */
