/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_FLIGHT_H
#define CLI_FLIGHT_H

#include "cli/options/options.h"

/*
 * flight.h: peat record --flight: keeps the last events, and records them when a trigger asks for
 * it.  `args`: the command line, for the recordings.  Returns the exit status.
 */
int flight__run(struct options *options, const char *const *args, char **command);

#endif /* CLI_FLIGHT_H */
