// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_symbols.c: options of the names of addresses. */
#include "cli/options/option_keys.h"
#include "cli/options/options_symbols.h"
#include "cli/options/parse_value.h"

static void check_end(const struct options *options, struct argp_state *state)
{
	if (options->symbols.none && (options->symbols.no_demangle || options->symbols.lines ||
				      options->symbols.debuginfod || options->symbols.memory_bytes))
		argp_error(state, "--no-symbols cannot be used with --no-demangle, --lines, "
				  "--debuginfod and --symbol-memory: it prints addresses without "
				  "names");
}

error_t options_symbols__parse(struct options *options, int key, char *arg,
			       struct argp_state *state)
{
	switch (key) {
	case OPT_NO_SYMBOLS:
		options->symbols.none = true;
		return 0;
	case OPT_NO_DEMANGLE:
		options->symbols.no_demangle = true;
		return 0;
	case OPT_LINES:
		options->symbols.lines = true;
		return 0;
	case OPT_DEBUGINFOD:
		options->symbols.debuginfod = true;
		return 0;
	case OPT_SYMBOL_MEMORY:
		options->symbols.memory_bytes = parse_value__memory(arg, state);
		return 0;
	case ARGP_KEY_END:
		check_end(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}
