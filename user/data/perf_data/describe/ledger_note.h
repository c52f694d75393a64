/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/describe/ledger_note.h: the ledger of a recording: its last NOTE_LEDGER; and the sums
 * of several recordings, one after the other.  Pure.
 */
#ifndef PEAT_PERF_DATA_DESCRIBE_LEDGER_NOTE_H
#define PEAT_PERF_DATA_DESCRIBE_LEDGER_NOTE_H

#include "base/emit.h"
#include "perf_data/note.h"
#include "perf_data/read/stream.h"

/* Different counts that are summed up: a ledger has some twenty. */
#define LEDGER_NOTE_SUMS 256

struct ledger_sum {
	char name[NOTE_NAME_BYTES];
	uint64_t count;
};

/* All zero: no ledger. */
struct ledger_note {
	char *lines;
	size_t count;
	struct ledger_sum *sums; /* of the recordings before; NULL: none had a ledger */
	uint32_t sum_count;
};

/* Copies the ledger if the record is a NOTE_LEDGER.  0 or -ENOMEM. */
int ledger_note__keep(struct ledger_note *ledger, const struct perf_entry *entry, bool swapped);

/* Another recording follows, or none after others: adds the counts to the sums.  0 or -ENOMEM. */
int ledger_note__end_recording(struct ledger_note *ledger);

/* Emits the ledger, or the sums if there are any, as a member of the object that has begun, or
 * nothing. */
void ledger_note__emit(const struct ledger_note *ledger, struct emit *emit);

void ledger_note__free(struct ledger_note *ledger);

#endif /* PEAT_PERF_DATA_DESCRIBE_LEDGER_NOTE_H */
