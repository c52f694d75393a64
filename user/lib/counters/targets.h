/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_COUNTERS_TARGETS_H
#define PEAT_COUNTERS_TARGETS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <peat/counters.h>

/* A task, a CPU, or a task on a CPU: each event is opened once for each. */
struct target {
	pid_t tid; /* 0: the calling thread; -1: all tasks, or those of the cgroup */
	int cpu;   /* -1: all CPUs */
};

struct targets {
	struct target *at;
	uint32_t count;
	bool are_cpus; /* they count all tasks of a CPU, or those of the cgroup */
	int cgroup_fd; /* -1: none */
};

/*
 * The targets of these options.  If they are CPUs, offline ones are among them.  Call
 * targets__free() in any case.  0 or a negative errno, as peat_counters__new(); the log has the
 * reason.
 */
int targets__find(struct targets *targets, const struct peat_counters_opts *opts);
void targets__free(struct targets *targets);

#endif /* PEAT_COUNTERS_TARGETS_H */
