/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_CHANNEL_LEDGER_H
#define PEAT_CHANNEL_LEDGER_H

#include <peat/ledger.h>

#include "channel/stage.h"

/*
 * Adds the counts of one slot, or of all slots of one CPU; in_ring and the reader's own counts do
 * not change.  `mark_reported`: also marks these losses as reported, for the next reader.
 */
void ledger__add_slot(struct peat_ledger *ledger, const struct peat_slot *slot);
void ledger__add_cpu(struct peat_ledger *ledger, struct stage *stage, uint32_t cpu,
		     bool mark_reported);

/* Of the events that ended in programs, as slots count them, `counted` were counted in a table. */
void ledger__add_counted(struct peat_ledger *ledger, uint64_t counted);

/* Adds or subtracts every count of `other`. */
void ledger__add(struct peat_ledger *ledger, const struct peat_ledger *other);
void ledger__subtract(struct peat_ledger *ledger, const struct peat_ledger *other);

/* Sets in_ring to the remainder of `emitted` after all other counts. */
void ledger__close(struct peat_ledger *ledger);

#endif /* PEAT_CHANNEL_LEDGER_H */
