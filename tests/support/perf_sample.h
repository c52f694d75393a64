/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_sample.h: a sample that peat told, checked against what perf tells of it. */
#ifndef PERF_SAMPLE_H
#define PERF_SAMPLE_H

#include "perf_dump.h"

/* `event` is what peat replay -j printed; perf script printed event and trace. */
void perf_sample__check(const struct dumped *sample, const char *event);

#endif /* PERF_SAMPLE_H */
