/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ledger/causes.h: the causes of losses in a ledger, by name. */
#ifndef PEAT_LEDGER_CAUSES_H
#define PEAT_LEDGER_CAUSES_H

#include "pipeline/pipeline.h"

struct cause {
	const char *name;
	uint64_t events;
};

#define CAUSES		 9
#define CAUSE_AGENT_DIED (CAUSES - 1) /* at most: some may have arrived, or were rejected */

/* Stores all causes.  Events that a flight recorder overwrites are not lost. */
static inline void causes__read(const struct source_counts *counts, struct cause causes[CAUSES])
{
	const struct peat_ledger *ledger = &counts->ledger;
	const struct cause all[CAUSES] = {
		{ "ring_full", ledger->lost_ring_full },
		{ "nested", ledger->lost_nested },
		{ "no_ring", ledger->lost_no_ring },
		{ "too_big", ledger->lost_too_big },
		{ "throttled", ledger->lost_throttled },
		{ "abandoned", ledger->lost_abandoned },
		{ "other", ledger->lost_other },
		{ "corrupt", ledger->corrupt },
		[CAUSE_AGENT_DIED] = { "agent_died", counts->agent_died },
	};

	for (int i = 0; i < CAUSES; i++)
		causes[i] = all[i];
}

#endif /* PEAT_LEDGER_CAUSES_H */
