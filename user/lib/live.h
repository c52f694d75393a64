/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LIVE_H
#define LIVE_H

#include <peat/reader.h>

#include "ring.h"

struct epoll_event;

/* The rings of all CPUs, behind one fd: the source of a live reader. */
struct live {
	struct ring *rings; /* by CPU number, fd -1 where there is no ring */
	uint32_t limit;	    /* how many: the highest CPU number + 1 */

	/* The present round: the rings that still have something, and whose turn it is. */
	struct ring **turns;
	uint32_t turns_left, at;
	uint64_t quantum; /* bytes a turn, and between two releases of a ring's memory */
	uint64_t rounds;
	bool look_first; /* the next wait must not sleep: a readiness may have been taken already */

	int map_fd;   /* the caller's */
	int epoll_fd; /* over the rings, the timer and break_fd */
	int timer_fd, break_fd;
	struct epoll_event *ready; /* room for all of them */

	struct peat_layout layout; /* of the records */
	uint64_t ring_bytes;
	uint32_t watermark_bytes, ring_count;
	bool counts_lost; /* read(2) of an event gives PERF_FORMAT_LOST */
};

/* Opens the rings and puts them into the map.  0, or a negative errno that the log explains. */
int live__open(struct live *live, int map_fd, const struct peat_reader_opts *opts);
void live__close(struct live *live);

/* As in reader.h. */
int live__wait(struct live *live, int timeout_ms);
void live__break(const struct live *live);

/* The next record and its CPU; NULL when the round is done.  Lent until the next call. */
const struct perf_event_header *live__next(struct live *live, uint32_t *cpu);

/* The sum of PERF_FORMAT_LOST over the rings. */
int live__lost(const struct live *live, uint64_t *lost);

/* Pieces of rings that made no sense, so far. */
uint64_t live__corrupt(const struct live *live);

#endif /* LIVE_H */
