/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * reader/selection.h: the events that a reader does not return: they do not match, are of other
 * processes, or are counted in a table.
 */
#ifndef PEAT_READER_SELECTION_H
#define PEAT_READER_SELECTION_H

#include "event/source.h"

/*
 * Whether reader->event ends here.  -ENOMEM: it could not be counted, and is held: call this again
 * for the same event.
 */
int selection__ends(struct peat_reader *reader);

/* Returns events of these processes only.  The bytes have to live as long as the reader. */
void selection__choose_pids(struct peat_reader *reader, const struct selected_pids *pids);

/* Adds the reader's counts to those of its source, in which such events were delivered. */
void selection__adjust_ledger(const struct selection_counts *counts, uint32_t cpus, uint32_t cpu,
			      struct peat_ledger *ledger);
void selection__adjust_stats(struct peat_reader_stats *stats);

#endif /* PEAT_READER_SELECTION_H */
