// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spool/ends.c: counts how events left the spool, also those of former processes. */
#include <string.h>

#include "spool/parts.h"

/* ---- the file's counts ----------------------------------------------------------------------- */

static const struct settled_source *find_former(const struct spool *spool, const char *name)
{
	for (uint32_t i = 0; i < spool->former.source_count; i++)
		if (!strcmp(spool->former.sources[i].name, name))
			return &spool->former.sources[i];
	return NULL;
}

static struct flow_ends subtract(struct flow_ends one, struct flow_ends other)
{
	return (struct flow_ends){ .acknowledged = one.acknowledged - other.acknowledged,
				   .refused = one.refused - other.refused,
				   .dropped = one.dropped - other.dropped };
}

/*
 * Events that left the spool after a former agent wrote its state: that has them elsewhere.  If the
 * agent was killed between its count and the file, the difference is below 0: they are sent again.
 */
static void add_late(struct flow *flow, struct flow_ends late, uint64_t in_memory)
{
	const uint64_t all = late.acknowledged + late.refused + late.dropped + in_memory;

	atomic_fetch_add(&flow->offered, all);
	atomic_fetch_add(&flow->former.offered, all);
	atomic_fetch_add(&flow->former.acknowledged, late.acknowledged);
	atomic_fetch_add(&flow->former.refused, late.refused);
	atomic_fetch_add(&flow->former.dropped, late.dropped);
	atomic_fetch_add(&flow->acknowledged, late.acknowledged);
	atomic_fetch_add(&flow->refused, late.refused);
	atomic_fetch_add(&flow->dropped, late.dropped);
	atomic_fetch_add(&flow->agent_died, in_memory);
}

static void set_before(struct flow *flow, struct flow_ends before, uint64_t id)
{
	atomic_store(&flow->spool_before.acknowledged, before.acknowledged);
	atomic_store(&flow->spool_before.refused, before.refused);
	atomic_store(&flow->spool_before.dropped, before.dropped);
	atomic_store(&flow->spool_id, id);
}

void ends__continue(const struct spool *spool, const struct spool_source *source)
{
	const struct settled_source *former = find_former(spool, source->name);
	const struct flow_ends ends = former ? former->ends : (struct flow_ends){ 0 };
	struct flow *flow = source->flow;

	set_before(flow, subtract(ends, flow__read_ends(&flow->spool)), spool->id);
	if (flow->saved_id == spool->id)
		add_late(flow, subtract(ends, flow->saved), former ? former->in_memory : 0);
	flow->saved_id = 0;
}

/* ---- counts for the file --------------------------------------------------------------------- */

static uint64_t count_in_memory(const struct spool *spool, const struct flow *flow)
{
	uint64_t count = 0;

	for (const struct loaded *piece = spool->first;
	     piece && piece->place.segment < spool->kept_from; piece = piece->next)
		if (piece->state != LOADED_SETTLED && piece->flow == flow)
			count += piece->size;
	return count;
}

static struct settled_source *add_source(struct settled *settled, const char *name)
{
	struct settled_source *added = &settled->sources[settled->source_count];

	if (settled->source_count == SETTLED_SOURCES_MAX || strlen(name) >= SETTLED_NAME)
		return NULL;
	*added = (struct settled_source){ .in_memory = 0 };
	strcpy(added->name, name);
	settled->source_count++;
	return added;
}

static bool has_source(const struct spool *spool, const char *name)
{
	for (size_t i = 0; i < spool->source_count; i++)
		if (!strcmp(spool->sources[i].name, name))
			return true;
	return false;
}

/* The sources of this process first: those of former ones may have no room. */
void ends__fill(const struct spool *spool, struct settled *settled)
{
	for (size_t i = 0; i < spool->source_count; i++) {
		const struct flow *flow = spool->sources[i].flow;
		struct settled_source *added = add_source(settled, spool->sources[i].name);

		if (!added)
			continue;
		added->ends = flow__add_ends(flow__read_ends(&flow->spool_before),
					     flow__read_ends(&flow->spool));
		added->in_memory = count_in_memory(spool, flow);
	}
	for (uint32_t i = 0; i < spool->former.source_count; i++) {
		const struct settled_source *former = &spool->former.sources[i];
		struct settled_source *added =
			has_source(spool, former->name) ? NULL : add_source(settled, former->name);

		if (added)
			*added = *former;
	}
}
