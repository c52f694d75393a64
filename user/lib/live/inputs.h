/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_LIVE_INPUTS_H
#define PEAT_LIVE_INPUTS_H

#include <pthread.h>

#include <peat/reader.h>

#include "channel/channel.h"
#include "channel/skipped.h"
#include "ring/rings.h"
#include "sys/hotplug.h"
#include "sys/grace_thread.h"
#include "live/drain.h"

struct channel_functions;
struct epoll_event;
struct live_input;
struct map_counters;
struct own_ids_map;
struct program_events;
struct sampling;

/* Functions of perf events that programs read.  Readers without such programs do not link them. */
struct counter_functions {
	void (*reopen)(struct map_counters *counters, const struct cpus *named, bool any);
	void (*close)(struct map_counters *counters, bool keep_elements);
};

/* Likewise, of perf events that run programs. */
struct program_event_functions {
	void (*reopen)(struct program_events *events, const struct cpus *named, bool any);
};

/* The inputs of a live reader, waited for by one fd: the rings of all CPUs, and the stage. */
struct inputs {
	struct rings rings;
	struct rings spare; /* with opts->overwrite: see rings__swap(); otherwise none */
	struct cpus cpus;   /* CPUs to read while they are online: opts->cpus, or all */
	struct hotplug hotplug;
	struct map_counters *counters; /* that programs read; NULL: none */
	const struct counter_functions *counter_functions;
	struct program_events *program_events; /* that run programs; NULL: none */
	const struct program_event_functions *program_event_functions;
	pthread_mutex_t reopen_lock; /* held while rings get other file descriptors */
	struct drain drain;
	uint32_t pieces; /* returned by inputs__next(), modulo 2^32 */

	const struct peat_channel *channel;		   /* NULL: raw mode */
	const struct channel_functions *channel_functions; /* NULL: raw mode */
	struct stage stage;	   /* of the channel; otherwise it has no slots */
	struct grace_thread grace; /* see live/reclaim.h */
	struct skipped skipped;	   /* runs of the programs; raw mode: its session adds them */

	int epoll_fd; /* watches the rings, timer_fd, interrupt_fd and hotplug.fd */
	int timer_fd, interrupt_fd;
	struct epoll_event *ready; /* room for ready_limit fds: all that epoll_fd can watch */
	int ready_limit;

	/* For the next inputs__wait(), and cleared by the next drain. */
	bool drain_now;	   /* wait does not block, since data may have been reported already; the
			      drain collects all slots */
	bool is_urgent;	   /* wait returns after URGENT_WAIT_MS at the latest */
	bool collect_soon; /* the drain collects slots except the newest: inputs__collect_soon() */
	bool collect_all;  /* the drain collects all slots, also those that are stuck */
	bool is_flushing;  /* for collect_all, a grace period was begun */
	bool only_rings;   /* the present drain collects no slot: collect_all waits for programs */

	/* Sleeping without a tick while nothing is staged: see inputs__end_round(). */
	bool has_ticked;     /* since the last round ended */
	bool has_ended;	     /* all tasks of the samplers have ended */
	bool never_sleeps;   /* kinds were requested, or the rings are paused */
	bool is_asleep;	     /* the timer is stopped, and the slots are armed */
	uint32_t idle_ticks; /* in a row */

	struct tasks *tasks;	      /* NULL: names are not followed */
	struct own_ids_map *own_ids;  /* of tasks; NULL: not followed */
	struct identities identities; /* of cgroups, if `has_identities` */
	bool has_identities;
	bool is_since_load; /* the ledger counts from the load of the programs */
	uint32_t tick_ms;
	uint64_t min_age_ns; /* events staged for less time stay until the next tick */
};

/* The events to read: of a channel; of maps, read raw; of samplers; or of opts->side_band alone. */
struct inputs_config {
	const struct live_input *input; /* its operations */
	const struct peat_channel *channel;
	const int *map_fds;	   /* without a channel; used by inputs__open() only */
	uint32_t maps;		   /* at most INPUTS_MAPS */
	struct sampling *sampling; /* NULL: no samplers; has to outlive the reader */
};

#define INPUTS_MAPS RINGS_MAPS

/* Opens the rings.  0 or a negative errno, which is logged. */
int inputs__open(struct inputs *inputs, const struct inputs_config *source,
		 const struct peat_reader_opts *opts);

void inputs__close(struct inputs *inputs);

/* For a child of fork(), before inputs__close(): rings, maps and threads are the parent's. */
void inputs__disown(struct inputs *inputs);

/* See reader.h; -ENODATA: all tasks of the samplers have ended. */
int inputs__wait(struct inputs *inputs, int timeout_ms);
void inputs__interrupt(const struct inputs *inputs);
void inputs__collect_all(struct inputs *inputs);

/*
 * For readers that do not drain: gives CPUs that have returned their rings again, which each drain
 * does, too.  The next wait blocks.  Returns whether CPUs may have changed.
 */
bool inputs__follow_cpus(struct inputs *inputs);

/* Makes a wait also end when this fd is readable. */
int inputs__watch(const struct inputs *inputs, int fd);

/*
 * Makes the next drain collect all slots except those with events from the last millisecond.
 * `is_urgent`: the next inputs__wait() waits for a millisecond at most.
 */
void inputs__collect_soon(struct inputs *inputs, bool is_urgent);

/* Wakes the reader if it sleeps, and keeps it from sleeping again. */
void inputs__stay_awake(struct inputs *inputs);

/*
 * Ends a round.  If nothing was staged or written for a while, stops the tick until a program wakes
 * the reader.  `holds_events`: events wait for a tick to be returned.
 */
void inputs__end_round(struct inputs *inputs, bool holds_events);

/*
 * The next piece of the present drain, or of a new one if the last is done; false: the drain is
 * done.  Valid until the next call.
 */
bool inputs__next(struct inputs *inputs, struct piece *piece);

/*
 * Records lost by the ring of a CPU (0 if it has no ring), of all maps; and by all rings, of one
 * map.  Counted by the kernel (PERF_FORMAT_LOST).  0 or a negative errno.
 */
int inputs__lost(const struct inputs *inputs, uint32_t cpu, uint64_t *lost);
int inputs__map_lost(const struct inputs *inputs, uint32_t map, uint64_t *lost);

/* Likewise, samples of one sampler. */
int inputs__sampler_lost(const struct inputs *inputs, uint32_t sampler, uint64_t *lost);

/* Likewise, records that the kernel writes itself, lost by all rings. */
int inputs__side_lost(const struct inputs *inputs, uint64_t *lost);

/* Adds the names of all tasks that run, from /proc.  A failure is logged. */
void inputs__scan_tasks(struct inputs *inputs);

/* See drain__apply_tasks(). */
void inputs__apply_tasks(struct inputs *inputs, uint64_t time_ns);

/* The identity of a cgroup, valid until the next call; NULL: no memory.  With `has_identities`. */
const struct peat_identity *inputs__identity(struct inputs *inputs, uint64_t cgroup);

/* Times that invalid bytes were skipped in rings. */
uint64_t inputs__corrupt(const struct inputs *inputs);

#endif /* PEAT_LIVE_INPUTS_H */
