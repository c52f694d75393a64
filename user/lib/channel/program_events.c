// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/program_events.c: runs BPF programs at samples of perf events, also on CPUs that return.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "base/array.h"
#include "base/log.h"
#include "channel/program_events.h"
#include "pmu/events.h"
#include "sys/event_fd.h"
#include "sys/caps.h"
#include "sys/file_room.h"

#define CLOCK "cpu-clock"

struct program_event {
	const struct bpf_program *program;
	char *name;		  /* of the event */
	struct pmu_events events; /* one per CPU; several on machines with several kinds of CPUs */
	struct cpus cpus;	  /* if `chosen` */
	bool chosen;
	uint32_t freq;
	int *fds; /* by CPU; -1: none */
	uint32_t limit;
};

/* ---- one CPU --------------------------------------------------------------------------------- */

static struct perf_event_attr sampling_attr(const struct program_event *event,
					    const struct pmu_event *parsed)
{
	struct perf_event_attr attr = parsed->attr;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
	attr.disabled = 1;
	if (!attr.sample_period) { /* a union with sample_freq */
		attr.freq = 1;
		attr.sample_freq = event->freq;
	}
	return attr;
}

static int attach_to(const struct program_event *event, int fd)
{
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(event->program)) ||
	    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return 0;
}

/* -ENODEV: the CPU is offline, or does not have the event. */
static int open_on_cpu(struct program_event *event, uint32_t cpu)
{
	const struct pmu_event *parsed = pmu_events__of_cpu(&event->events, cpu);
	struct perf_event_attr attr;
	int fd, err;

	if (!parsed || cpu >= event->limit || (event->chosen && !cpus__has(&event->cpus, cpu)))
		return -ENODEV;
	attr = sampling_attr(event, parsed);
	fd = event_fd__open(&attr, cpu);
	if (fd < 0)
		return fd;
	err = attach_to(event, fd);
	if (err) {
		close(fd);
		return err;
	}
	if (event->fds[cpu] >= 0)
		close(event->fds[cpu]);
	event->fds[cpu] = fd;
	return 0;
}

static int open_on_all(struct program_event *event, const struct cpus *online)
{
	int opened = 0, missing = -ENODEV;

	for_each_cpu (cpu, online) {
		int err = open_on_cpu(event, cpu);

		if (err && err != -ENODEV)
			return err;
		missing = err ?: missing;
		opened += !err;
	}
	return opened ? 0 : missing;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static bool is_tracepoint(const struct program_event *event)
{
	return event->events.count && event->events.at[0].attr.type == PERF_TYPE_TRACEPOINT;
}

static uint32_t read_highest_freq(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	uint32_t freq = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%u", &freq) != 1)
		freq = 0;
	fclose(file);
	return freq;
}

static void explain_invalid(const struct program_event *event, char *why, size_t room)
{
	uint32_t highest = read_highest_freq();

	if (is_tracepoint(event))
		snprintf(why, room,
			 "'%s' is a tracepoint: its programs have the section tp/CATEGORY/NAME",
			 event->name);
	else if (!event->freq || (highest && event->freq > highest))
		snprintf(why, room,
			 "freq=%u: the kernel allows 1 to %u samples per second: sysctl "
			 "kernel.perf_event_max_sample_rate",
			 event->freq, highest);
	else
		snprintf(why, room, "this kernel cannot sample '%s': try " CLOCK, event->name);
}

static void explain_event_error(const struct program_event *event, int err, char *why, size_t room)
{
	switch (err) {
	case -EINVAL:
		explain_invalid(event, why, room);
		break;
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
	case -EOPNOTSUPP:
		snprintf(why, room,
			 "this machine cannot sample '%s' (virtual machines often have no hardware "
			 "counters): use " CLOCK,
			 event->name);
		break;
	case -EPERM:
	case -EACCES:
		snprintf(why, room, "%s", caps__explain());
		break;
	case -EMFILE:
		snprintf(why, room, "the event needs a file descriptor per CPU: " FILE_ROOM_REMEDY);
		break;
	case -EBUSY:
		snprintf(why, room, "another program uses the counter alone");
		break;
	default:
		snprintf(why, room, "cannot sample '%s': %s", event->name, strerror(-err));
	}
}

/* ---- opening --------------------------------------------------------------------------------- */

static void free_event(struct program_event *event)
{
	for (uint32_t cpu = 0; event->fds && cpu < event->limit; cpu++)
		if (event->fds[cpu] >= 0)
			close(event->fds[cpu]);
	free(event->fds);
	pmu_events__free(&event->events);
	cpus__free(&event->cpus);
	free(event->name);
	*event = (struct program_event){ 0 };
}

static int copy_cpus(struct cpus *to, const struct cpus *from)
{
	int err = 0;

	for_each_cpu (cpu, from)
		err = err ?: cpus__add(to, cpu);
	return err;
}

static int allocate(struct program_event *event, const struct sampled_program *sampled)
{
	struct cpus possible;
	int err = cpus__read(&possible, "possible");

	if (err)
		return err;
	event->limit = possible.limit;
	cpus__free(&possible);
	event->program = sampled->program;
	event->freq = sampled->freq;
	event->chosen = sampled->cpus;
	event->name = strdup(sampled->event);
	event->fds = malloc(event->limit * sizeof(*event->fds));
	if (!event->name || !event->fds)
		return -ENOMEM;
	for (uint32_t cpu = 0; cpu < event->limit; cpu++)
		event->fds[cpu] = -1;
	return sampled->cpus ? copy_cpus(&event->cpus, sampled->cpus) : 0;
}

static int parse_program_event(struct program_event *event, const char *name, char *why,
			       size_t room)
{
	uint32_t second;
	int err = pmu_events__parse(&event->events, name);

	if (err) { /* logged, with similar names */
		snprintf(why, room, "its event '%s' is unknown or invalid", name);
		return err;
	}
	second = pmu_events__find_overlap(&event->events);
	if (!second)
		return 0;
	snprintf(why, room, "'%s' stands for several events, such as %s and %s: name one", name,
		 event->events.at[second - 1].name, event->events.at[second].name);
	return -EINVAL;
}

static bool is_cycles(const struct program_event *event)
{
	const struct perf_event_attr *attr = &event->events.at[0].attr;

	return attr->type == PERF_TYPE_HARDWARE &&
	       (uint32_t)attr->config == PERF_COUNT_HW_CPU_CYCLES;
}

static bool is_lacking(int err)
{
	return err == -ENOENT || err == -ENODEV || err == -EOPNOTSUPP;
}

static int replace_by_clock(struct program_event *event, const struct cpus *online, char *why,
			    size_t room)
{
	int err;

	log__warn("this machine has no counter of CPU cycles (virtual machines often have none): "
		  "sampling " CLOCK " instead of %s",
		  event->name);
	pmu_events__free(&event->events);
	event->events = (struct pmu_events){ 0 };
	err = parse_program_event(event, CLOCK, why, room);
	return err ? err : open_on_all(event, online);
}

static int open_event(struct program_event *event, const struct cpus *online, char *why,
		      size_t room)
{
	int err = event->freq ? open_on_all(event, online) : -EINVAL;

	if (is_lacking(err) && is_cycles(event))
		err = replace_by_clock(event, online, why, room);
	if (err && !*why)
		explain_event_error(event, err, why, room);
	return err;
}

static int append_program_event(struct program_events *events, const struct program_event *event)
{
	if (!ARRAY_RESERVE_NEXT(events->at, events->count))
		return -ENOMEM;
	events->at[events->count++] = *event;
	return 0;
}

int program_events__attach(struct program_events *events, const struct sampled_program *sampled,
			   char *why, size_t room)
{
	struct program_event event = { 0 };
	struct cpus online;
	int err = cpus__read(&online, "online");

	*why = '\0';
	if (err)
		return err;
	err = allocate(&event, sampled);
	if (!err)
		err = parse_program_event(&event, sampled->event, why, room);
	if (!err)
		err = open_event(&event, &online, why, room);
	if (!err)
		err = append_program_event(events, &event);
	if (err)
		free_event(&event);
	cpus__free(&online);
	return err;
}

/* ---- CPUs that return ------------------------------------------------------------------------ */

static void reopen_on(struct program_event *event, uint32_t cpu)
{
	int err;

	if (cpu >= event->limit || !event_fd__is_dead(event->fds[cpu]))
		return;
	err = open_on_cpu(event, cpu);
	if (err && err != -ENODEV)
		log__warn("CPU %u is online now, but its samples of %s are missing: %s", cpu,
			  event->name, strerror(-err));
}

void program_events__reopen(struct program_events *events, const struct cpus *named, bool any)
{
	struct cpus online;

	if (!events->count || cpus__read(&online, "online"))
		return;
	for_each_cpu (cpu, &online)
		for (size_t i = 0; (any || cpus__has(named, cpu)) && i < events->count; i++)
			reopen_on(&events->at[i], cpu);
	cpus__free(&online);
}

void program_events__detach(struct program_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		free_event(&events->at[i]);
	free(events->at);
	*events = (struct program_events){ 0 };
}
