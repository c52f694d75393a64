/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_symbols.h: the names of addresses. */
#ifndef CLI_OPTIONS_SYMBOLS_H
#define CLI_OPTIONS_SYMBOLS_H

#include "cli/options/option_row.h"

struct symbol_options {
	bool none, no_demangle, lines, debuginfod;
	uint64_t memory_bytes; /* 0: the default */
};

extern const struct option_row options_symbols__rows[];

void options_symbols__check(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_SYMBOLS_H */
