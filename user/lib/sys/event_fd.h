/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/event_fd.h: perf_event_open(2), which no other file of libpeat calls. */
#ifndef PEAT_SYS_EVENT_FD_H
#define PEAT_SYS_EVENT_FD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/perf_event.h>

/*
 * Opens `attr` for every task on `cpu` and returns the fd, or a negative errno.  An older kernel
 * supports only a shorter struct and returns its size in attr->size (E2BIG): the rest is left out,
 * with a warning.
 */
int event_fd__open(struct perf_event_attr *attr, uint32_t cpu);

/* The tasks and CPUs of an event, as in perf_event_open(2). */
struct event_target {
	pid_t pid;	     /* 0: this task; -1: all tasks */
	int cpu;	     /* -1: all CPUs */
	int group_fd;	     /* the group's leader; -1: no group */
	unsigned long flags; /* PERF_FLAG_*, besides FD_CLOEXEC */
};

/* The same for any target. */
int event_fd__open_target(struct perf_event_attr *attr, const struct event_target *target);

/*
 * Whether the event counts no more, since its CPU was offline: it does not when the CPU returns.
 * read_format is PERF_FORMAT_TOTAL_TIME_ENABLED, alone or with _RUNNING.  -1: true.
 */
bool event_fd__is_dead(int fd);

#endif /* PEAT_SYS_EVENT_FD_H */
