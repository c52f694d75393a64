/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * queue/flow.h: counts what a pipeline offers to an output, and what became of it:
 *
 *	offered = dropped + waiting + spooled + acknowledged + refused
 *		+ lost with agents that were killed
 *
 * Numbers of events and points.  Any thread reads and adds.
 *
 * The counts include the batches that a former agent left, and its counts if this agent continues
 * them.  `former` has these alone.
 */
#ifndef PEAT_QUEUE_FLOW_H
#define PEAT_QUEUE_FLOW_H

#include <stdatomic.h>

#include <peat/batch.h>

/* Batches of former agents, in the counts of a flow. */
struct former_flow {
	atomic_uint_fast64_t offered, dropped, acknowledged, refused;
};

struct flow {
	atomic_uint_fast64_t offered;
	atomic_uint_fast64_t dropped;	   /* by the policy of the queue or spool, or at the end */
	atomic_uint_fast64_t spooled;	   /* now in the spool */
	atomic_uint_fast64_t acknowledged; /* by the output */
	atomic_uint_fast64_t refused;	   /* by the output, or by the server behind it */
	struct former_flow former;
	uint64_t agent_died;	  /* waited when a former agent was killed; set before the start */
	uint64_t batches, events; /* that were numbered; for the output's thread */
};

/* A flow at one moment. */
struct flow_counts {
	uint64_t offered, dropped, waiting, spooled, acknowledged, refused, agent_died;
};

static inline uint64_t flow__size(const struct peat_batch *batch)
{
	return peat_batch__events(batch) + peat_batch__points(batch);
}

static inline void flow__add(atomic_uint_fast64_t *count, uint64_t more)
{
	atomic_fetch_add_explicit(count, more, memory_order_relaxed);
}

/* Moves events from the spool to the count of an end, in the order that flow__read() needs. */
static inline void flow__unspool(struct flow *flow, uint64_t spooled, atomic_uint_fast64_t *end,
				 uint64_t more)
{
	atomic_fetch_sub(&flow->spooled, spooled);
	atomic_fetch_add(end, more);
}

/* The numbers of the flow's next batch. */
static inline struct peat_origin flow__next(const struct flow *flow, uint64_t run)
{
	return (struct peat_origin){ .sz = sizeof(struct peat_origin),
				     .run = run,
				     .number = flow->batches + 1,
				     .first = flow->events + 1 };
}

/* A batch has these numbers from now on. */
static inline void flow__note_numbers(struct flow *flow, const struct peat_origin *origin,
				      const struct peat_batch *batch)
{
	if (origin->number <= flow->batches)
		return; /* it had them before */
	flow->batches = origin->number;
	flow->events = origin->first - 1 + peat_batch__events(batch);
}

/*
 * While other threads add, `waiting` is what is left: the ends are read before the spool, and both
 * before the offers, so it is never too small.
 */
static inline struct flow_counts flow__read(const struct flow *flow)
{
	struct flow_counts counts = {
		.dropped = atomic_load(&flow->dropped),
		.acknowledged = atomic_load(&flow->acknowledged),
		.refused = atomic_load(&flow->refused),
		.agent_died = flow->agent_died,
	};
	uint64_t ends = counts.dropped + counts.acknowledged + counts.refused;

	counts.spooled = atomic_load(&flow->spooled);
	counts.offered = atomic_load(&flow->offered);
	ends += counts.spooled + counts.agent_died;
	counts.waiting = counts.offered > ends ? counts.offered - ends : 0;
	return counts;
}

#endif /* PEAT_QUEUE_FLOW_H */
