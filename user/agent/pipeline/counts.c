// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/counts.c: adds the counts of sources. */
#include "pipeline/pipeline.h"

/* The numbers of both structs have the same order; `sz` and has_ledger are left alone. */
static void add_ledger(struct peat_ledger *sum, const struct peat_ledger *more)
{
	uint64_t *to = &sum->emitted;
	const uint64_t *from = &more->emitted;

	for (size_t i = 0; i < (sizeof(*sum) - offsetof(struct peat_ledger, emitted)) / 8; i++)
		to[i] += from[i];
}

void source_counts__add(struct source_counts *sum, const struct source_counts *more)
{
	sum->has_ledger = sum->has_ledger || more->has_ledger;
	sum->has_events = sum->has_events || more->has_events;
	add_ledger(&sum->ledger, &more->ledger);
	sum->delivered += more->delivered;
	sum->lost += more->lost;
	sum->skipped += more->skipped;
	sum->handed_over += more->handed_over;
	sum->offered += more->offered;
	sum->triggers += more->triggers;
	sum->agent_died += more->agent_died;
}
