/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef SAMPLED_H
#define SAMPLED_H

#include <peat/peat.h>

#include "cli/options/options.h"

/* sampled.h: perf events that the kernel samples, of -e.  Functions return 0 or an exit status. */

/* Checks that the other options apply to them; also without -e. */
int sampled__check_options(const struct options *options);

/*
 * Adds the events to the session.  `command`: the process of COMMAND, which is sampled with its
 * descendants; 0: the tasks of the options.
 */
int sampled__add(struct peat_session *session, const struct options *options, uint32_t command);

#endif /* SAMPLED_H */
