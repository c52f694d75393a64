/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_limits.h: limits of time, number, latency and memory. */
#ifndef CLI_OPTIONS_LIMITS_H
#define CLI_OPTIONS_LIMITS_H

#include "cli/options/option_row.h"

struct limit_options {
	uint64_t run_ms; /* UINT64_MAX: unlimited */
	uint64_t count;	 /* UINT64_MAX: unlimited */
	uint32_t latency_ms;
	uint64_t memory_bytes;
};

extern const struct option_row options_limits__rows[];

#endif /* CLI_OPTIONS_LIMITS_H */
