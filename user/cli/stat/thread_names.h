/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_THREAD_NAMES_H
#define CLI_STAT_THREAD_NAMES_H

#include "cli/stat/stat_rows.h"

/* thread_names.h: the names of threads that are counted, also of those that have ended. */

/* All zero: no names. */
struct thread_names {
	struct thread_name *at;
	size_t count, next; /* next: where the next search begins */
};

/*
 * Sets `comm` of the rows of threads: the names that they have now, or had at an earlier call; "?"
 * if they have ended before the first.  The names are valid until the next call.  0 or -ENOMEM.
 */
int thread_names__set(struct thread_names *names, struct stat_rows *rows);

void thread_names__free(struct thread_names *names);

#endif /* CLI_STAT_THREAD_NAMES_H */
