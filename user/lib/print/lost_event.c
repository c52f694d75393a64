// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/lost_event.c: prints the record and the event of a recorded loss. */
#include "base/escape.h"
#include "base/json_value.h"
#include "event/recorded.h"
#include "print/lost_event.h"

/* NULL: a live event. */
static const char *record_name(const struct peat_event *event)
{
	return event->recorded && event->record ? peat_record__name(event->record->type) : NULL;
}

/* NULL: unknown. */
static const char *event_name(const struct peat_event *event, char room[RECORDED_NAME_BYTES])
{
	return event->recorded->names->event(event->recorded, event->type, room);
}

void lost_event__text(struct strbuf *out, const struct peat_event *event)
{
	const char *record = record_name(event), *name;
	char room[RECORDED_NAME_BYTES];

	if (!record && event->cause) {
		strbuf__text(out, ": ");
		strbuf__text(out, peat_lost_cause__name(event->cause));
	}
	if (!record)
		return;
	name = event_name(event, room);
	strbuf__text(out, " (");
	strbuf__text(out, record);
	if (name) {
		strbuf__text(out, " of ");
		escape__text(out, name, strlen(name), 0);
	}
	strbuf__char(out, ')');
}

void lost_event__json(struct strbuf *out, const struct peat_event *event)
{
	const char *record = record_name(event), *name;
	char room[RECORDED_NAME_BYTES];

	if (!record && event->cause) {
		strbuf__text(out, ",\"cause\":\"");
		strbuf__text(out, peat_lost_cause__name(event->cause));
		strbuf__char(out, '"');
	}
	if (!record)
		return;
	name = event_name(event, room);
	strbuf__text(out, ",\"record\":\"");
	strbuf__text(out, record);
	strbuf__text(out, "\",\"event\":");
	if (name)
		json_value__string(out, name, strlen(name));
	else
		strbuf__text(out, "null");
}
