/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* convert/passes.h: reports the progress of a rewrite that reads its recording several times. */
#ifndef PEAT_CONVERT_PASSES_H
#define PEAT_CONVERT_PASSES_H

#include <peat/recording.h>

#include "perf_data/read/file.h"

/* Records between two reports. */
#define PASSES_RECORDS 16384

struct passes {
	peat_progress_fn report; /* NULL: none */
	void *arg;
	uint32_t done, all;
	uint64_t records;
};

/* Call it for each record that a pass reads from `file`, and count the pass as done at its end. */
static inline void passes__record(struct passes *passes, const struct perf_file *file)
{
	uint64_t done, all;

	if (++passes->records % PASSES_RECORDS || !passes->report)
		return;
	perf_file__position(file, &done, &all);
	passes->report(passes->arg, passes->done * all + done, passes->all * all);
}

#endif /* PEAT_CONVERT_PASSES_H */
