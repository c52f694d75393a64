/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_OPTIONS_FLIGHT_H
#define CLI_OPTIONS_FLIGHT_H

#include <argp.h>

#include "cli/options/options.h"

/* options_flight.h: options of peat record --flight; as in options.c, for its list of parsers. */
error_t options_flight__parse(struct options *options, int key, char *arg,
			      struct argp_state *state);

#endif /* CLI_OPTIONS_FLIGHT_H */
