// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* batch/own_alert.c: makes events of alerts. */
#include <stddef.h>
#include <string.h>

#include "base/monotonic.h"
#include "batch/own_alert.h"
#include "field/fields.h"

#define FIELD(member, of_kind, of_doc)                                                             \
	{                                                                                          \
		.name = #member, .kind = (of_kind), .span = 1, .schema = &alert_schema,            \
		.offset = offsetof(struct own_alert, member),                                      \
		.bytes = sizeof(((struct own_alert *)0)->member), .doc = (of_doc)                  \
	}

static const struct peat_schema alert_schema;

static struct peat_field fields[] = {
	FIELD(kind, PEAT_FIELD_STRING, "kind of the alert"),
	FIELD(name, PEAT_FIELD_STRING, "name of the source or the output"),
	FIELD(count, PEAT_FIELD_UNSIGNED, "events, or triggers"),
	FIELD(message, PEAT_FIELD_STRING, "the alert in words"),
};

static const struct peat_schema alert_schema = {
	.name = "alert",
	.doc = "trouble of the agent itself",
	.fields = fields,
	.count = sizeof(fields) / sizeof(*fields),
	.bytes = sizeof(struct own_alert),
	.stacks_fd = -1,
};

int own_alert__add(struct peat_batch *batch, const struct own_alert *alert)
{
	const struct peat_event event = {
		.kind = PEAT_EVENT_DATA,
		.cpu = PEAT_NO_CPU,
		.pid = PEAT_NO_TASK,
		.tid = PEAT_NO_TASK,
		.time_ns = monotonic_ns(),
		.schema = &alert_schema,
		.data = alert,
		.size = (uint32_t)(offsetof(struct own_alert, message) + strlen(alert->message) +
				   1),
	};

	return peat_batch__add(batch, &event);
}

const char *own_alert__message(const struct peat_event *event)
{
	return event->schema == &alert_schema ? ((const struct own_alert *)event->data)->message
					      : NULL;
}
