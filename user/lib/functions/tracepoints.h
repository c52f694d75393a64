/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/tracepoints.h: finds tracepoints. */
#ifndef PEAT_FUNCTIONS_TRACEPOINTS_H
#define PEAT_FUNCTIONS_TRACEPOINTS_H

#include "functions/found_functions.h"

/*
 * Finds the tracepoints that match two globs: `module` is the category, `name` the name, `place`
 * 0.  `found` is zeroes.  0; -ENOENT: none, and found->alike has "CATEGORY:NAME"; or an error of
 * tracefs__open().
 */
int tracepoints__find(struct found_functions *found, const char *category, const char *name);

/* The same for the text of available_events.  Pure. */
int tracepoints__select(struct found_functions *found, const char *category, const char *name,
			const char *events);

#endif /* PEAT_FUNCTIONS_TRACEPOINTS_H */
