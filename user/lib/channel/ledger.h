/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef BALANCE_H
#define BALANCE_H

#include <peat/ledger.h>

#include "channel/stage.h"

/*
 * Adds what a slot has counted, or all of one CPU; in_ring and the reader's own numbers stay as
 * they are.  `tell`: and notes that these losses were told of, for the next reader.
 */
void balance__add_slot(struct peat_ledger *ledger, const struct peat_slot *slot);
void balance__add_cpu(struct peat_ledger *ledger, struct stage *stage, uint32_t cpu, bool tell);

/* Adds or takes away every number of `other`. */
void balance__add(struct peat_ledger *ledger, const struct peat_ledger *other);
void balance__subtract(struct peat_ledger *ledger, const struct peat_ledger *other);

/* Makes in_ring what the other numbers leave of emitted. */
void balance__close(struct peat_ledger *ledger);

#endif /* BALANCE_H */
