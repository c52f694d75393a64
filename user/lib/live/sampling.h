/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/sampling.h: the samplers of a list of events, with the types of their samples.
 *
 *	"cycles:u,sched:sched_switch" ──▶ pmu/events.h ──▶ struct sampler   (ring/samplers.h)
 *	                                               └─▶ struct sampled_type (event/source.h)
 */
#ifndef PEAT_LIVE_SAMPLING_H
#define PEAT_LIVE_SAMPLING_H

#include <peat/sampling.h>

#include "event/source.h"
#include "pmu/events.h"
#include "ring/samplers.h"
#include "tracepoint/format_parse.h"

struct sampling_event {
	struct sampled_type type;
	char *name;		    /* of the event; it changes if the event had to */
	struct peat_schema *bytes;  /* owned; NULL: the schema is that of `format` */
	struct trace_format format; /* of a tracepoint */
	char *text;		    /* of its format; NULL: not a tracepoint */
	char *system;
};

struct sampling {
	struct peat_sampling_opts opts; /* with copies of its arrays and strings */
	struct peat_stack_request stacks;
	struct pmu_events parsed;
	struct sampling_event *events; /* as many as `parsed` has */
	struct samplers samplers;
	bool is_chosen;	 /* sampling__choose() was called */
	bool has_warned; /* about samples with ids of others */
};

/* `stacks` has its defaults.  NULL and errno, which the log explains. */
struct sampling *sampling__new(const char *events, const struct peat_sampling_opts *opts,
			       const struct peat_stack_request *stacks);
void sampling__free(struct sampling *sampling); /* accepts NULL */

/*
 * Finds the tasks, changes events that this machine or user does not have (each event is opened
 * once, on the first of `cpus`; NULL: that are online), and makes the types.  Later calls do
 * nothing.  0 or a negative errno, which is logged.
 */
int sampling__choose(struct sampling *sampling, const char *cpus);

/* A reader of it; `is_owner`: the reader frees it. */
struct peat_reader *sampling__open_reader(struct sampling *sampling, bool is_owner,
					  const struct peat_reader_opts *opts);

#endif /* PEAT_LIVE_SAMPLING_H */
