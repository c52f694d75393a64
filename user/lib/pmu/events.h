/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pmu/events.h: perf events by name, as perf takes them.
 *
 *	cycles:u   instructions   page-faults   L1-dcache-load-misses   r1a8
 *	cpu/event=0x3c,umask=0x0/   cpu/cache-misses/   power/energy-pkg/
 *	sched:sched_switch   sched:*   mem:0x1000/8:w   {cycles,instructions}:u
 *
 * Room pmu, pmu/parse.c: text into terms, pure.  pmu/sysfs.c: PMUs of this machine.  pmu/events.c:
 * both into attrs.
 */
#ifndef PEAT_PMU_EVENTS_H
#define PEAT_PMU_EVENTS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <linux/perf_event.h>

#include "sys/cpus.h"

/* In no group. */
#define PMU_NO_GROUP UINT32_MAX

struct pmu_event {
	/*
	 * type, config, config1 to config3, bp_type, bp_addr, bp_len; exclude_*, precise_ip, pinned
	 * and exclusive of the modifiers; sample_period or sample_freq with `freq` of the terms
	 * period= and freq=.  All other members are 0, except size.
	 */
	struct perf_event_attr attr;
	char *name;	  /* as perf prints it: with modifiers, without the group's braces */
	char *pmu;	  /* of sysfs; NULL: a generic event */
	char *unit;	  /* such as "Joules"; NULL: a plain count */
	double scale;	  /* the count times this is in `unit`; 1 unless the PMU states it */
	char *filter;	  /* tracepoint/FILTER/, for PERF_EVENT_IOC_SET_FILTER; NULL: no filter */
	struct cpus cpus; /* CPUs that this event is opened on; limit 0: all */
	uint32_t group;	  /* number of its group, from 0; or PMU_NO_GROUP */
	bool is_leader;	  /* the first event of its group */
	bool has_call_graph;	/* the term call-graph= */
	bool is_system_wide;	/* counts all tasks of its CPUs, never those of one process */
	bool is_precise_max;	/* :P, open with the largest precise_ip that opens, from 3 to 0 */
	bool is_read_by_leader; /* :S, samples of the leader read all of the group */
	bool is_weak;		/* :W, if the group does not open, open single events */
};

struct pmu_events {
	struct pmu_event *at;
	uint32_t count;
};

/*
 * Appends the events of a list, separated by commas, to `events`, which may be empty, { 0 }.  A
 * name may stand for several: a PMU with several instances, a tracepoint with `*`.  A
 * list that fails adds nothing.
 *
 *     0         done
 *     -EINVAL   not such a list, or a term that the PMU does not have; the log has the place
 *     -ENOENT   this machine has no such PMU, event or tracepoint; the log names similar ones
 *     -EACCES   tracefs may not be read; the log has the remedy
 *     -ENOMEM
 */
int pmu_events__parse(struct pmu_events *events, const char *list);

/* The directories where names are looked up. */
struct pmu_dirs {
	int devices;	 /* as /sys/bus/event_source/devices; or a negative errno */
	int tracepoints; /* as events of tracefs; a negative errno; or PMU_DIR_UNOPENED */
};

#define PMU_DIR_UNOPENED INT_MIN

/* The same in other directories, which tests make.  Opens `tracepoints` if it needs it. */
int pmu_events__parse_in(struct pmu_events *events, const char *list, struct pmu_dirs *dirs);

/* The event that is opened on this CPU, of those that one name stands for; NULL: the CPU has none.
 */
const struct pmu_event *pmu_events__of_cpu(const struct pmu_events *events, uint32_t cpu);

/* The index of an event that has a CPU in common with the event before it; 0: no event has. */
uint32_t pmu_events__find_overlap(const struct pmu_events *events);

/* Accepts { 0 }. */
void pmu_events__free(struct pmu_events *events);

#endif /* PEAT_PMU_EVENTS_H */
