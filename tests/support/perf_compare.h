/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_compare.h: what peat replay tells of a recording, checked against perf script -D. */
#ifndef PERF_COMPARE_H
#define PERF_COMPARE_H

#include <stddef.h>

#include "json_lines.h"

/*
 * All that `peat replay -j FILE @all` printed: the same records of the kernel's as perf shows, in
 * the same order, each with the same values.  Each sample has to have the `members`, and there has
 * to be a record of each of the `types` ("COMM EXIT").  How many samples there are.
 */
size_t perf_compare__all(const struct json_lines *events, const char *path, const char *members,
			 const char *types);

#endif /* PERF_COMPARE_H */
