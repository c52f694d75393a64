/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_features.h: what the header of a perf.data says of the machine, the command and the events.
 *
 * A file has a section for each feature; a pipe has a record FEATURE for each, with the same bytes
 * behind its id. Go through them in ascending order, as both have them:
 *
 *	struct perf_features features = { .swapped = file_is_foreign };
 *	struct emit emit = emit__lines(&out); // or emit__json(), emit__pairs()
 *	const char *why;
 *
 *	for each feature id, and bytes and count of its section:
 *		if (perf_features__walk(&features, id, bytes, count, &emit, &why))
 *			complain(why);
 *		out__char(&out, '\n'); // JSON and pairs alone: lines are whole
 *
 * To have the names of events in groups (GROUP_DESC), set features.event_desc and event_desc_bytes
 * to the section of EVENT_DESC while that is in memory. Nothing is allocated but what `out` needs.
 */
#ifndef PERF_FEATURES_H
#define PERF_FEATURES_H

#include "perf_data/describe/feature_parts.h"

enum feature {
	FEATURE_TRACING_DATA = 1, /* see tracing_data.h: here only how much there is */
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5, /* of perf */
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

/* As perf has it, such as "HOSTNAME"; NULL: unknown. */
const char *perf_features__name(uint64_t id);

/*
 * Tells one feature as an object: {"feature":"HOSTNAME","id":3,"hostname":"example"}, or as the
 * lines that perf report --header-only -I prints; a BUILD_ID and TRACING_DATA, of which perf prints
 * nothing, have lines too.
 *
 * 0, also for a feature that is unknown; or -EBADMSG for one that is damaged: *why has the reason,
 * what is whole was told, and "damaged" is a member and a line.  Bytes left over are not looked at.
 */
int perf_features__walk(struct perf_features *features, uint64_t id, const void *bytes,
			size_t count, struct emit *emit, const char **why);

/* Likewise, as members of an object that has begun; the reason is the caller's to tell. */
int perf_features__tell(struct perf_features *features, uint64_t id, const void *bytes,
			size_t count, struct emit *emit, const char **why);

#endif /* PERF_FEATURES_H */
