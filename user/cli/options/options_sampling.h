/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_sampling.h: options of perf events that are sampled: -g, -F and -c. */
#ifndef CLI_OPTIONS_SAMPLING_H
#define CLI_OPTIONS_SAMPLING_H

#include <argp.h>

#include "cli/options/options.h"

/* As a parser of argp.  Options of others: ARGP_ERR_UNKNOWN. */
error_t options_sampling__parse(struct options *options, int key, char *arg,
				struct argp_state *state);

#endif /* CLI_OPTIONS_SAMPLING_H */
