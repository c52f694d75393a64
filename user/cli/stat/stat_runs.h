/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_STAT_RUNS_H
#define CLI_STAT_STAT_RUNS_H

#include "cli/stat/spread.h"
#include "cli/stat/stat_print.h"

/* stat_runs.h: the rows of several runs (-r), as means with their deviations. */

/* All zero: no runs. */
struct stat_runs {
	struct run_row *at;
	size_t count;
	struct spread elapsed_ns, user_s, sys_s;
};

/* Adds the rows of a run, which are copied.  0 or -ENOMEM. */
int stat_runs__add(struct stat_runs *runs, const struct stat_rows *rows,
		   const struct stat_times *times);

/*
 * Sets the rows and the times to the means.  An event's are those of the runs in which it was
 * counted.  Names are valid as long as the runs.  stat_rows__free() frees the rows.  0 or -ENOMEM.
 */
int stat_runs__means(const struct stat_runs *runs, struct stat_rows *rows,
		     struct stat_times *times);

void stat_runs__free(struct stat_runs *runs);

#endif /* CLI_STAT_STAT_RUNS_H */
