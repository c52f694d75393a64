/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_symbols.h: the names of addresses. */
#ifndef CLI_OPTIONS_SYMBOLS_H
#define CLI_OPTIONS_SYMBOLS_H

#include "cli/options/option_words.h"

struct symbol_options {
	bool none, no_demangle, lines, debuginfod;
	uint64_t memory_bytes; /* 0: the default */
};

/* As a parser of argp.  Other options: ARGP_ERR_UNKNOWN. */
error_t options_symbols__parse(struct options *options, int key, char *arg,
			       struct argp_state *state);

#endif /* CLI_OPTIONS_SYMBOLS_H */
