/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* compare_stacks.h: compares stacks of a recording, named by perf script and by the library. */
#ifndef TESTS_SUPPORT_SYMBOLS_COMPARE_STACKS_H
#define TESTS_SUPPORT_SYMBOLS_COMPARE_STACKS_H

#include "support/perf/perf_stacks.h"
#include "named_stacks.h"

#define COMPARISON_REASONS 8
#define COMPARISON_EXAMPLE 400

/* Differences of one kind. */
struct comparison_reason {
	const char *text;
	uint64_t count;
	char example[COMPARISON_EXAMPLE]; /* the first one */
};

struct comparison {
	uint64_t stacks; /* of perf script */
	uint64_t named;	 /* frames with a name by perf, up to where the stacks differ */
	uint64_t same;	 /* frames of those with the same name */
	/* Unwinding: stacks that differ in an address, and frames from there on. */
	uint64_t diverged, perf_only, peat_only;
	struct comparison_reason reasons[COMPARISON_REASONS];
};

/* Adds differences to `comparison`.  `perfs` is the output of PERF_STACKS, which is cut up. */
void compare_stacks(struct comparison *comparison, char *perfs, const struct named_stacks *ours);

/* Prints a line of counts, and a line for each reason. */
void compare_stacks__print(const struct comparison *comparison, const char *name);

#endif /* TESTS_SUPPORT_SYMBOLS_COMPARE_STACKS_H */
