/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_RING_RINGS_H
#define PEAT_RING_RINGS_H

#include "sys/cpus.h"
#include "ring/perf_events.h"
#include "ring/ring.h"

#define RINGS_MAPS 32

/* The rings of the CPUs that are read, all of one size, and the maps that they are stored in. */
struct rings {
	struct ring *by_cpu; /* by CPU number; fd -1: no ring */
	uint32_t limit;	     /* elements of by_cpu: the highest CPU number + 1 */
	uint32_t count;	     /* open rings */
	uint64_t ring_bytes; /* size of each ring */
	int epoll_fd;	     /* that watches the rings; -1: see rings__watch() */
	struct perf_events events;
	/* The map of each output of `events`, unless the output is a sampler. */
	int map_fds[RINGS_MAPS];	/* owned by the caller */
	char map_names[RINGS_MAPS][16]; /* names in the kernel, set by rings__check_maps() */
	bool keep_slots;		/* rings__free() does not clear the slots of the maps */
	bool has_started;		/* rings__start() was called */
	uint32_t bells;	   /* element of map_fds[0] with CPU 0's bell (wire.h); 0: no bells */
	bool lacks_a_bell; /* a CPU may be online without a bell */
	bool is_spare;	   /* not in the maps: see rings__swap() */
};

/* Allocates rings for CPUs below `limit`, none open yet; keeps `events`.  0 or -ENOMEM. */
int rings__init(struct rings *rings, uint32_t limit);

/*
 * Checks that the maps are perf event arrays with a slot for each CPU below `limit`.  0 or a
 * negative errno, which is logged.
 */
int rings__check_maps(struct rings *rings, uint32_t limit);

/*
 * Opens a ring of ring_bytes for each of the CPUs that is online, and likewise a spare ring, unless
 * `spare` is NULL.  If memory limits refuse that, halves ring_bytes for all, down to least_bytes.
 * 0 or a negative errno, which is logged.
 */
int rings__open(struct rings *rings, struct rings *spare, const struct cpus *cpus,
		uint64_t least_bytes, uint32_t latency_ms);

/*
 * Stores the rings, and their bells, in the maps, if any, or starts the samplers: events arrive
 * from then on.  Errors as rings__open(); without a bell, lacks_a_bell is set instead.
 */
int rings__start(struct rings *rings);

/* Adds all rings to epoll_fd, and later those that rings__reopen() opens. */
int rings__watch(struct rings *rings, int epoll_fd);

/*
 * Makes events of a CPU that is online again arrive: opens a ring if the CPU has none, and new
 * events into its ring if it was offline, however briefly.  `is_named`: a uevent named the CPU.
 *
 *     1         reopened
 *     0         nothing to do
 *     -ENODEV   the CPU is offline again
 *     other negative errno, which is logged
 */
int rings__reopen(struct rings *rings, uint32_t cpu, bool is_named);

/*
 * Stores the events of the CPU's spare ring in the maps, and exchanges the two rings: programs that
 * start from now on write into the former spare ring.  Both were opened for the same maps, with the
 * same ring_bytes.  0 or a negative errno, which is logged; nothing is exchanged then.
 */
int rings__swap(struct rings *rings, struct rings *spare, uint32_t cpu);

/* Makes the kernel discard all further records, which it counts as lost. */
void rings__pause(const struct rings *rings);

/*
 * For a child of fork(): rings__free() leaves the maps alone, which are the parent's, and the
 * addresses of the rings, which fork() did not copy: the child may have other memory there.
 */
void rings__disown(struct rings *rings);

/* Makes the samplers sample no more, without a loss. */
void rings__disable(const struct rings *rings);

/*
 * Epoll reports a hang-up of this fd: the task of a sampler and its children have ended.  Watches
 * the ring's next event instead.  Returns whether any ring may still get data.
 */
bool rings__hang_up(struct rings *rings, int fd);

/* Removes the rings from the maps, closes and frees them. */
void rings__free(struct rings *rings);

#endif /* PEAT_RING_RINGS_H */
