/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/describe/ledger_note.h: the ledger of a recording: its last NOTE_LEDGER.  Pure. */
#ifndef PEAT_PERF_DATA_DESCRIBE_LEDGER_NOTE_H
#define PEAT_PERF_DATA_DESCRIBE_LEDGER_NOTE_H

#include "base/emit.h"
#include "perf_data/read/stream.h"

/* All zero: no ledger. */
struct ledger_note {
	char *lines;
	size_t count;
};

/* Copies the ledger if the record is a NOTE_LEDGER.  0 or -ENOMEM. */
int ledger_note__keep(struct ledger_note *ledger, const struct perf_entry *entry, bool swapped);

/* Emits the ledger as a member of the object that has begun, or nothing. */
void ledger_note__emit(const struct ledger_note *ledger, struct emit *emit);

void ledger_note__free(struct ledger_note *ledger);

#endif /* PEAT_PERF_DATA_DESCRIBE_LEDGER_NOTE_H */
