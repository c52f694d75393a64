/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* convert/topology_check.h: finds CPU_TOPOLOGY features that stock perf refuses.  Pure. */
#ifndef PEAT_CONVERT_TOPOLOGY_CHECK_H
#define PEAT_CONVERT_TOPOLOGY_CHECK_H

#include "perf_data/read/file.h"

/* The features before it that perf's test needs. */
struct topology_check {
	uint32_t cpus;	  /* NRCPUS: those available; 0: unknown */
	bool has_any_ids; /* ARCH: s390 and aarch64, whose ids of sockets are any numbers */
};

void topology_check__note(struct topology_check *check, const struct perf_feature *feature,
			  bool swapped);

/*
 * Whether perf 6.1 refuses the feature: a CPU's id of its socket is larger than the number of CPUs.
 * perf then reads no further feature, and nothing of a pipe.
 */
bool topology_check__is_refused(const struct topology_check *check,
				const struct perf_feature *feature, bool swapped);

#endif /* PEAT_CONVERT_TOPOLOGY_CHECK_H */
