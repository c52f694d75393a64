// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_symbols.c: options of the names of addresses. */
#include "cli/options/option_keys.h"
#include "cli/options/options_symbols.h"
#include "cli/options/parse_value.h"

static void check_end(const struct options *options, struct argp_state *state)
{
	if (options->no_symbols && (options->no_demangle || options->lines || options->debuginfod ||
				    options->symbol_bytes))
		argp_error(state, "--no-symbols cannot be used with --no-demangle, --lines, "
				  "--debuginfod and --symbol-memory: it prints addresses without "
				  "names");
}

error_t options_symbols__parse(struct options *options, int key, char *arg,
			       struct argp_state *state)
{
	switch (key) {
	case OPT_NO_SYMBOLS:
		options->no_symbols = true;
		return 0;
	case OPT_NO_DEMANGLE:
		options->no_demangle = true;
		return 0;
	case OPT_LINES:
		options->lines = true;
		return 0;
	case OPT_DEBUGINFOD:
		options->debuginfod = true;
		return 0;
	case OPT_SYMBOL_MEMORY:
		options->symbol_bytes = parse_value__memory(arg, state);
		return 0;
	case ARGP_KEY_END:
		check_end(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}
