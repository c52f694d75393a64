// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counter_trigger.c: the counters of --on EVENT>N. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/messages.h"
#include "cli/cli.h"
#include "cli/record/counter_trigger.h"

/* The tasks whose events are recorded.  options_flight__check() has refused other filters. */
static struct peat_counters *open_counters(const struct run *run, const char *events)
{
	const struct filter_options *filter = &run->options->filter;
	bool by_tid = filter->by_tid, by_pid = !by_tid && (filter->by_pid || run->ancestor);
	uint32_t pid = filter->by_pid ? filter->pid : run->ancestor;
	bool is_command = run->command.pid && pid == (uint32_t)run->command.pid;
	struct peat_counters *counters;
	const struct peat_counters_opts opts = {
		.sz = sizeof(opts),
		.events = events,
		.pids = &pid,
		.pid_count = by_pid,
		.tids = &filter->tid,
		.tid_count = by_tid,
		.cgroup = filter->cgroup,
		.cpus = filter->cpus,
		.all_tasks = !by_tid && !by_pid && !filter->cgroup,
		.enable_on_exec = by_pid && is_command,
		.period = peat_counters__limit_period(run->options->flight.on_count.over),
	};

	counters = peat_counters__new(&opts);
	if (!counters || opts.enable_on_exec || !peat_counters__enable(counters))
		return counters;
	peat_counters__free(counters);
	return NULL;
}

int counter_trigger__open(struct counter_trigger *trigger, const struct run *run)
{
	const struct flight_options *flight = &run->options->flight;
	char *events = strndup(flight->on, flight->on_count.name_size);

	trigger->over = flight->on_count.over;
	trigger->counters = events ? open_counters(run, events) : NULL;
	free(events);
	if (trigger->counters)
		return 0;
	messages__report_no_memory(-errno);
	return EXIT_FAILED;
}

void counter_trigger__close(struct counter_trigger *trigger)
{
	peat_counters__free(trigger->counters);
	trigger->counters = NULL;
}

int counter_trigger__fd(const struct counter_trigger *trigger)
{
	return trigger->counters ? peat_counters__overflow_fd(trigger->counters) : -1;
}

/* The cause may last, such as too few file descriptors for a CPU that returns. */
static void give_up(struct counter_trigger *trigger)
{
	messages__print("cannot read the counters of --on: %m: they make no more dumps");
	counter_trigger__close(trigger);
}

uint64_t counter_trigger__count(struct counter_trigger *trigger)
{
	int64_t count = 0;

	if (trigger->counters)
		count = peat_counters__exceeded(trigger->counters, trigger->over, &trigger->rest);
	if (count >= 0)
		return (uint64_t)count;
	give_up(trigger);
	return 0;
}

void counter_trigger__restart(struct counter_trigger *trigger)
{
	trigger->rest = 0;
	if (!trigger->counters)
		return;
	if (peat_counters__read(trigger->counters))
		give_up(trigger);
	else
		peat_counters__reset(trigger->counters);
}
