/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_bench.h: peat bench. */
#ifndef CLI_OPTIONS_BENCH_H
#define CLI_OPTIONS_BENCH_H

#include "cli/options/option_row.h"

struct bench_options {
	const char *transport; /* NULL: all */
	bool quick;
};

extern const struct option_row options_bench__rows[];

#endif /* CLI_OPTIONS_BENCH_H */
