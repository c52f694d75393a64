/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_flight.h: peat record --flight. */
#ifndef CLI_OPTIONS_FLIGHT_H
#define CLI_OPTIONS_FLIGHT_H

#include "cli/options/option_row.h"

struct flight_options {
	uint64_t bytes;		   /* of each CPU; 0: no flight recorder */
	uint64_t last_ns;	   /* of a dump; 0: all */
	uint64_t max_dumps;	   /* UINT64_MAX: of --on and --on-lost, a default */
	uint64_t interval_ms;	   /* of --on and --on-lost; UINT64_MAX: not given */
	const char *on, *on_where; /* source of triggers; NULL: none, all its events */
	struct {
		bool is_given;	  /* `on` is EVENT>N, a perf event that is counted */
		size_t name_size; /* bytes of EVENT */
		uint64_t over;	  /* N */
	} on_count;
	bool on_lost;
	uint32_t dump_pid; /* of the flight recorder to dump; 0: none */
};

extern const struct option_row options_flight__rows[];

void options_flight__check(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_FLIGHT_H */
