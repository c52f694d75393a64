/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/features.h: the header features of a perf.data. */
#ifndef PEAT_PERF_DATA_FEATURES_H
#define PEAT_PERF_DATA_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* HEADER_* of the kernel's tools/perf/util/header.h. */
enum feature {
	FEATURE_TRACING_DATA = 1, /* parsed by tracing_data/tracing_data.h */
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5, /* of the recording program */
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_MEM_TOPOLOGY = 22,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_BPF_PROG_INFO = 25,
	FEATURE_BPF_BTF = 26,
	FEATURE_COMPRESSED = 27,
	FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_PMU_CAPS = 31,
	FEATURE_CPU_DOMAIN_INFO = 32,
	FEATURE_E_MACHINE = 33,
	FEATURE_CLN_SIZE = 34,
};

/* State of a file that features share.  All zero at first. */
struct perf_features {
	bool swapped;		/* written by a machine of the other byte order */
	const void *event_desc; /* the bytes of EVENT_DESC, or NULL */
	size_t event_desc_bytes;
	uint32_t recording; /* of several that follow each other, from 1; 0: unknown */
};

#endif /* PEAT_PERF_DATA_FEATURES_H */
