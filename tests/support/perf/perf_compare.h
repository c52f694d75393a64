/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_compare.h: compares peat replay -j with perf script -D. */
#ifndef TESTS_SUPPORT_PERF_PERF_COMPARE_H
#define TESTS_SUPPORT_PERF_PERF_COMPARE_H

#include <stddef.h>

#include "support/recording/json_lines.h"

/*
 * Checks that `peat replay -j FILE @all` printed the same kernel records as perf, in the same order
 * and with the same values.  Each sample has to have the `members`, and there has to be a record of
 * each of the `types` ("COMM EXIT").  Returns the number of samples.
 */
size_t perf_compare__all(const struct json_lines *events, const char *path, const char *members,
			 const char *types);

#endif /* TESTS_SUPPORT_PERF_PERF_COMPARE_H */
