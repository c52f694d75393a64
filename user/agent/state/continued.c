// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* state/continued.c: splits the counts of a source, and continues those of a former agent. */
#include "state/state.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Counts are read one after another, so a difference can be below 0 by some events. */
static uint64_t above(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) > 0 ? a - b : 0;
}

/* ---- splitting ------------------------------------------------------------------------------- */

/* The ledger that programs count themselves; in_ring is everything that no reader has read yet. */
static struct source_counts counts_of_programs(const struct source_counts *now, uint64_t filtered)
{
	struct source_counts counts = { .has_ledger = now->has_ledger, .ledger = now->ledger };
	struct peat_ledger *ledger = &counts.ledger;

	counts.lost = now->lost - least(now->lost, ledger->corrupt);
	ledger->in_ring = above(ledger->held + ledger->staged + ledger->in_ring, 0);
	ledger->filtered -= filtered;
	ledger->delivered = ledger->corrupt = ledger->overwritten = 0;
	ledger->held = ledger->staged = ledger->former = ledger->read = 0;
	return counts;
}

static struct source_counts counts_of_agent(const struct source_counts *now, uint64_t filtered)
{
	struct source_counts counts = *now;

	counts.ledger = (struct peat_ledger){ .sz = sizeof(counts.ledger),
					      .delivered = now->ledger.delivered,
					      .corrupt = now->ledger.corrupt,
					      .overwritten = now->ledger.overwritten,
					      .filtered = filtered };
	counts.lost = least(now->lost, now->ledger.corrupt);
	return counts;
}

/* Pipelines offer events before their reader publishes its counts. */
static void add_unpublished(struct state_source *source, uint64_t delivered, uint64_t handled)
{
	uint64_t more = above(handled, delivered);

	source->own.delivered += more;
	source->own.ledger.delivered += more;
	source->read += more;
	source->programs.ledger.in_ring -= least(more, source->programs.ledger.in_ring);
}

void state__split(struct state_source *source, const struct source_counts *ended,
		  const struct source_counts *now)
{
	const struct peat_ledger *ledger = &now->ledger;
	uint64_t filtered = source->pinned_ns ? ledger->read - ledger->delivered : 0;
	struct source_counts own = counts_of_agent(now, filtered);

	source->own = *ended;
	source_counts__add(&source->own, &own);
	source->programs = counts_of_programs(now, filtered);
	source->read = ledger->former + ledger->read + ledger->corrupt;
	if (now->has_ledger && now->has_events)
		add_unpublished(source, now->delivered, now->offered + now->handed_over);
}

/* ---- continuing ------------------------------------------------------------------------------ */

/* Events in the batch that the agent was filling are lost with it. */
static void end_batch(struct source_counts *counts)
{
	uint64_t lost = above(counts->delivered, counts->offered + counts->handed_over);

	if (!counts->has_ledger || !counts->has_events)
		return;
	counts->delivered -= lost;
	counts->ledger.delivered -= lost;
	counts->agent_died += lost;
}

void state__continue(const struct state_source *source, struct source_counts *counts)
{
	*counts = source->own;
	source_counts__add(counts, &source->programs);
	counts->agent_died += counts->ledger.in_ring;
	counts->ledger.in_ring = 0;
	end_batch(counts);
}

void state__continue_programs(const struct state_source *source, uint64_t former,
			      struct source_counts *counts)
{
	*counts = source->own;
	counts->agent_died += above(former, source->read);
	end_batch(counts);
}

void state__end_programs(const struct state_source *source, const struct peat_ledger *ledger,
			 struct source_counts *counts)
{
	struct source_counts last = { .has_ledger = true, .ledger = *ledger };

	last.lost = peat_ledger__lost(ledger);
	last = counts_of_programs(&last, 0);
	last.agent_died = above(ledger->former, source->read) + last.ledger.in_ring;
	last.ledger.in_ring = 0;
	*counts = source->own;
	source_counts__add(counts, &last);
	end_batch(counts);
}
