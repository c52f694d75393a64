// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/maker.c: events being made of a parsed list. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "pmu/maker.h"
#include "pmu/modifiers.h"

__attribute__((format(printf, 4, 5))) int maker__refuse(struct maker *m, uint32_t at, int err,
							const char *format, ...)
{
	char why[sizeof(m->list.error)];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	pmu_list__refuse(&m->list, at, "%s", why);
	return err;
}

static void free_event(struct pmu_event *event)
{
	free(event->name);
	free(event->pmu);
	free(event->unit);
	free(event->filter);
	cpus__free(&event->cpus);
}

void pmu_events__free(struct pmu_events *events)
{
	for (uint32_t i = 0; i < events->count; i++)
		free_event(&events->at[i]);
	free(events->at);
	*events = (struct pmu_events){ 0 };
}

char *maker__copy(const struct maker *m, struct pmu_span span)
{
	return strndup(m->text + span.at, span.bytes);
}

struct pmu_event *maker__add_event(struct maker *m)
{
	struct pmu_events *events = m->events;
	struct pmu_event *event;

	if (!ARRAY_RESERVE_NEXT(events->at, events->count))
		return NULL;
	event = &events->at[events->count++];
	*event = (struct pmu_event){ .scale = 1, .group = PMU_NO_GROUP };
	event->attr.size = sizeof(event->attr);
	if (m->item->group != PMU_NO_GROUP)
		event->group = m->groups + m->item->group;
	return event;
}

void maker__remove_last(struct pmu_events *events)
{
	free_event(&events->at[--events->count]);
}

int maker__finish_event(struct maker *m, struct pmu_event *event)
{
	const struct pmu_item *item = m->item;

	if (!event->name)
		event->name = maker__copy(m, item->text);
	if (!event->name)
		return -ENOMEM;
	if (item->modifiers.bytes)
		pmu_modifiers__set(event, m->text + item->modifiers.at, item->modifiers.bytes);
	return 0;
}
