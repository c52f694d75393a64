/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LIVE_H
#define LIVE_H

#include <peat/reader.h>

#include "bound.h"
#include "round.h"

struct epoll_event;

/* The rings of all CPUs and the stage in front of them, behind one fd: what a live reader reads. */
struct live {
	struct ring *rings; /* by CPU number, fd -1 where there is no ring */
	uint32_t limit;	    /* how many: the highest CPU number + 1 */
	struct cpus cpus;   /* those to be read: the ones asked for, or all that were online */
	struct round round;

	const struct peat_channel *channel; /* NULL: raw mode, there is no stage */
	struct stage stage;

	int map_fd;   /* the caller's */
	int epoll_fd; /* over the rings, the timer and break_fd */
	int timer_fd, break_fd;
	struct epoll_event *ready; /* room for all of them */
	bool look_first; /* the next wait must not sleep: a readiness may have been taken */
	bool flush;	 /* the next round collects all that is staged */

	struct peat_layout layout; /* of the records */
	uint64_t ring_bytes;
	uint32_t watermark_bytes, tick_ms, ring_count;
	bool counts_lost; /* read(2) of an event gives PERF_FORMAT_LOST */
};

/*
 * Opens the rings for a map: the channel's, or map_fd without one.  0, or a negative errno that the
 * log explains.
 */
int live__open(struct live *live, const struct peat_channel *channel, int map_fd,
	       const struct peat_reader_opts *opts);

/* Puts the rings into the map: from then on events arrive.  Likewise. */
int live__fill_map(const struct live *live);

void live__close(struct live *live);

/* As in reader.h. */
int live__wait(struct live *live, int timeout_ms);
void live__break(const struct live *live);
void live__flush(struct live *live);

/* The next piece of what is there; false when the round is done. Lent until the next call. */
bool live__next(struct live *live, struct piece *piece);

/* PERF_FORMAT_LOST of one ring; 0 where there is none. */
int live__lost(const struct live *live, uint32_t cpu, uint64_t *lost);

/* Pieces of rings that made no sense, so far. */
uint64_t live__corrupt(const struct live *live);

#endif /* LIVE_H */
