/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_stacks.h: the stacks of live events: --stacks and --stack-depth. */
#ifndef CLI_OPTIONS_STACKS_H
#define CLI_OPTIONS_STACKS_H

#include "cli/options/option_words.h"

struct stack_options {
	uint32_t kinds;		/* PEAT_STACK_*; 0: the default */
	uint32_t depth, memory; /* 0: not set */
};

/* As a parser of argp.  Other options: ARGP_ERR_UNKNOWN. */
error_t options_stacks__parse(struct options *options, int key, char *arg,
			      struct argp_state *state);

#endif /* CLI_OPTIONS_STACKS_H */
