/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recorder/ledger.h: the ledger at the end of a recording; perf_data/describe/ledger_note.c reads
 * it. */
#ifndef PEAT_RECORDER_LEDGER_H
#define PEAT_RECORDER_LEDGER_H

#include <peat/sink.h>

#include "base/strbuf.h"

/* Appends the reader's ledger, if it has one, and the sink's counts, in the form of NOTE_LEDGER. */
void recorder_ledger__append(const struct peat_reader *reader, const struct peat_perf_stats *stats,
			     struct strbuf *text);

/* All events that the reader lost so far, reported as events or not.  0: not known exactly. */
uint64_t recorder_ledger__lost(const struct peat_reader *reader);

#endif /* PEAT_RECORDER_LEDGER_H */
