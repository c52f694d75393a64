/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pipeline/pipeline.h: from a source to the queues of outputs, in a thread of its own.
 *
 *	pipeline__new()	loads and attaches; events wait in the rings, and the thread waits
 *	pipeline__run()	lets the thread work
 *	pipeline__stop()	detaches, delivers what is left, ends the thread
 *
 * Pinned programs stay attached, unless pipeline__end_programs() is called before the stop.
 *
 * One thread, the agent's, calls these functions, unless a comment says otherwise.
 */
#ifndef PEAT_PIPELINE_PIPELINE_H
#define PEAT_PIPELINE_PIPELINE_H

#include <peat/agent.h>
#include <peat/ledger.h>
#include <peat/session.h>

#include "config/config.h"
#include "queue/queue.h"

struct pipeline;

/* An output of a pipeline. */
struct target {
	struct queue *queue;		    /* NULL: the pipeline writes the output itself */
	const struct config_output *output; /* that one, of the pipeline's configuration */
	struct flow *flow;
};

/* The events of a source.  Those that were delivered are offered, or left to another pipeline. */
struct source_counts {
	bool has_ledger; /* false: of a stat pipeline, or of objects without peat.bpf.h */
	struct peat_ledger ledger;
	bool has_events; /* true: only events are offered, no points */
	uint64_t delivered, lost, skipped;
	uint64_t handed_over; /* another pipeline delivers them: handover.h */
	uint64_t offered;     /* to each output */
	uint64_t agent_died;  /* lost with agents that did not end: state/state.h */
	uint64_t triggers;    /* of a flight recorder: it was sent so often */
};

void source_counts__add(struct source_counts *sum, const struct source_counts *more);

/* An agent gives this to its pipelines. */
struct pipeline_env {
	const struct peat_agent_opts *opts;
	/* Adds the points of the agent's ledger.  0 or a negative errno.  Any thread. */
	int (*collect)(void *arg, struct peat_batch *points);
	/* Adds alerts about the agent's sources and outputs since the last call.  Any thread. */
	void (*add_alerts)(void *arg, uint64_t interval_ms, struct peat_batch *alerts);
	void *arg;
};

/* `config` and `env` have to outlive the pipeline.  NULL and errno; the log has the reason. */
struct pipeline *pipeline__new(const struct config_pipeline *config,
			       const struct pipeline_env *env);

/*
 * Whether the names, options and expressions of its sources exist, as far as that can be told
 * without loading them.  0 or a negative errno; the log has the reason.
 */
int pipeline__check(const struct config_pipeline *config, const struct peat_agent_opts *opts);

const struct config_pipeline *pipeline__config(const struct pipeline *pipeline);

/*
 * Replaces the targets; queues of before get no further batch after the call.  Outputs that it
 * writes itself stay as they were at its first call.  0 or -ENOMEM.
 */
int pipeline__set_targets(struct pipeline *pipeline, const struct target *targets, size_t count);

/*
 * `fresh`, which does not run yet, takes the place of `former`, which ends: each event is delivered
 * by one of them, if both give it the same fields.  Waits for the end of `former`; as
 * pipeline__stop().
 */
void pipeline__replace(struct pipeline *former, struct pipeline *fresh, uint64_t drain_ms);

/* Cannot fail, so that a reload fails before it has changed anything. */
void pipeline__run(struct pipeline *pipeline);

/* Waits for the end.  After drain_ms, batches that find no room in a queue are dropped. */
void pipeline__stop(struct pipeline *pipeline, uint64_t drain_ms);

/* Its pinned programs end with it.  Before the stop. */
void pipeline__end_programs(struct pipeline *pipeline);

/* The next agent finds its pinned programs, after those of a pipeline in its place have ended. */
void pipeline__pin_again(struct pipeline *pipeline);

/* When its programs were pinned: pins__made_ns(); 0: they are not. */
uint64_t pipeline__pinned_ns(const struct pipeline *pipeline);

/* Whether a former agent has pinned them. */
bool pipeline__is_adopted(const struct pipeline *pipeline);

/* Whether it works; false: stores the reason as snprintf() does.  Any thread. */
bool pipeline__is_healthy(struct pipeline *pipeline, char *why, size_t room);

/* Any thread, while the pipeline lives. */
void pipeline__read_counts(struct pipeline *pipeline, struct source_counts *counts);

/* The i-th program; 0: there is none.  After the stop as well. */
int pipeline__program(struct pipeline *pipeline, uint32_t i, struct peat_program_stats *stats);

/* Also if it was not run, or was not stopped.  Batches that are under way keep its schemas. */
void pipeline__free(struct pipeline *pipeline);

#endif /* PEAT_PIPELINE_PIPELINE_H */
