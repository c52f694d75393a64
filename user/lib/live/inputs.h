/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LIVE_H
#define LIVE_H

#include <peat/reader.h>

#include "channel/channel.h"
#include "ring/hotplug.h"
#include "live/drain.h"

struct epoll_event;

/* The rings of all CPUs and the stage in front of them, behind one fd: what a live reader reads. */
struct live {
	struct rings rings;
	struct cpus cpus; /* those to be read when they are online: the ones asked for, or all */
	struct hotplug hotplug;
	struct round round;
	uint32_t pieces; /* handed out, modulo 2^32 */

	const struct peat_channel *channel; /* NULL: raw mode, there is no stage */
	struct stage stage;

	int epoll_fd; /* over the rings, the timer, break_fd and hotplug.fd */
	int timer_fd, break_fd;
	struct epoll_event *ready; /* room for all of them that there can be: */
	int ready_limit;
	bool look_first; /* the next wait must not sleep: a readiness may have been taken */
	bool hurry;	 /* likewise: see live__hurry() */
	bool collect;	 /* the next round collects what is staged, but for what is just now */
	bool flush;	 /* the next round collects all that is staged */

	struct tasks *tasks; /* NULL: names are not followed */
	uint32_t tick_ms;
	uint64_t young_ns; /* what has been staged for less is left to the next tick */
};

/* Whose events: a channel's; or of maps, read raw; or of none, only opts->kinds. */
struct live_source {
	const struct peat_channel *channel;
	const int *map_fds; /* without a channel; needed until it is open */
	uint32_t maps;	    /* at most LIVE_MAPS */
};

#define LIVE_MAPS (RING_EVENTS - 1)

/* Opens the rings.  0, or a negative errno that the log explains. */
int live__open(struct live *live, const struct live_source *source,
	       const struct peat_reader_opts *opts);

void live__close(struct live *live);

/* As in reader.h. */
int live__wait(struct live *live, int timeout_ms);
void live__break(const struct live *live);
void live__flush(struct live *live);

/*
 * The next round collects all but what was staged just now; with `now` it waits neither for data
 * nor for a tick.
 */
void live__hurry(struct live *live, bool now);

/* The next piece of what is there; false when the round is done. Lent until the next call. */
bool live__next(struct live *live, struct piece *piece);

/* PERF_FORMAT_LOST of what BPF programs wrote to one ring, 0 where there is none; and to all, for
 * one map. */
int live__lost(const struct live *live, uint32_t cpu, uint64_t *lost);
int live__map_lost(const struct live *live, uint32_t map, uint64_t *lost);

/* The same of what the kernel writes by itself, in all rings. */
int live__side_lost(const struct live *live, uint64_t *lost);

/*
 * What a thread was called at some time, of which live__know() has made sure that it is known;
 * UINT64_MAX: now.  NULL: not known.  Lent until live__know() or live__next() is called.
 */
void live__know(struct live *live, uint64_t time_ns);
const char *live__name(const struct live *live, uint32_t tid, uint64_t time_ns);

/* Pieces of rings that made no sense, so far. */
uint64_t live__corrupt(const struct live *live);

#endif /* LIVE_H */
