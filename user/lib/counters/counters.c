// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/counters.c: the public functions. */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/fork_mark.h"
#include "base/log.h"
#include "base/opts.h"
#include "counters/breakpoint.h"
#include "counters/counter.h"
#include "counters/follow.h"
#include "counters/group_read.h"
#include "counters/open_all.h"
#include "counters/overflow.h"
#include "counters/trap.h"

/* ---- lifetime -------------------------------------------------------------------------------- */

static int parse_events(struct peat_counters *counters, const char *list)
{
	int err;

	if (!list || !*list) {
		log__error("peat_counters_opts: no events: name at least one, such as page-faults");
		return -EINVAL;
	}
	err = pmu_events__parse(&counters->events, list);
	if (!err && !counters->events.count) {
		log__error("no events in '%s'", list);
		err = -EINVAL;
	}
	return err;
}

static int make_counter(struct peat_counters *counters, uint32_t index)
{
	struct counter *counter = &counters->at[index];
	uint32_t count = counters->targets.count;

	counter->event = &counters->events.at[index];
	counter->name = strdup(counter->event->name);
	counter->parts = calloc(count, sizeof(*counter->parts));
	for (uint32_t i = 0; counter->parts && i < count; i++)
		counter->parts[i].fd = -1;
	return counter->name && counter->parts ? 0 : -ENOMEM;
}

static int make_counters(struct peat_counters *counters)
{
	uint32_t count = counters->events.count;
	int err = 0;

	counters->at = calloc(count, sizeof(*counters->at));
	counters->members = calloc(count, sizeof(*counters->members));
	counters->bytes = malloc(reading__bytes(PERF_FORMAT_GROUP | READING_LOST, count));
	if (!counters->at || !counters->members || !counters->bytes)
		return -ENOMEM;
	for (uint32_t i = 0; !err && i < count; i++)
		err = make_counter(counters, i);
	return err;
}

static int open_counters(struct peat_counters *counters, const struct peat_counters_opts *opts)
{
	int err;

	counters->mark = fork_mark__new();
	err = counters->mark ? parse_events(counters, opts->events) : -errno;
	if (!err)
		err = overflow__prepare(counters, opts);
	if (!err)
		err = trap__prepare(&counters->events, opts);
	if (!err)
		err = follow__prepare(&counters->events, opts);
	if (!err)
		err = targets__find(&counters->targets, opts);
	if (!err)
		err = make_counters(counters);
	if (!err && counters->targets.are_cpus)
		err = hotplug__open(&counters->hotplug);
	return err ?: open_all__targets(counters);
}

struct peat_counters *peat_counters__new(const struct peat_counters_opts *callers)
{
	struct peat_counters_opts opts = PEAT_COUNTERS_OPTS_INIT;
	int err = opts__read(&opts, sizeof(opts), callers, "peat_counters_opts");
	struct peat_counters *counters = NULL;

	if (!err)
		err = OPTS_CHECK_RESERVED(&opts, "peat_counters_opts");
	if (!err)
		counters = calloc(1, sizeof(*counters));
	if (!counters)
		return fail_null(err ?: -ENOMEM);
	*counters = (struct peat_counters){
		.targets.cgroup_fd = -1,
		.hotplug.fd = -1,
		.overflow_fd = -1,
		.overflow_signal = opts.overflow_signal,
		.has_group_reads = !opts.remove_on_exec || opts.no_inherit || opts.self,
		.has_lost = true,
		.is_enabled = opts.enable_on_exec,
		.enable_on_exec = opts.enable_on_exec,
		.inherits = !opts.no_inherit && !opts.all_tasks && !opts.cgroup && !opts.self,
		.is_self = opts.self,
		.owner = pthread_self(),
		.is_optional = opts.optional,
	};
	err = open_counters(counters, &opts);
	if (!err)
		return counters;
	peat_counters__free(counters);
	return fail_null(err);
}

static void free_counter(struct peat_counters *counters, struct counter *counter)
{
	for (uint32_t i = 0; counter->parts && i < counters->targets.count; i++)
		counter__close(&counter->parts[i]);
	free(counter->parts);
	free(counter->name);
}

void peat_counters__free(struct peat_counters *counters)
{
	if (!counters)
		return;
	for (uint32_t i = 0; counters->at && i < counters->events.count; i++)
		free_counter(counters, &counters->at[i]);
	hotplug__close(&counters->hotplug);
	pmu_events__free(&counters->events);
	targets__free(&counters->targets);
	overflow__close(counters);
	fork_mark__free(counters->mark);
	free(counters->at);
	free(counters->members);
	free(counters->bytes);
	free(counters);
}

/* ---- counting -------------------------------------------------------------------------------- */

static int check_process(const struct peat_counters *counters)
{
	return fork_mark__check(counters->mark, "the counters");
}

static int switch_all(struct peat_counters *counters, bool enabled)
{
	int err = check_process(counters);

	for (uint32_t i = 0; !err && i < counters->targets.count; i++)
		err = open_all__switch(counters, i,
				       enabled ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE);
	if (err)
		return fail(err);
	counters->is_enabled = enabled;
	return 0;
}

int peat_counters__enable(struct peat_counters *counters)
{
	return switch_all(counters, true);
}

int peat_counters__disable(struct peat_counters *counters)
{
	return switch_all(counters, false);
}

int peat_counters__fd(const struct peat_counters *counters)
{
	int err = check_process(counters);

	return err ? fail(err) : counters->hotplug.fd;
}

int peat_counters__read(struct peat_counters *counters)
{
	int err = check_process(counters);

	if (err)
		return fail(err);
	overflow__clear(counters);
	if (counters->targets.are_cpus && hotplug__poll(&counters->hotplug))
		err = open_all__returned_cpus(counters);
	counters->pass++;
	for (uint32_t i = 0; !err && i < counters->targets.count; i++)
		err = group_read__target(counters, i);
	return err ? fail(err) : 0;
}

static struct reading total(const struct part *part)
{
	struct reading sum = part->kept;

	reading__add(&sum, &part->now);
	return sum;
}

void peat_counters__reset(struct peat_counters *counters)
{
	if (check_process(counters))
		return;
	for (uint32_t i = 0; i < counters->events.count; i++)
		for (uint32_t k = 0; k < counters->targets.count; k++)
			counters->at[i].parts[k].base = total(&counters->at[i].parts[k]);
}

/* ---- values ---------------------------------------------------------------------------------- */

uint32_t peat_counters__count(const struct peat_counters *counters)
{
	return counters->events.count;
}

/*
 * A task's event on one CPU is enabled, but not running, while the task runs on another CPU.  So
 * its times say nothing about multiplexing, and it is not scaled.
 */
static bool is_task_on_cpu(const struct peat_counters *counters, uint32_t target)
{
	return !counters->targets.are_cpus && counters->targets.at[target].cpu >= 0;
}

static void add_reading(const struct peat_counters *counters, uint32_t event, uint32_t target,
			struct peat_counter_value *value)
{
	const struct part *part = &counters->at[event].parts[target];
	struct reading sum = total(part), reading = reading__since(&sum, &part->base);

	if (is_task_on_cpu(counters, target))
		reading.enabled_ns = reading.running_ns;
	value->value += reading.value;
	value->scaled += reading__scaled(&reading);
	value->enabled_ns += reading.enabled_ns;
	value->running_ns += reading.running_ns;
	value->lost += reading.lost;
}

/* The kernel counts these in nanoseconds. */
static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static struct peat_counter_value empty_value(const struct counter *counter)
{
	const struct pmu_event *event = counter->event;

	return (struct peat_counter_value){
		.sz = sizeof(struct peat_counter_value),
		.name = counter->name,
		.unit = event->unit
				?: is_clock(&event->attr) ? "ns"
							  : NULL,
		.cpu = -1,
		.tid = -1,
		.group = event->group == PMU_NO_GROUP ? PEAT_COUNTER_NO_GROUP : event->group,
	};
}

static int finish_value(const struct counter *counter, const struct peat_counter_value *ours,
			struct peat_counter_value *callers)
{
	struct peat_counter_value value = *ours;
	int err;

	value.amount = (double)value.scaled * counter->event->scale;
	value.status = !counter->is_supported ? PEAT_COUNTER_NOT_SUPPORTED
		       : value.running_ns     ? PEAT_COUNTER_COUNTED
					      : PEAT_COUNTER_NOT_COUNTED;
	err = opts__write(callers, &value, sizeof(value), "peat_counter_value");
	return err ? fail(err) : 0;
}

int peat_counters__value(const struct peat_counters *counters, uint32_t event,
			 struct peat_counter_value *callers)
{
	struct peat_counter_value value;

	if (event >= counters->events.count)
		return fail(-EINVAL);
	value = empty_value(&counters->at[event]);
	for (uint32_t i = 0; i < counters->targets.count; i++)
		add_reading(counters, event, i, &value);
	return finish_value(&counters->at[event], &value, callers);
}

uint32_t peat_counters__parts(const struct peat_counters *counters, uint32_t event)
{
	uint32_t count = 0;

	for (uint32_t i = 0; event < counters->events.count && i < counters->targets.count; i++)
		count += counters->at[event].parts[i].was_open;
	return count;
}

/* The target of a part; targets.count: there is no such part. */
static uint32_t target_of(const struct peat_counters *counters, uint32_t event, uint32_t part)
{
	for (uint32_t i = 0; event < counters->events.count && i < counters->targets.count; i++)
		if (counters->at[event].parts[i].was_open && !part--)
			return i;
	return counters->targets.count;
}

int peat_counters__part(const struct peat_counters *counters, uint32_t event, uint32_t part,
			struct peat_counter_value *callers)
{
	uint32_t target = target_of(counters, event, part);
	struct peat_counter_value value;

	if (target == counters->targets.count)
		return fail(-EINVAL);
	value = empty_value(&counters->at[event]);
	value.cpu = counters->targets.at[target].cpu;
	value.tid = counters->targets.are_cpus ? -1 : counters->targets.at[target].tid;
	add_reading(counters, event, target, &value);
	return finish_value(&counters->at[event], &value, callers);
}

int peat_counters__move_breakpoint(struct peat_counters *counters, uint32_t event, uint64_t address)
{
	int err = check_process(counters);

	if (!err)
		err = event < counters->events.count
			      ? breakpoint__move(counters, &counters->at[event], address)
			      : -EINVAL;
	return err ? fail(err) : 0;
}
