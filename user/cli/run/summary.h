/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <peat/peat.h>

/* summary.h: the summary on stderr at the begin and the end of a run. */

/* Events that were late, and corrupt records. */
void summary__print_stats(const struct peat_reader_stats *stats);

/*
 * For the end of a line with the losses: ", 12 runs skipped"; "" if the kernel skipped no run of a
 * program.  Valid until the next call.
 */
const char *summary__skipped(const struct peat_reader_stats *stats);

/* Whether events were lost, or runs of programs skipped. */
bool summary__has_losses(const struct peat_reader_stats *stats);

/* The ledger, each kind of loss with its remedy, and the skipped runs. */
void summary__print_ledger(const struct peat_reader *reader, const struct peat_reader_stats *stats);

/* For each program: runs, time per run, and runs that the kernel skipped. */
void summary__print_programs(const struct peat_session *session);

/* The inferred type of the events of each perf event array, and the reason. */
void summary__print_arrays(struct peat_session *session);

#endif /* CLI_SUMMARY_H */
