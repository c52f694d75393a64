/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_sampling.h: perf events that are sampled. */
#ifndef CLI_OPTIONS_SAMPLING_H
#define CLI_OPTIONS_SAMPLING_H

#include "cli/options/option_row.h"

struct sampling_options {
	bool all_tasks, call_graph;
	uint64_t period;    /* of samples; 0: not set */
	uint32_t frequency; /* likewise; UINT32_MAX: as high as the kernel allows */
	uint32_t sample;    /* PEAT_SAMPLE_* */
};

extern const struct option_row options_sampling__rows[];

void options_sampling__check(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_SAMPLING_H */
