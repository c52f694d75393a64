// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/tool_event.c: prints records that perf itself wrote, by name and size, and notes. */
#include <stdio.h>

#include "event/recorded.h"
#include "print/tool_event.h"
#include "record/tool_names.h"

static bool emit_note(const struct peat_event *event, struct emit *emit)
{
	const struct peat_recorded *recorded = event->recorded;

	return recorded && recorded->tool && recorded->names->note(recorded, emit);
}

void tool_event__name(const struct peat_event *event, char name[TOOL_EVENT_NAME_BYTES])
{
	const char *called = emit_note(event, NULL) ? "NOTE" : tool_record__name(event->type);

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
	if (!emit_note(event, &emit))
		emit__unsigned(&emit, "bytes", event->size);
}
