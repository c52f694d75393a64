// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/tool_event.c: prints records that perf itself wrote. */
#include <stdio.h>

#include "field/fields.h"
#include "replay/recorded.h"
#include "print/tool_event.h"
#include "perf_data/describe/tool_records.h"

void tool_event__name(const struct peat_event *event, char name[TOOL_EVENT_NAME_BYTES])
{
	const struct tool_record *tool = event->recorded ? event->recorded->tool : NULL;
	const char *called = tool ? tool_records__name(tool) : tool_record__name(event->type);

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
	const struct peat_recorded *recorded = event->recorded;

	emit.reserved = fields__event_reserved;
	if (recorded && recorded->tool)
		tool_records__emit_members(recorded->tool, recorded->features, &emit);
	else
		emit__unsigned(&emit, "bytes", event->size);
}
