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
 *
 * The spool keeps the ends of its events in a file of its own (spool/settled.h), the agent keeps
 * all counts in its state, somewhat later.  After kill -9 the two differ by the events that left
 * the spool last: `saved` has the spool's counts that the state knew.
 */
#ifndef PEAT_QUEUE_FLOW_H
#define PEAT_QUEUE_FLOW_H

#include <stdatomic.h>

#include <peat/batch.h>

/* Batches of former agents, in the counts of a flow. */
struct former_flow {
	atomic_uint_fast64_t offered, dropped, acknowledged, refused;
};

/* Events that ended, by their end. */
struct flow_ends {
	uint64_t acknowledged, refused, dropped;
};

/* Events that left the spool.  Its thread alone adds. */
struct spool_flow {
	atomic_uint_fast64_t acknowledged, refused, dropped;
};

/* The ends of a flow are the sums of its own counts and those of `spool`. */
struct flow {
	atomic_uint_fast64_t offered;
	atomic_uint_fast64_t dropped;	   /* by the policy of the queue, or at the end */
	atomic_uint_fast64_t spooled;	   /* now in the spool */
	atomic_uint_fast64_t acknowledged; /* by the output */
	atomic_uint_fast64_t refused;	   /* by the output, or by the server behind it */
	struct spool_flow spool;	   /* that left the spool */
	struct spool_flow spool_before;	   /* that had left it when it was opened */
	atomic_uint_fast64_t spool_id;	   /* of the spool that set spool_before; 0: none has */
	struct former_flow former;
	struct flow_ends saved;		 /* the spool's counts in the state of a former agent */
	uint64_t saved_id;		 /* of that spool; 0: none */
	atomic_uint_fast64_t agent_died; /* waited when a former agent was killed */
	uint64_t batches, events;	 /* that were numbered; for the output's thread */
};

/* A flow at one moment. */
struct flow_counts {
	uint64_t offered, dropped, waiting, spooled, acknowledged, refused, agent_died;
	uint64_t spool_id;     /* 0: no spool */
	struct flow_ends ends; /* by the spool, since its directory was made */
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

static inline struct flow_ends flow__read_ends(const struct spool_flow *flow)
{
	return (struct flow_ends){ .acknowledged = atomic_load(&flow->acknowledged),
				   .refused = atomic_load(&flow->refused),
				   .dropped = atomic_load(&flow->dropped) };
}

/* Before the flow gets counts that have those of the spool in them. */
static inline void flow__forget_spool(struct flow *flow)
{
	atomic_store(&flow->spool.acknowledged, 0);
	atomic_store(&flow->spool.refused, 0);
	atomic_store(&flow->spool.dropped, 0);
	atomic_store(&flow->spool_id, 0);
}

static inline struct flow_ends flow__add_ends(struct flow_ends one, struct flow_ends other)
{
	return (struct flow_ends){ .acknowledged = one.acknowledged + other.acknowledged,
				   .refused = one.refused + other.refused,
				   .dropped = one.dropped + other.dropped };
}

/*
 * While other threads add, `waiting` is what is left: the ends are read before the spool, and both
 * before the offers, so it is never too small.  The spool's ends are read once, so that sums and
 * `ends` have the same events.
 */
static inline struct flow_counts flow__read(const struct flow *flow)
{
	const struct flow_ends spool = flow__read_ends(&flow->spool);
	struct flow_counts counts = {
		.dropped = atomic_load(&flow->dropped) + spool.dropped,
		.acknowledged = atomic_load(&flow->acknowledged) + spool.acknowledged,
		.refused = atomic_load(&flow->refused) + spool.refused,
		.agent_died = atomic_load(&flow->agent_died),
		.spool_id = atomic_load(&flow->spool_id),
		.ends = flow__add_ends(flow__read_ends(&flow->spool_before), spool),
	};
	uint64_t ends = counts.dropped + counts.acknowledged + counts.refused;

	counts.spooled = atomic_load(&flow->spooled);
	counts.offered = atomic_load(&flow->offered);
	ends += counts.spooled + counts.agent_died;
	counts.waiting = counts.offered > ends ? counts.offered - ends : 0;
	return counts;
}

#endif /* PEAT_QUEUE_FLOW_H */
