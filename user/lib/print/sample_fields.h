/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sampled.h: what was sampled along with an event, live or in a recording, as text and as JSON.
 *
 * All fields of a PERF_RECORD_SAMPLE are told that have not been told otherwise, as the event's
 * time, CPU, task and payload have.  Text, like perf script, leaves out what serves programs alone:
 * the ids (but for those of counters without a name), and a period of 1.
 *
 * A kernel's address has a name where it is one of the running kernel's; registers have the names
 * of the machine that was recorded.
 */
#ifndef SAMPLED_H
#define SAMPLED_H

#include <peat/reader.h>

#include "base/strbuf.h"

/* What peat_reader_opts.sample may ask for. */
#define SAMPLED_ALL                                                                                \
	(PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_CGROUP | PEAT_SAMPLE_REGS_USER |     \
	 PEAT_SAMPLE_STACK_USER)

/* The registers that there are on this architecture: perf_event_attr.sample_regs_user. */
extern const uint64_t sampled__regs;

/*
 * " ip=vfs_read+0x10 callchain=[...] cgroup=17 regs_user={ax=0x1 ...} stack_user=...": nothing
 * unless the event is made of a sample.  What the event has a field of the same name for is called
 * sample_ip and so on.
 */
void sampled__text(struct out *out, const struct peat_event *event);

/* The same as members of an object, each with a comma before it. */
void sampled__json(struct out *out, const struct peat_event *event);

#endif /* SAMPLED_H */
