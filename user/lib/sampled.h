/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sampled.h: what the kernel sampled along with a raw event, as text and as JSON. */
#ifndef SAMPLED_H
#define SAMPLED_H

#include <peat/record.h>

#include "out.h"

/* What peat_reader_opts.sample may ask for. */
#define SAMPLED_ALL                                                                                \
	(PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_CGROUP | PEAT_SAMPLE_REGS_USER |     \
	 PEAT_SAMPLE_STACK_USER)

/* The registers that there are on this architecture: perf_event_attr.sample_regs_user. */
extern const uint64_t sampled__regs;

/* " ip=vfs_read+0x10 callchain=[...] cgroup=17 regs_user={ax=0x1 ...} stack_user=...". */
void sampled__text(struct out *out, const struct peat_record *record);

/* The same as members of an object, each with a comma before it. */
void sampled__json(struct out *out, const struct peat_record *record);

#endif /* SAMPLED_H */
