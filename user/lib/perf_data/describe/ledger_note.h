/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ledger_told.h: the ledger in a recording: the last note that is one.  Pure. */
#ifndef LEDGER_TOLD_H
#define LEDGER_TOLD_H

#include "base/emit.h"
#include "perf_data/read/stream.h"

/* Zeroes: there is none. */
struct ledger_told {
	char *lines;
	size_t count;
};

/* Keeps what it says if the record is such a note.  0 or -ENOMEM. */
int ledger_told__take(struct ledger_told *told, const struct perf_entry *entry, bool swapped);

/* Tells it, as an object of its own amid the members of another, or nothing. */
void ledger_told__tell(const struct ledger_told *told, struct emit *emit);

void ledger_told__free(struct ledger_told *told);

#endif /* LEDGER_TOLD_H */
