/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perfetto/switches.h: context switches, which fill the lanes of CPUs: of the tracepoints
 * sched_switch and sched_waking, recognised by their fields, and of the kernel's records.
 */
#ifndef PEAT_PERFETTO_SWITCHES_H
#define PEAT_PERFETTO_SWITCHES_H

#include <peat/reader.h>

#include "base/strbuf.h"

enum switch_kind { SWITCH_NONE, SWITCH_OF_TASKS, SWITCH_WAKING };

/* The fields of an event type. */
struct switch_fields {
	enum switch_kind kind;
	const struct peat_field *previous, *previous_comm, *previous_priority, *state;
	const struct peat_field *next, *next_comm, *next_priority;
	const struct peat_field *target_cpu; /* `next` is woken */
};

/* SWITCH_NONE: events of this type are no switches. */
struct switch_fields switch_fields__find(const struct peat_schema *schema);

/* Appends a packet for the event, of this type. */
void switches__append(const struct switch_fields *fields, struct strbuf *out,
		      const struct peat_event *event);

/* The tasks that run, by CPU, as far as the kernel's records show. */
struct switches {
	uint32_t *running; /* a tid, or PEAT_NO_TASK */
	uint32_t count;
};

/*
 * Appends a packet for a record SWITCH or SWITCH_CPU_WIDE, unless one for the same switch was
 * appended before.  Returns whether it did; -ENOMEM.
 */
int switches__append_record(struct switches *switches, struct strbuf *out,
			    const struct peat_event *event);

void switches__free(struct switches *switches);

#endif /* PEAT_PERFETTO_SWITCHES_H */
