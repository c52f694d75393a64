/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_EVENT_STACK_H
#define PEAT_EVENT_STACK_H

#include <peat/stack.h>

#include "field/fields.h"

/* False: the event has no stack, and nothing to unwind one from.  Most events have none. */
static inline bool stack__may_be_in(const struct peat_event *event)
{
	const struct peat_record *record = event->record;

	return (event->schema && fields__stack(event->schema)) ||
	       (record && record->type == PEAT_RECORD_SAMPLE &&
		record->has & (PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_REGS_USER));
}

/*
 * True if the kernel addresses of the event's stack begin with frames of the BPF program that took
 * it, and of the kernel's code that ran the program.
 */
bool stack__begins_with_program(const struct peat_event *event);

#endif /* PEAT_EVENT_STACK_H */
