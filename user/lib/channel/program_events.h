/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/program_events.h: perf events whose samples run a BPF program, on each CPU. */
#ifndef PEAT_CHANNEL_PROGRAM_EVENTS_H
#define PEAT_CHANNEL_PROGRAM_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/cpus.h"

struct bpf_program;
struct program_event;

struct program_events {
	struct program_event *at;
	size_t count;
};

/* A program to run at samples of an event. */
struct sampled_program {
	const struct bpf_program *program; /* loaded */
	const char *object;		   /* name, for messages */
	const char *event;		   /* as `perf record -e` takes it */
	uint32_t freq;			   /* samples per second and CPU; the event's terms win */
	const struct cpus *cpus;	   /* NULL: all */
};

/*
 * Opens the event on each CPU that is online, and attaches the program.  If the machine has no
 * counter of CPU cycles, they are replaced by cpu-clock, with a warning.
 *
 *	0
 *	-ENOENT		the machine lacks the event
 *	-EINVAL		a wrong name; an event that stands for several of one CPU; a tracepoint; a
 *			frequency that the kernel does not allow
 *	another negative errno
 *
 * `why`, of `room` bytes, gets the cause and the remedy.  It is empty if they are unknown, or the
 * log has them.
 */
int program_events__attach(struct program_events *events, const struct sampled_program *sampled,
			   char *why, size_t room);

/*
 * Attaches the programs again on CPUs that were offline.  `named`: CPUs that certainly changed;
 * `any`: all others may have changed, too.
 */
void program_events__reopen(struct program_events *events, const struct cpus *named, bool any);

/* Detaches the programs.  In a child of fork() they stay attached for the parent. */
void program_events__detach(struct program_events *events);

#endif /* PEAT_CHANNEL_PROGRAM_EVENTS_H */
