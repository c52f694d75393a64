// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/open_all.c: opening the events on their targets, also on CPUs that return. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "base/log.h"
#include "counters/group_read.h"
#include "counters/open_all.h"

/* The first open event of a group is its leader: the others follow if it is not supported. */
static int find_leader(const struct peat_counters *counters, uint32_t group, uint32_t target)
{
	if (group == PMU_NO_GROUP)
		return -1;
	for (uint32_t i = 0; i < counters->events.count; i++)
		if (counters->events.at[i].group == group &&
		    counters->at[i].parts[target].fd >= 0 &&
		    counters->at[i].parts[target].is_leader)
			return counters->at[i].parts[target].fd;
	return -1;
}

/* Such an event counts once per package, for example, not once per CPU. */
static bool is_for_cpu(const struct peat_counters *counters, const struct counter *counter,
		       uint32_t target)
{
	return !counters->targets.are_cpus || !counter->event->cpus.limit ||
	       cpus__has(&counter->event->cpus, (uint32_t)counters->targets.at[target].cpu);
}

/* As peat_counters__new() states them. */
static int public_errno(int err)
{
	if (counter__is_unsupported(err))
		return -EOPNOTSUPP;
	return err == -EPERM || err == -ENOBUFS ? -EACCES : err == -EBADMSG ? -EINVAL : err;
}

static void close_target(struct peat_counters *counters, uint32_t target)
{
	for (uint32_t i = 0; i < counters->events.count; i++)
		counter__close(&counters->at[i].parts[target]);
}

/* The members of a weak group are opened each by itself. */
static void dissolve(struct peat_counters *counters, uint32_t group)
{
	for (uint32_t i = 0; i < counters->events.count; i++)
		if (counters->events.at[i].group == group)
			counters->events.at[i].group = PMU_NO_GROUP;
}

/* 0, or the error of counter__open(); -EAGAIN: a weak group was dissolved, so try again. */
static int open_event(struct peat_counters *counters, struct counter *counter, uint32_t target)
{
	int leader = find_leader(counters, counter->event->group, target);
	int err = counter__open(counters, counter, target, leader);

	if (err != -EINVAL || leader < 0 || !counter->event->is_weak)
		return err;
	log__info("%s: its group cannot be counted at the same times: the events are counted one "
		  "by one",
		  counter->name);
	dissolve(counters, counter->event->group);
	close_target(counters, target);
	return -EAGAIN;
}

static int open_events(struct peat_counters *counters, uint32_t target, bool *is_gone)
{
	for (uint32_t i = 0; i < counters->events.count; i++) {
		struct counter *counter = &counters->at[i];
		int err = is_for_cpu(counters, counter, target)
				  ? open_event(counters, counter, target)
				  : 0;

		*is_gone = err == -ESRCH && !counters->targets.are_cpus;
		if (err == -EAGAIN || *is_gone)
			return *is_gone ? 0 : err;
		if (!err || (counter__is_unsupported(err) && counters->is_optional))
			continue;
		counter__log_error(counters, counter, target, err);
		return public_errno(err);
	}
	return 0;
}

/* Opens the events on a target.  *is_gone: its task has ended.  Errors are logged. */
static int open_target(struct peat_counters *counters, uint32_t target, bool *is_gone)
{
	int err;

	do
		err = open_events(counters, target, is_gone);
	while (err == -EAGAIN);
	return err;
}

/* CPUs that are offline are opened when they return. */
static bool is_online(const struct peat_counters *counters, const struct cpus *online,
		      uint32_t target)
{
	return !counters->targets.are_cpus ||
	       cpus__has(online, (uint32_t)counters->targets.at[target].cpu);
}

static int read_online(struct cpus *online)
{
	int err = cpus__read(online, "online");

	if (err)
		log__error("cannot read which CPUs are online: %s", strerror(-err));
	return err;
}

/* A thread may end after it was found.  If all have ended, there is nothing to count. */
static int check_tasks(const struct peat_counters *counters, uint32_t gone)
{
	if (gone < counters->targets.count)
		return 0;
	log__error("cannot count task %d: it does not exist, or it has ended",
		   (int)counters->targets.at[0].tid);
	return -ESRCH;
}

/* A CPU that goes offline meanwhile is no error. */
static bool went_offline(const struct peat_counters *counters, uint32_t target)
{
	struct cpus online = { 0 };
	bool gone = counters->targets.are_cpus && !cpus__read(&online, "online") &&
		    !cpus__has(&online, (uint32_t)counters->targets.at[target].cpu);

	cpus__free(&online);
	return gone;
}

int open_all__targets(struct peat_counters *counters)
{
	struct cpus online = { 0 };
	uint32_t gone = 0;
	int err = read_online(&online);

	for (uint32_t i = 0; !err && i < counters->targets.count; i++) {
		bool is_gone = false;

		if (!is_online(counters, &online, i))
			continue;
		err = open_target(counters, i, &is_gone);
		if (err == -EOPNOTSUPP && went_offline(counters, i))
			err = 0;
		gone += is_gone;
	}
	cpus__free(&online);
	return err ?: check_tasks(counters, gone);
}

int open_all__switch(struct peat_counters *counters, uint32_t target, unsigned long request)
{
	for (uint32_t i = 0; i < counters->events.count; i++) {
		const struct part *part = &counters->at[i].parts[target];

		if (part->fd < 0 || !part->is_leader || !ioctl(part->fd, request, 0))
			continue;
		log__error("cannot switch counter %s: %s", counters->at[i].name, strerror(errno));
		return -errno;
	}
	return 0;
}

/* ---- CPUs that return ------------------------------------------------------------------------ */

static struct part *first_open(struct peat_counters *counters, uint32_t target)
{
	for (uint32_t i = 0; i < counters->events.count; i++)
		if (counters->at[i].parts[target].fd >= 0)
			return &counters->at[i].parts[target];
	return NULL;
}

static int read_again(struct peat_counters *counters, uint32_t target)
{
	counters->pass++;
	return group_read__target(counters, target);
}

/* Unless a uevent named the CPU, its clock may stand still for a while, as in rings.c. */
#define READS_UNLESS_NAMED 5

/*
 * The enabled time of a live event grows from one read(2) to the next.  That of a disabled event
 * does not: it is reopened, too, which keeps its value.
 */
static int is_dead(struct peat_counters *counters, uint32_t target, bool is_named, bool *dead)
{
	const struct part *part = first_open(counters, target);
	int err = part ? read_again(counters, target) : 0;
	uint64_t first_ns = part ? part->now.enabled_ns : 0;

	*dead = true;
	for (int reads = 0; part && !err && *dead && reads < (is_named ? 1 : READS_UNLESS_NAMED);
	     reads++) {
		if (reads)
			nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
		err = read_again(counters, target);
		*dead = part->now.enabled_ns == first_ns;
	}
	return err;
}

static int reopen(struct peat_counters *counters, uint32_t target, bool is_named)
{
	bool dead, is_gone;
	int err = is_dead(counters, target, is_named, &dead);

	if (err || !dead)
		return err;
	close_target(counters, target);
	err = open_target(counters, target, &is_gone);
	if (!err && counters->is_enabled)
		err = open_all__switch(counters, target, PERF_EVENT_IOC_ENABLE);
	return err && went_offline(counters, target) ? 0 : err;
}

int open_all__returned_cpus(struct peat_counters *counters)
{
	struct hotplug *hotplug = &counters->hotplug;
	struct cpus online = { 0 };
	int err = read_online(&online);

	for (uint32_t i = 0; !err && i < counters->targets.count; i++) {
		uint32_t cpu = (uint32_t)counters->targets.at[i].cpu;
		bool is_named = cpus__has(&hotplug->named, cpu);

		if (cpus__has(&online, cpu) && (is_named || hotplug->any))
			err = reopen(counters, i, is_named);
	}
	cpus__free(&online);
	cpus__free(&hotplug->named);
	hotplug->any = false;
	return err;
}
