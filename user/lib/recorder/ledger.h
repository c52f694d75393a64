/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ledger_note.h: the ledger as a recording ends with it; ledger_told.c reads it again. */
#ifndef LEDGER_NOTE_H
#define LEDGER_NOTE_H

#include <peat/sink.h>

#include "base/strbuf.h"

/* Appends the reader's ledger, if it has one, and what the sink lost, as NOTE_LEDGER has them. */
void ledger_note__append(const struct peat_reader *reader, const struct peat_perf_stats *stats,
			 struct out *text);

/* How many events the reader lost so far, whether it told of them or not; 0: nobody knows. */
uint64_t ledger_note__lost(const struct peat_reader *reader);

#endif /* LEDGER_NOTE_H */
