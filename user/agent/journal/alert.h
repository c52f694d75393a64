/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* journal/alert.h: an event as an alert. */
#ifndef PEAT_JOURNAL_ALERT_H
#define PEAT_JOURNAL_ALERT_H

#include <peat/reader.h>

#include "base/strbuf.h"

/* Whether the event is an alert: an event of a program or of the kernel, or a loss. */
bool alert__is_wanted(const struct peat_event *event);

/* Appends "SOURCE: " and the event as text; frames of a stack have lines of their own. */
void alert__message(struct strbuf *out, const char *source, const struct peat_event *event);

/*
 * Appends fields for journald: PEAT_SOURCE, PEAT_EVENT, the task and the time of the event, its
 * fields as PEAT_FIELD_NAME; or the number and the cause of a loss.
 */
void alert__fields(struct strbuf *out, const char *source, const struct peat_event *event,
		   int64_t wall_clock_ns);

#endif /* PEAT_JOURNAL_ALERT_H */
