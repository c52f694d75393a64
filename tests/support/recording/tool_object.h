/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TESTS_SUPPORT_RECORDING_TOOL_OBJECT_H
#define TESTS_SUPPORT_RECORDING_TOOL_OBJECT_H

#include "perf_data/describe/tool_records.h"

/* Emits a whole record of perf: {"type":"ID_INDEX","entries":[{"id":1,...}]}. */
static inline int tool_object__emit(const struct tool_record *rec, struct perf_features *features,
				    struct emit *emit)
{
	const char *name = tool_records__name(rec);
	int err;

	emit__begin(emit, NULL, false);
	if (name)
		emit__text(emit, "type", name);
	else
		emit__unsigned(emit, "type", rec->type);
	err = tool_records__emit_members(rec, features, emit);
	emit__end(emit, false);
	return err;
}

#endif /* TESTS_SUPPORT_RECORDING_TOOL_OBJECT_H */
