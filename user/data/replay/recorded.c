// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/recorded.c: names of what a recording has. */
#include "base/emit.h"
#include "perf_data/event_names.h"
#include "perf_data/note.h"
#include "replay/recorded.h"

_Static_assert(RECORDED_NAME_BYTES >= EVENT_NAME_BYTES, "names fit");

static const struct emit_name note_kinds[] = { { NOTE_ATTRS, "ATTRS" },
					       { NOTE_LEDGER, "LEDGER" },
					       { NOTE_INTERFACES, "INTERFACES" },
					       { 0, NULL } };

static const char *name_event(const struct peat_recorded *recorded, uint32_t type,
			      char room[RECORDED_NAME_BYTES])
{
	const struct perf_attrs *attrs = recorded->attrs;

	return type < attrs->count ? event_names__of(attrs->at[type], room) : NULL;
}

static const char *name_counter(const struct peat_recorded *recorded, uint64_t id,
				char room[RECORDED_NAME_BYTES])
{
	const struct perf_attr *attr = NULL;

	if (recorded->attrs)
		attr = perf_attrs__by_id(recorded->attrs, id);
	return attr ? event_names__of(attr, room) : NULL;
}

static bool emit_note(const struct peat_recorded *recorded, struct emit *emit)
{
	struct emit_value text = { .kind = EMIT_TEXT };
	struct note note;

	if (!note__read(recorded->tool, &note))
		return false;
	if (!emit)
		return true;
	emit__named(emit, "kind", note.kind, note_kinds);
	if (note.kind == NOTE_ATTRS) {
		emit__unsigned(emit, "bytes", note.count);
		return true;
	}
	text.bytes = note.bytes;
	text.count = note.count;
	emit__value(emit, "text", &text);
	return true;
}

const struct recorded_names replay_names = {
	.event = name_event,
	.counter = name_counter,
	.note = emit_note,
};
