/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* feature_parts.h: the header features whose layout no table can say. For perf_features.c. */
#ifndef FEATURE_PARTS_H
#define FEATURE_PARTS_H

#include "perf_data/describe/table_decoder.h"

/* What the features of one file have to know of each other; perf_features.h tells how to use it. */
struct perf_features {
	bool swapped;		 /* written by a machine of the other byte order */
	uint32_t cpus_available; /* 0: NRCPUS did not come yet */
	const void *event_desc;	 /* the bytes of EVENT_DESC, or NULL */
	size_t event_desc_bytes;
};

/* Each tells one feature as members of the object that has begun; what is wrong is in the walk. */
void feature_events__desc(struct walk *walk, const struct perf_features *features);
void feature_events__groups(struct walk *walk, const struct perf_features *features);
void feature_topology__cpus(struct walk *walk, const struct perf_features *features);
void feature_topology__memory(struct walk *walk, const struct perf_features *features);
void feature_topology__domains(struct walk *walk, const struct perf_features *features);
void feature_bpf__programs(struct walk *walk, const struct perf_features *features);

#endif /* FEATURE_PARTS_H */
