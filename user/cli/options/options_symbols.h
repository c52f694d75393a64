/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_OPTIONS_SYMBOLS_H
#define CLI_OPTIONS_SYMBOLS_H

#include <argp.h>

#include "cli/options/options.h"

/*
 * Parses --no-symbols, --no-demangle, --lines, --debuginfod and --symbol-memory.  As an
 * argp_parser_t.
 */
error_t options_symbols__parse(struct options *options, int key, char *arg,
			       struct argp_state *state);

#endif /* CLI_OPTIONS_SYMBOLS_H */
