/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* points.h: points made by hand. */
#ifndef TESTS_UNIT_PROMETHEUS_POINTS_H
#define TESTS_UNIT_PROMETHEUS_POINTS_H

#include <math.h>

#include <peat/batch.h>

#define POINT(kind_, name_, ...)                                                                   \
	{                                                                                          \
		.sz = sizeof(struct peat_point), .kind = (kind_), .name = (name_), ##__VA_ARGS__   \
	}

#define LABELS(...)                                                                                \
	.labels = (struct peat_label[]){ __VA_ARGS__ },                                            \
	.label_count = sizeof((struct peat_label[]){ __VA_ARGS__ }) / sizeof(struct peat_label)

#define BUCKETS(...)                                                                               \
	.buckets = (struct peat_bucket[]){ __VA_ARGS__ },                                          \
	.bucket_count = sizeof((struct peat_bucket[]){ __VA_ARGS__ }) / sizeof(struct peat_bucket)

#endif /* TESTS_UNIT_PROMETHEUS_POINTS_H */
