/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/describe/feature_parts.h: header features that need more than a table, for features.c.
 */
#ifndef PEAT_PERF_DATA_DESCRIBE_FEATURE_PARTS_H
#define PEAT_PERF_DATA_DESCRIBE_FEATURE_PARTS_H

#include "perf_data/features.h"
#include "perf_data/describe/table_decoder.h"

/* Each emits a feature as members of the object that has begun; damage is in dec->why. */
void feature_events__desc(struct table_decoder *dec, const struct perf_features *features);
void feature_events__groups(struct table_decoder *dec, const struct perf_features *features);

#endif /* PEAT_PERF_DATA_DESCRIBE_FEATURE_PARTS_H */
