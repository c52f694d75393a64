// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_bench.c: peat bench. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"

const struct option_row options_bench__rows[] = {
	{ { "transport", 0, "TEXT", 0,
	    "measure only the transport with this name and setting, or all whose name contains "
	    "TEXT: "
	    "'peat time, ids'",
	    1 },
	  VERB_BENCH,
	  INTO(bench.transport) },
	{ { "quick", 0, NULL, 0,
	    "measure for a few milliseconds only, to check that everything works", 7 },
	  VERB_BENCH,
	  INTO(bench.quick) },
	LAST_ROW,
};
