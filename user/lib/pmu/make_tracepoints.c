// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/make_tracepoints.c: tracepoints of a list, into attrs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "pmu/maker.h"
#include "pmu/terms.h"
#include "pmu/tracepoints.h"
#include "sys/tracefs.h"

static int explain_tracefs(struct maker *m, uint32_t at, int err)
{
	if (err == -ENODEV || err == -EPERM)
		return maker__refuse(m, at, -EACCES, "%s", pmu_tracepoints__why(err));
	return maker__refuse(m, at, err, "tracefs cannot be read: %s", pmu_tracepoints__why(err));
}

int maker__open_tracepoints(struct maker *m, uint32_t at)
{
	if (m->dirs->tracepoints == PMU_DIR_UNOPENED)
		m->dirs->tracepoints = tracefs__open("events");
	return m->dirs->tracepoints < 0 ? explain_tracefs(m, at, m->dirs->tracepoints) : 0;
}

/* \/ stands for a slash. */
static char *copy_filter(const struct maker *m, struct pmu_span span)
{
	char *filter = maker__copy(m, span), *to = filter;

	for (const char *from = filter; filter && *from; from++) {
		from += from[0] == '\\' && from[1] == '/';
		*to++ = *from;
	}
	if (filter)
		*to = '\0';
	return filter;
}

static int add_tracepoint(void *arg, const struct pmu_tracepoint *tracepoint)
{
	struct maker *m = arg;
	struct pmu_event *event = maker__add_event(m);
	int err;

	if (!event)
		return -ENOMEM;
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = tracepoint->id;
	err = pmu_terms__apply(event, NULL, &m->list, m->text, m->item);
	if (err)
		return err;
	if (!event->name &&
	    asprintf(&event->name, "%s:%s", tracepoint->system, tracepoint->event) < 0) {
		event->name = NULL;
		return -ENOMEM;
	}
	if (m->item->has_filter) {
		event->filter = copy_filter(m, m->item->filter);
		if (!event->filter)
			return -ENOMEM;
	}
	return maker__finish_event(m, event);
}

int maker__add_tracepoints(struct maker *m, struct pmu_span system, struct pmu_span event)
{
	char *system_name = maker__copy(m, system), *event_name = maker__copy(m, event);
	int err = -ENOMEM;

	if (system_name && event_name)
		err = pmu_tracepoints__visit(m->dirs->tracepoints, system_name, event_name,
					     add_tracepoint, m);
	free(system_name);
	free(event_name);
	return err;
}

int maker__make_tracepoints(struct maker *m)
{
	const struct pmu_item *item = m->item;
	uint32_t name_bytes = item->event.at + item->event.bytes - item->name.at;
	int err = maker__open_tracepoints(m, item->name.at);
	struct suggestion suggestion = { 0 };
	char text[192];

	if (err)
		return err;
	err = maker__add_tracepoints(m, item->name, item->event);
	if (err && err != -ENOENT && err != -EINVAL && err != -ENOMEM)
		return explain_tracefs(m, item->name.at, err);
	if (err != -ENOENT || *m->list.error)
		return err;
	suggestion.wanted = maker__copy(m, (struct pmu_span){ item->name.at, name_bytes });
	if (!suggestion.wanted)
		return -ENOMEM;
	pmu_tracepoints__suggest(m->dirs->tracepoints, &suggestion);
	maker__refuse(m, item->name.at, 0,
		      "this kernel has no tracepoint %s%speat list --events lists "
		      "tracepoints",
		      suggestion.wanted, suggestion__text(&suggestion, text));
	free((char *)suggestion.wanted);
	return err;
}
