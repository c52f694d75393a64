// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/tool_event.c: prints records that perf itself wrote, by name and size, and notes. */
#include <stdio.h>

#include "perf_data/note.h"
#include "replay/recorded.h"
#include "print/tool_event.h"

static const struct emit_name note_kinds[] = { { NOTE_ATTRS, "ATTRS" },
					       { NOTE_LEDGER, "LEDGER" },
					       { NOTE_INTERFACES, "INTERFACES" },
					       { 0, NULL } };

static bool read_note(const struct peat_event *event, struct note *note)
{
	return event->recorded && event->recorded->tool && note__read(event->recorded->tool, note);
}

void tool_event__name(const struct peat_event *event, char name[TOOL_EVENT_NAME_BYTES])
{
	struct note note;
	const char *called = read_note(event, &note) ? "NOTE" : tool_record__name(event->type);

	if (called)
		snprintf(name, TOOL_EVENT_NAME_BYTES, "@%s", called);
	else
		snprintf(name, TOOL_EVENT_NAME_BYTES, "@%u", event->type);
	for (char *c = name; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
}

void tool_event__print(const struct peat_event *event, struct emit emit)
{
	struct emit_value text = { .kind = EMIT_TEXT };
	struct note note;

	if (!read_note(event, &note)) {
		emit__unsigned(&emit, "bytes", event->size);
		return;
	}
	emit__named(&emit, "kind", note.kind, note_kinds);
	if (note.kind == NOTE_ATTRS) {
		emit__unsigned(&emit, "bytes", note.count);
		return;
	}
	text.bytes = note.bytes;
	text.count = note.count;
	emit__value(&emit, "text", &text);
}
