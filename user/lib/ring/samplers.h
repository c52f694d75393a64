/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ring/samplers.h: perf events that the kernel samples itself, without a BPF program, and that
 * write into the rings: `cycles:u`, a tracepoint, a breakpoint.
 *
 * Each CPU's ring has, for each task (or once, for all tasks), an event per sampler and a side
 * event, which has the same tasks:
 *
 *	outputs			task 0: sampler 0, 1, ..., task 1: sampler 0, 1, ...
 *	side events		task 0, task 1, ...
 *
 * The first side event owns the ring.  All have IDENTIFIER at the same place, first in a sample and
 * last in other records, so that any record can be decoded.
 */
#ifndef PEAT_RING_SAMPLERS_H
#define PEAT_RING_SAMPLERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/perf_event.h>

#include <peat/record.h>

#include "sys/cpus.h"

/* The ids in samples and trailers. */
#define SAMPLERS_IDS (PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU)

struct sampler {
	/* sample_type includes SAMPLERS_IDS; the members that the ring decides are 0. */
	struct perf_event_attr attr;
	struct peat_layout layout; /* of its samples */
	const char *name;
	const char *filter;	 /* of a tracepoint; NULL: none */
	const struct cpus *cpus; /* NULL: all */
	uint32_t leader;	 /* index of its group's leader; its own index: in no group */
};

struct samplers {
	struct sampler *at;
	uint32_t count;
	uint32_t *tasks;     /* threads */
	uint32_t task_count; /* 0: all tasks, or those of the cgroup */
	int cgroup_fd;	     /* -1: no cgroup */
	bool on_exec;	     /* sample once the tasks call exec() */
	bool inherit;	     /* also the children that the tasks will have */
};

/* The fd of an event that is not opened: the CPU is not its own, or its task has ended. */
#define SAMPLERS_NO_EVENT (-4096)

uint32_t samplers__outputs(const struct samplers *samplers);
uint32_t samplers__sides(const struct samplers *samplers);

/* The sampler of output `index`. */
static inline struct sampler *samplers__of(const struct samplers *samplers, uint32_t index)
{
	return &samplers->at[index % samplers->count];
}

/*
 * Opens event `index` on the CPU, disabled.  `common` has the members that the ring decides, and
 * for side events all others; `fds` the events of lower indexes, for groups.  Returns the fd,
 * SAMPLERS_NO_EVENT, or a negative errno, which is not logged.
 */
int samplers__open(const struct samplers *samplers, uint32_t index, uint32_t cpu,
		   const struct perf_event_attr *common, const int *fds);

/* The attr of a sampler as it is opened, without the members that the ring decides. */
struct perf_event_attr samplers__attr(const struct samplers *samplers, uint32_t i);

/*
 * Opens sampler `i` alone for the first task, on the CPU or one of its own, and closes it again.  0
 * or a negative errno, which is not logged.
 */
int samplers__try(const struct samplers *samplers, uint32_t i, uint32_t cpu);

/*
 * Makes event `index` sample, at exec() if that is still to come.  Call it when the event has a
 * ring.  0 or a negative errno, which is logged.
 */
int samplers__start(const struct samplers *samplers, uint32_t index, int fd, bool waits_for_exec);

/* Logs the reason why the sampler cannot be opened, with the remedy.  Returns err. */
int samplers__log_error(const struct sampler *sampler, int err);

#endif /* PEAT_RING_SAMPLERS_H */
