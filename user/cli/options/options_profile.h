/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_profile.h: options of peat profile. */
#ifndef CLI_OPTIONS_PROFILE_H
#define CLI_OPTIONS_PROFILE_H

#include <argp.h>

#include "cli/options/options.h"

/* As a parser of argp.  Options of others: ARGP_ERR_UNKNOWN. */
error_t options_profile__parse(struct options *options, int key, char *arg,
			       struct argp_state *state);

#endif /* CLI_OPTIONS_PROFILE_H */
