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
	return (!options->filter.by_pid || event->pid == options->filter.pid) &&
	       (!options->filter.by_tid || event->tid == options->filter.tid) &&
	       event_filter__wants_name(options, event);
}

bool event_filter__has_tasks(const struct options *options)
{
	return options->filter.by_pid || options->filter.by_tid || options->filter.by_uid ||
	       options->filter.cgroup || event_filter__has_identity(options);
}

bool event_filter__has_identity(const struct options *options)
{
	return options->filter.container || options->filter.pod || options->filter.unit;
}

bool event_filter__wants_name(const struct options *options, const struct peat_event *event)
{
	return !options->filter.comm || has_name(event, options->filter.comm);
}

bool event_filter__wants_time(const struct options *options, const struct peat_event *event)
{
	if (!options->filter.by_time)
		return true;
	return event->time_ns && event->time_ns >= options->filter.from_ns &&
	       event->time_ns <= options->filter.to_ns;
}
