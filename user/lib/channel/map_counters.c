// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/map_counters.c: opens the counters of BPF programs, also on CPUs that return. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "base/array.h"
#include "base/log.h"
#include "channel/map_counters.h"
#include "object/declared_counter.h"
#include "pmu/events.h"
#include "sys/event_fd.h"
#include "schema/btf_tags.h"
#include "sys/caps.h"
#include "sys/file_room.h"

struct map_counter {
	const struct bpf_map *map;
	char *object, *name, *event; /* names, and the event's text */
	bool is_optional, is_chosen; /* the user chose the event */

	/* While it is open: */
	struct pmu_events events; /* one per CPU; several on machines with several kinds of CPUs */
	int map_fd;		  /* a duplicate: the caller may close the object first; -1: none */
	int *fds;		  /* of the events, by CPU; -1: none */
	uint32_t limit;		  /* elements of fds */
};

/* ---- declarations ---------------------------------------------------------------------------- */

static void free_counter(struct map_counter *counter)
{
	free(counter->object);
	free(counter->name);
	free(counter->event);
}

static int append_counter(struct map_counters *counters, const struct bpf_map *map,
			  const char *object, const struct declared_counter *declared)
{
	struct map_counter *added;

	if (!ARRAY_RESERVE_NEXT(counters->at, counters->count))
		return -ENOMEM;
	added = &counters->at[counters->count++];
	*added = (struct map_counter){
		.map = map,
		.object = strdup(object),
		.name = strdup(declared->name),
		.event = strdup(declared->event),
		.is_optional = declared->is_optional,
		.map_fd = -1,
	};
	return added->object && added->name && added->event ? 0 : -ENOMEM;
}

/* Elements are CPU numbers, which may have holes: libbpf's default counts CPUs. */
static int set_elements(struct bpf_map *map)
{
	struct cpus possible;
	int err = cpus__read(&possible, "possible");

	if (err)
		return err;
	err = bpf_map__set_max_entries(map, possible.limit);
	cpus__free(&possible);
	return err;
}

static int add_declared(struct map_counters *counters, const struct bpf_object *object,
			const struct btf_tags *tags, struct bpf_map *map, const char *name)
{
	struct declared_counter declared;
	int found = declared_counter__read(&declared, object, tags, map, name), err;

	if (found <= 0)
		return found;
	err = append_counter(counters, map, name, &declared);
	if (!err)
		err = set_elements(map);
	if (err)
		log__error("cannot add the counter %s of %s: %s", declared.name, name,
			   strerror(-err));
	return err;
}

int map_counters__add(struct map_counters *counters, struct bpf_object *object, const char *name)
{
	size_t before = counters->count;
	struct btf_tags tags;
	struct bpf_map *map;
	int err;

	if (!bpf_object__btf(object))
		return 0;
	err = btf_tags__read(&tags, bpf_object__btf(object));
	if (err) {
		log__error("cannot read the tags of %s: %s", name, strerror(-err));
		return err;
	}
	bpf_object__for_each_map(map, object)
	{
		if (!err)
			err = add_declared(counters, object, &tags, map, name);
	}
	btf_tags__free(&tags);
	if (err)
		map_counters__truncate(counters, before);
	return err;
}

void map_counters__truncate(struct map_counters *counters, size_t count)
{
	while (counters->count > count)
		free_counter(&counters->at[--counters->count]);
}

static bool is_open(const struct map_counter *counter)
{
	return counter->fds;
}

int map_counters__set(struct map_counters *counters, const char *name, const char *event)
{
	int found = 0;

	for (size_t i = 0; i < counters->count; i++) {
		struct map_counter *counter = &counters->at[i];
		char *copy;

		if (strcmp(counter->name, name))
			continue;
		found++;
		if (is_open(counter))
			continue;
		copy = strdup(event);
		if (!copy)
			return -ENOMEM;
		free(counter->event);
		counter->event = copy;
		counter->is_chosen = true;
	}
	return found;
}

bool map_counters__has(const struct map_counters *counters, const struct bpf_map *map)
{
	for (size_t i = 0; i < counters->count; i++)
		if (counters->at[i].map == map)
			return true;
	return false;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* An element of the map has one event. */
static int check_events(const struct map_counter *counter)
{
	const struct pmu_events *events = &counter->events;
	uint32_t second = pmu_events__find_overlap(events);

	if (!second)
		return 0;
	log__error("the counter %s of %s: '%s' stands for several events, such as %s and %s: name "
		   "one",
		   counter->name, counter->object, counter->event, events->at[second - 1].name,
		   events->at[second].name);
	return -EINVAL;
}

/* An optional event may be missing.  If the user chose it, its name may be wrong. */
static enum peat_log_level level_of(const struct map_counter *counter)
{
	if (!counter->is_optional)
		return PEAT_LOG_ERROR;
	return counter->is_chosen ? PEAT_LOG_WARN : PEAT_LOG_INFO;
}

static int parse_counter(struct map_counter *counter)
{
	enum peat_log_level old = log__set_severest(level_of(counter));
	int err = pmu_events__parse(&counter->events, counter->event);

	log__set_severest(old);
	return err ? err : check_events(counter);
}

/* Counts all tasks.  A sampling event would cost interrupts, and inherited ones cannot be read. */
static struct perf_event_attr counting_attr(const struct pmu_event *event)
{
	struct perf_event_attr attr = event->attr;

	attr.size = sizeof(attr);
	attr.sample_period = 0;
	attr.freq = 0;
	attr.inherit = 0;
	attr.pinned = 0;
	attr.disabled = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return attr;
}

static int open_event(const struct pmu_event *event, uint32_t cpu)
{
	struct perf_event_attr attr = counting_attr(event);
	int fd = event_fd__open(&attr, cpu), err = 0;

	if (fd >= 0 && event->filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, event->filter))
		err = -errno;
	if (err)
		close(fd);
	return err ? err : fd;
}

/* The event's time starts at 0, as its count does, so programs notice the change. */
static int store_event(struct map_counter *counter, uint32_t cpu)
{
	const struct pmu_event *event = pmu_events__of_cpu(&counter->events, cpu);
	int fd = event ? open_event(event, cpu) : -ENODEV;

	if (fd < 0)
		return fd;
	if (bpf_map_update_elem(counter->map_fd, &cpu, &fd, BPF_ANY)) {
		int err = -errno;

		close(fd);
		return err;
	}
	if (counter->fds[cpu] >= 0)
		close(counter->fds[cpu]);
	counter->fds[cpu] = fd;
	return 0;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool is_lacking(int err)
{
	return err == -ENOENT || err == -ENODEV || err == -EOPNOTSUPP || err == -EINVAL;
}

static const char *remedy(int err)
{
	if (is_lacking(err))
		return "this machine cannot count it (virtual machines often have no hardware "
		       "counters): name another event, or put PEAT_OPTIONAL before PEAT_COUNTER()";
	switch (err) {
	case -EPERM:
	case -EACCES:
		return caps__explain();
	case -EMFILE:
		return "each counter needs a file descriptor per CPU: " FILE_ROOM_REMEDY;
	case -EBUSY:
		return "other users have reserved the counters of this CPU";
	}
	return "check that the kernel has CONFIG_PERF_EVENTS";
}

/* A wrong name was logged by the parser, which names similar events. */
static int fail_open(const struct map_counter *counter, int err, bool is_parsed)
{
	if (counter->is_optional && err != -ENOMEM) {
		log__warn("left out: counter %s of %s: %s '%s'%s%s", counter->name, counter->object,
			  is_lacking(err) ? "this machine has no" : "cannot count", counter->event,
			  is_lacking(err) ? "" : ": ", is_lacking(err) ? "" : strerror(-err));
		return 0;
	}
	if (is_parsed)
		log__error("cannot open the counter %s of %s, event '%s': %s: %s", counter->name,
			   counter->object, counter->event, strerror(-err), remedy(err));
	else
		log__error("cannot open the counter %s of %s: its event '%s' is refused: %s",
			   counter->name, counter->object, counter->event, strerror(-err));
	return err;
}

static int allocate(struct map_counter *counter)
{
	counter->limit = bpf_map__max_entries(counter->map);
	counter->fds = calloc(counter->limit, sizeof(*counter->fds));
	if (!counter->fds)
		return -ENOMEM;
	for (uint32_t cpu = 0; cpu < counter->limit; cpu++)
		counter->fds[cpu] = -1;
	counter->map_fd = fcntl(bpf_map__fd(counter->map), F_DUPFD_CLOEXEC, 3);
	return counter->map_fd < 0 ? -errno : 0;
}

/* A CPU that went offline meanwhile, or does not have the event, is no failure. */
static int open_on(struct map_counter *counter, const struct cpus *online)
{
	int opened = 0, missing = -ENODEV;

	for_each_cpu (cpu, online) {
		int err = cpu < counter->limit ? store_event(counter, cpu) : -ENODEV;

		if (err && err != -ENODEV)
			return err;
		missing = err ?: missing;
		opened += !err;
	}
	return opened ? 0 : missing;
}

static void close_counter(struct map_counter *counter, bool keep_elements)
{
	for (uint32_t cpu = 0; is_open(counter) && cpu < counter->limit; cpu++) {
		if (counter->fds[cpu] < 0)
			continue;
		if (!keep_elements)
			bpf_map_delete_elem(counter->map_fd, &cpu);
		close(counter->fds[cpu]);
	}
	if (counter->map_fd >= 0)
		close(counter->map_fd);
	free(counter->fds);
	pmu_events__free(&counter->events);
	counter->fds = NULL;
	counter->map_fd = -1;
	counter->events = (struct pmu_events){ 0 };
}

static int open_counter(struct map_counter *counter, const struct cpus *online)
{
	int err;
	bool is_parsed;

	if (bpf_map__fd(counter->map) < 0) /* the caller has excluded it */
		return 0;
	err = parse_counter(counter);
	is_parsed = !err;
	if (!err)
		err = allocate(counter);
	if (!err)
		err = open_on(counter, online);
	if (!err)
		return 0;
	close_counter(counter, false);
	return fail_open(counter, err, is_parsed);
}

int map_counters__open(struct map_counters *counters)
{
	struct cpus online;
	int err;

	if (!counters->count)
		return 0;
	err = cpus__read(&online, "online");
	if (err) {
		log__error("cannot read which CPUs are online: %s", strerror(-err));
		return err;
	}
	for (size_t i = 0; !err && i < counters->count; i++)
		err = open_counter(&counters->at[i], &online);
	cpus__free(&online);
	if (err)
		map_counters__close(counters, false);
	return err;
}

/* ---- CPUs that return ------------------------------------------------------------------------ */

static void reopen_on(struct map_counter *counter, uint32_t cpu)
{
	int err;

	if (!is_open(counter) || cpu >= counter->limit ||
	    !pmu_events__of_cpu(&counter->events, cpu) || !event_fd__is_dead(counter->fds[cpu]))
		return;
	err = store_event(counter, cpu);
	if (err && err != -ENODEV)
		log__warn("CPU %u is online now, but has no counter %s of %s: %s", cpu,
			  counter->name, counter->object, strerror(-err));
}

void map_counters__reopen(struct map_counters *counters, const struct cpus *named, bool any)
{
	struct cpus online;

	if (!counters->count || cpus__read(&online, "online"))
		return;
	for_each_cpu (cpu, &online)
		for (size_t i = 0; (any || cpus__has(named, cpu)) && i < counters->count; i++)
			reopen_on(&counters->at[i], cpu);
	cpus__free(&online);
}

/* ---------------------------------------------------------------------------------------------- */

void map_counters__close(struct map_counters *counters, bool keep_elements)
{
	for (size_t i = 0; i < counters->count; i++)
		close_counter(&counters->at[i], keep_elements);
}

void map_counters__free(struct map_counters *counters)
{
	map_counters__close(counters, true);
	map_counters__truncate(counters, 0);
	free(counters->at);
	counters->at = NULL;
}
