/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef RINGS_H
#define RINGS_H

#include "sys/cpus.h"
#include "ring/perf_events.h"
#include "ring/ring.h"

/* The rings of the CPUs that are read, all of one size, and their places in the maps. */
struct rings {
	struct ring *of; /* by CPU number, fd -1 where there is no ring */
	uint32_t limit;	 /* how many: the highest CPU number + 1 */
	uint32_t count;	 /* those there are */
	uint64_t ring_bytes;
	int epoll_fd; /* over them, or -1: see rings__watch() */
	struct events events;
	int map_fds[RING_EVENTS];	 /* the caller's: of each output of `events` */
	char map_names[RING_EVENTS][16]; /* as the kernel has them, after rings__check_maps() */
	bool keep_slots;		 /* rings__free() leaves the maps alone */
};

/* Room for rings of CPUs below `limit`, none open yet; `events` stay.  0 or -ENOMEM. */
int rings__init(struct rings *rings, uint32_t limit);

/* Whether the maps are such, and have a slot for each CPU below `limit`.  The log explains. */
int rings__check_maps(struct rings *rings, uint32_t limit);

/*
 * Opens a ring for each of the CPUs that is online, of ring_bytes, or as much less as limits
 * demand, but least_bytes.  0 or a negative errno that the log explains.
 */
int rings__open(struct rings *rings, const struct cpus *cpus, uint64_t least_bytes,
		uint32_t latency_ms);

/* Puts the rings into the maps, if there are any: from then on events arrive.  Likewise. */
int rings__fill_maps(const struct rings *rings);

/* Has epoll_fd tell when rings have something: these, and those that rings__renew() opens. */
int rings__watch(struct rings *rings, int epoll_fd);

/*
 * Makes events of a CPU that is online now arrive again: it gets a ring if it has none, and new
 * events in its ring if it was offline, however short; `is_named`: the kernel said that it came. 1,
 * or 0 when there was nothing to do; -ENODEV when it is offline again, another negative errno that
 * the log explains.
 */
int rings__renew(struct rings *rings, uint32_t cpu, bool is_named);

/* Has the kernel write nothing more to them; it counts what it would have as lost. */
void rings__pause(const struct rings *rings);

/* Takes them out of the maps, closes and frees them. */
void rings__free(struct rings *rings);

#endif /* RINGS_H */
