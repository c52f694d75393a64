/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_stacks.h: the stacks of live events: --stacks and --stack-depth. */
#ifndef CLI_OPTIONS_STACKS_H
#define CLI_OPTIONS_STACKS_H

#include "cli/options/option_row.h"

struct stack_options {
	uint32_t kinds;		/* PEAT_STACK_*; 0: the default */
	uint32_t depth, memory; /* 0: not set */
};

extern const struct option_row options_stacks__rows[];

void options_stacks__check(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_STACKS_H */
