// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_symbols.c: the names of addresses. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"

const struct option_row options_symbols__rows[] = {
	{ { "no-symbols", 0, NULL, 0, "print addresses without the names of functions", 7 },
	  TRACE | REPLAY | VERB_CONVERT | VERB_PROFILE,
	  INTO(symbols.none) },
	{ { "no-demangle", 0, NULL, 0,
	    "print names of C++ and Rust functions as in the symbol table", 7 },
	  TRACE | REPLAY | VERB_CONVERT | VERB_PROFILE,
	  INTO(symbols.no_demangle) },
	{ { "lines", 0, NULL, 0,
	    "also print source file and line, and inlined functions, from debug information", 7 },
	  TRACE | REPLAY | VERB_CONVERT | VERB_PROFILE,
	  INTO(symbols.lines) },
	{ { "debuginfod", 0, NULL, 0,
	    "download debug information that is missing from the servers of DEBUGINFOD_URLS", 7 },
	  TRACE | REPLAY | VERB_CONVERT | VERB_PROFILE,
	  INTO(symbols.debuginfod) },
	{ { "symbol-memory", 0, "SIZE", 0, "keep symbols of files in this much memory (256M)", 7 },
	  TRACE | REPLAY | VERB_CONVERT | VERB_PROFILE,
	  BY(option_take__memory, symbols.memory_bytes) },
	LAST_ROW,
};

void options_symbols__check(struct options *options, struct argp_state *state)
{
	const struct symbol_options *symbols = &options->symbols;

	if (symbols->none && (symbols->no_demangle || symbols->lines || symbols->debuginfod ||
			      symbols->memory_bytes))
		argp_error(state, "--no-symbols cannot be used with --no-demangle, --lines, "
				  "--debuginfod and --symbol-memory: it prints addresses without "
				  "names");
}
