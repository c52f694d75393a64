/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_start.h: what a recording of live events begins with, and what it ends with. */
#ifndef PERF_START_H
#define PERF_START_H

#include <peat/sink.h>

#include "perf_formats.h"

/* The machine, the command line, and the BTF that types come from.  0 or a negative errno. */
int perf_start__features(struct perf_writer *writer, const struct peat_reader *reader,
			 const char *const *args);

/*
 * Appends records of whose ids are whose, of the tasks that run already, with their names, and of
 * where the kernel's code is, for symbols.  0 or a negative errno.
 */
int perf_start__records(struct out *out, const struct perf_formats *formats);

/* Appends the reader's ledger, if it has one, and what the sink lost, as NOTE_LEDGER has them. */
void perf_start__ledger(const struct peat_reader *reader, const struct peat_perf_stats *stats,
			struct out *text);

/* How many events the reader lost so far, whether it told of them or not; 0: nobody knows. */
uint64_t perf_start__lost(const struct peat_reader *reader);

#endif /* PERF_START_H */
