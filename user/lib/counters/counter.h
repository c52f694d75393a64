/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* counters/counter.h: an event, its file descriptors, and the counters of a caller. */
#ifndef PEAT_COUNTERS_COUNTER_H
#define PEAT_COUNTERS_COUNTER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <peat/counters.h>

#include "counters/reading.h"
#include "counters/targets.h"
#include "pmu/events.h"
#include "sys/hotplug.h"

struct fork_mark;

/* An event on one target. */
struct part {
	int fd;	    /* -1: not open */
	void *page; /* of peat_counters__read_self() and of overflows; NULL: none */
	size_t page_bytes;
	uint64_t id;
	bool is_leader; /* of its group, or in no group: enabled by itself */
	bool was_open;
	uint64_t pass;	     /* number of the last reading that had its value */
	struct reading kept; /* of file descriptors that were closed */
	struct reading now;  /* of `fd` */
	struct reading base; /* at the last peat_counters__reset() */
};

struct counter {
	struct pmu_event *event; /* of peat_counters.events */
	char *name;		 /* with the modifier `u` if only user space is counted */
	struct part *parts;	 /* one per target */
	bool is_supported;
	bool is_limited; /* peat_counters__refresh() has enabled it: the kernel disables it */
};

struct peat_counters {
	struct fork_mark *mark;
	struct pmu_events events;
	struct counter *at; /* events.count */
	struct targets targets;
	struct hotplug hotplug; /* if targets.are_cpus */
	struct reading_member *members;
	unsigned char *bytes; /* of read(2) */
	uint64_t pass;
	/*
	 * The kernel supports PERF_FORMAT_GROUP and LOST here.  It may read no group any more after
	 * inherited events of the group were removed on exec (ECHILD, Linux 6.18).
	 */
	bool has_group_reads, has_lost;
	int overflow_fd; /* an epoll of the events that own a ring; -1: events do not overflow */
	int overflow_signal; /* 0: none */
	bool is_enabled, enable_on_exec, inherits, is_optional, is_self;
	pthread_t owner; /* the thread that is counted, if is_self */
};

/* PERF_FORMAT_* of all file descriptors. */
uint64_t counter__read_format(const struct peat_counters *counters);

/*
 * Opens an event on a target, in the group whose leader is `group_fd`, or -1.  Falls back as the
 * kernel and its limits require, and adapts counter->event and counter->name.  0 or a negative
 * errno, which is not logged.
 */
int counter__open(struct peat_counters *counters, struct counter *counter, uint32_t target,
		  int group_fd);

/* Whether the errno says that this machine cannot count the event. */
bool counter__is_unsupported(int err);

/* Logs why counter__open() failed. */
void counter__log_error(const struct peat_counters *counters, const struct counter *counter,
			uint32_t target, int err);

/* Keeps the last reading, and closes the file descriptor. */
void counter__close(struct part *part);

#endif /* PEAT_COUNTERS_COUNTER_H */
