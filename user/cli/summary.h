/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <peat/peat.h>

/* summary.h: the summary on stderr at the begin and the end of a run. */

/* Events that were late, and corrupt records. */
void summary__print_stats(const struct peat_reader_stats *stats);

/* The ledger, each kind of loss with its remedy. */
void summary__print_ledger(const struct peat_reader *reader);

/* For each program: runs, time per run, and runs that the kernel skipped. */
void summary__print_programs(const struct peat_session *session);

/* The inferred type of the events of each perf event array, and the reason. */
void summary__print_arrays(struct peat_session *session);

#endif /* CLI_SUMMARY_H */
