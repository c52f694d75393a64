/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_sources.h: the arguments, and other sources of events. */
#ifndef CLI_OPTIONS_SOURCES_H
#define CLI_OPTIONS_SOURCES_H

#include "cli/options/option_row.h"

#define OPTIONS_MAPS 32

struct source_options {
	const char *names[OPTIONS_NAMES + 1]; /* the arguments; NULL after the last */
	size_t name_count;
	bool is_default;		/* names[0] is perf.data, since names[1] is no file */
	const char *if_none;		/* error if there are none; NULL: they are optional */
	const char *maps[OPTIONS_MAPS]; /* --map */
	size_t map_count;
	struct option_words events; /* perf events, each a list */
	uint64_t max_functions;	    /* 0: the default */
	bool steal;
	const char *pin; /* directory; NULL: do not pin */
};

extern const struct option_row options_sources__rows[];

/* The arguments are complete. */
void options_sources__check(struct options *options, struct argp_state *state);

void options_sources__add(struct source_options *sources, const char *name,
			  struct argp_state *state);

/* There are no arguments. */
void options_sources__add_none(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_SOURCES_H */
