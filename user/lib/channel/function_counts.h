/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/function_counts.h: what programs of functions (functions.h) count beside their events. */
#ifndef PEAT_CHANNEL_FUNCTION_COUNTS_H
#define PEAT_CHANNEL_FUNCTION_COUNTS_H

#include <peat/ledger.h>

struct peat_channel;

/* Adds the counts of all CPUs: calls_full, no_call, absent_fields, no_return.  0 or a negative
 * errno. */
int function_counts__add(const struct peat_channel *channel, struct peat_ledger *ledger);

#endif /* PEAT_CHANNEL_FUNCTION_COUNTS_H */
