// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_filter.c: filters for events that no BPF program has filtered. */
#include <string.h>

#include "cli/run/event_filter.h"

static bool has_name(const struct peat_event *event, const char *name)
{
	if (!event->comm)
		return false;
	return !strcmp(event->comm, name) ||
	       (!event->tid && !strcmp(name, "swapper") &&
		!strncmp(event->comm, "swapper/", strlen("swapper/")));
}

bool event_filter__wants_task(const struct options *options, const struct peat_event *event)
{
	return (!options->by_pid || event->pid == options->pid) &&
	       (!options->by_tid || event->tid == options->tid) &&
	       event_filter__wants_name(options, event);
}

bool event_filter__wants_name(const struct options *options, const struct peat_event *event)
{
	return !options->comm || has_name(event, options->comm);
}

bool event_filter__wants_time(const struct options *options, const struct peat_event *event)
{
	if (!options->by_time)
		return true;
	return event->time_ns && event->time_ns >= options->from_ns &&
	       event->time_ns <= options->to_ns;
}
