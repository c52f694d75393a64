// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/group_read.c: reading file descriptors, and giving members of a group their values. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "counters/group_read.h"

static struct part *part_of_id(struct peat_counters *counters, uint32_t target, uint64_t id)
{
	for (uint32_t i = 0; i < counters->events.count; i++) {
		struct part *part = &counters->at[i].parts[target];

		if (part->fd >= 0 && part->id == id)
			return part;
	}
	return NULL;
}

static void give(struct peat_counters *counters, uint32_t target, int count)
{
	for (int i = 0; i < count; i++) {
		const struct reading_member *member = &counters->members[i];
		struct part *part = part_of_id(counters, target, member->id);

		if (!part)
			continue;
		part->now = member->reading;
		part->pass = counters->pass;
	}
}

/*
 * Reads a leader with its group, or an event alone.  When a CPU goes offline the kernel dissolves
 * its groups (perf_group_detach(), Linux 5.10 to 6.18): then each event is read by itself.  At the
 * end of file the event is in an error state, since it is pinned and has no counter: it keeps its
 * last value.
 */
static int read_part(struct peat_counters *counters, uint32_t target, const struct part *part)
{
	uint64_t format = counter__read_format(counters);
	ssize_t bytes =
		read(part->fd, counters->bytes, reading__bytes(format, counters->events.count));
	int count;

	if (bytes < 0)
		return -errno;
	if (!bytes)
		return 0;
	count = reading__parse(counters->bytes, (size_t)bytes, format, counters->members,
			       counters->events.count);
	if (count < 0)
		return count;
	give(counters, target, count);
	return 0;
}

static const struct part *find_leader(const struct peat_counters *counters, uint32_t group,
				      uint32_t target)
{
	for (uint32_t i = 0; i < counters->events.count; i++)
		if (counters->events.at[i].group == group &&
		    counters->at[i].parts[target].is_leader)
			return &counters->at[i].parts[target];
	return NULL;
}

/*
 * The times of a group are its leader's.  When a group is dissolved, the other members lose theirs
 * (Linux 6.1; 6.18 keeps them).
 */
static void share_times(struct peat_counters *counters, uint32_t target)
{
	for (uint32_t i = 0; i < counters->events.count; i++) {
		uint32_t group = counters->events.at[i].group;
		struct part *part = &counters->at[i].parts[target];
		const struct part *leader =
			group == PMU_NO_GROUP ? NULL : find_leader(counters, group, target);

		if (part->fd < 0 || !leader || leader->fd < 0)
			continue;
		part->now.enabled_ns = leader->now.enabled_ns;
		part->now.running_ns = leader->now.running_ns;
	}
}

int group_read__event(struct peat_counters *counters, uint32_t event, uint32_t target)
{
	int err = read_part(counters, target, &counters->at[event].parts[target]);

	if (err)
		log__error("cannot read counter %s: %s", counters->at[event].name, strerror(-err));
	else
		share_times(counters, target);
	return err;
}

int group_read__target(struct peat_counters *counters, uint32_t target)
{
	for (uint32_t i = 0; i < counters->events.count; i++) {
		const struct part *part = &counters->at[i].parts[target];
		int err = part->fd < 0 || part->pass == counters->pass
				  ? 0
				  : read_part(counters, target, part);

		if (err) {
			log__error("cannot read counter %s: %s", counters->at[i].name,
				   strerror(-err));
			return err;
		}
	}
	share_times(counters, target);
	return 0;
}
