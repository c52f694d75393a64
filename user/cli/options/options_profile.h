/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_profile.h: peat profile. */
#ifndef CLI_OPTIONS_PROFILE_H
#define CLI_OPTIONS_PROFILE_H

#include "cli/options/option_words.h"

/* Formats that peat profile writes. */
enum profile_format {
	PROFILE_TEXT,
	PROFILE_FOLDED,
	PROFILE_FLAMEGRAPH,
	PROFILE_PPROF,
	PROFILE_JSON
};

struct profile_options {
	const char *event, *freq, *min; /* of the probe; NULL: its defaults */
	enum profile_format format;
	bool offcpu;
};

/* As a parser of argp.  Other options: ARGP_ERR_UNKNOWN. */
error_t options_profile__parse(struct options *options, int key, char *arg,
			       struct argp_state *state);

#endif /* CLI_OPTIONS_PROFILE_H */
