/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_sample.h: compares a sample printed by peat with the same one printed by perf. */
#ifndef TESTS_SUPPORT_PERF_PERF_SAMPLE_H
#define TESTS_SUPPORT_PERF_PERF_SAMPLE_H

#include "perf_dump.h"

/* `event`: the line of peat replay -j.  perf script has to print the fields event and trace. */
void perf_sample__check(const struct dumped *sample, const char *event);

#endif /* TESTS_SUPPORT_PERF_PERF_SAMPLE_H */
