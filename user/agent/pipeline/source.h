/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pipeline/source.h: the session of a pipeline, whose schemas its batches share. */
#ifndef PEAT_PIPELINE_SOURCE_H
#define PEAT_PIPELINE_SOURCE_H

#include <stdatomic.h>

#include <peat/agent.h>
#include <peat/runtimes.h>
#include <peat/session.h>
#include <peat/where.h>

#include "config/config.h"
#include "pipeline/pins.h"

/* Schemas of events are the session's, or remain of it: they live as long as a batch. */
struct source {
	atomic_uint references;
	struct peat_schema *
		*schemas; /* of a session that was freed, NULL after the last; or NULL */
	struct peat_session *session;
	struct peat_where *where;
	struct peat_table *table;	  /* NULL: none */
	struct peat_runtime_names *names; /* of containers; NULL: not wanted */
	struct peat_reader *reader;
	struct pins pins;   /* all zero: its programs are not pinned */
	uint64_t pinned_ns; /* when they were: pins__made_ns() */
	bool is_adopted;    /* by a former agent */
};

/*
 * Loads and attaches the sources that the configuration names, or reads on the same programs that a
 * former agent has pinned.  NULL and errno.
 */
struct source *source__new(const struct config_pipeline *config,
			   const struct peat_agent_opts *opts);

/*
 * Does so without loading: finds names and options that do not exist, and expressions that are
 * none. 0 or a negative errno; the log has the reason.
 */
int source__check(const struct config_pipeline *config, const struct peat_agent_opts *opts);

/* The trigger of a flight recorder: its events wake the reader at once. */
struct source *source__new_trigger(const struct config_pipeline *config,
				   const struct peat_agent_opts *opts);
int source__check_trigger(const struct config_pipeline *config, const struct peat_agent_opts *opts);

/*
 * Removes the pins: the programs end with the session.  It returns when programs of a former agent
 * have probably ended; their events can still be read.
 */
void source__end_programs(struct source *source);

struct source *source__ref(struct source *source);

/*
 * Gives back the reference of the pipeline, after its last event.  Batches that wait keep the
 * schemas only, with all rings and programs freed, unless frames of their stacks are in a map.
 */
void source__end(struct source *source);

/* For peat_batch_opts.release. */
void source__unref(void *source);

#endif /* PEAT_PIPELINE_SOURCE_H */
