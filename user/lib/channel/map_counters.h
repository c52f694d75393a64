/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/map_counters.h: perf events that BPF programs read: the maps of PEAT_COUNTER(). */
#ifndef PEAT_CHANNEL_MAP_COUNTERS_H
#define PEAT_CHANNEL_MAP_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/cpus.h"

struct bpf_map;
struct bpf_object;
struct map_counter;

struct map_counters {
	struct map_counter *at;
	size_t count;
};

/*
 * Adds the counters that an object declares, before it is loaded, and gives their maps an element
 * for each possible CPU.  `name` is the object's, for messages.  0 or a negative errno, which is
 * logged: then the list is unchanged.
 */
int map_counters__add(struct map_counters *counters, struct bpf_object *object, const char *name);

/* Removes the counters that were added last until `count` are left. */
void map_counters__truncate(struct map_counters *counters, size_t count);

/* Gives the counters `name` another event, while they are closed.  Returns their number, or
 * -ENOMEM. */
int map_counters__set(struct map_counters *counters, const char *name, const char *event);

/* Whether the map is one of the counters. */
bool map_counters__has(const struct map_counters *counters, const struct bpf_map *map);

/*
 * Opens the event of each counter on each CPU that is online, and stores it in the map.  A counter
 * whose event this machine lacks stays empty, with a warning, if it is optional.  The objects are
 * loaded.
 *
 *	0
 *	-ENOENT	the machine lacks an event
 *	-EINVAL	an event's name is wrong, or stands for several events of one CPU
 *	another negative errno; all are logged
 */
int map_counters__open(struct map_counters *counters);

/*
 * Opens the events again on CPUs that were offline.  `named`: CPUs that certainly changed; `any`:
 * all others may have changed, too.
 */
void map_counters__reopen(struct map_counters *counters, const struct cpus *named, bool any);

/* Closes the events.  `keep_elements`: the maps are left alone. */
void map_counters__close(struct map_counters *counters, bool keep_elements);

void map_counters__free(struct map_counters *counters);

#endif /* PEAT_CHANNEL_MAP_COUNTERS_H */
