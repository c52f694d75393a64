/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_profile.h: peat profile. */
#ifndef CLI_OPTIONS_PROFILE_H
#define CLI_OPTIONS_PROFILE_H

#include <peat/stacks.h>

#include "cli/options/option_row.h"

/* Formats that peat profile writes. */
enum profile_format { PROFILE_TEXT, PROFILE_JSON, PROFILE_STACKS };

struct profile_options {
	const char *event, *freq, *min; /* of the probe; NULL: its defaults */
	enum profile_format format;
	enum peat_stacks_format stacks; /* if PROFILE_STACKS */
	bool offcpu;
};

extern const struct option_row options_profile__rows[];

void options_profile__check(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_PROFILE_H */
