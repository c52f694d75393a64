/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/stack_sample.h: events with stacks as samples, as the kernel writes those with call
 * chains.
 *
 *	header  IDENTIFIER  IP  TID  TIME  CPU  CALLCHAIN  RAW  [REGS_USER  STACK_USER]
 *
 * The frames of the BPF program that took the stack are left out.  IP is the innermost frame.
 */
#ifndef PEAT_RECORDER_STACK_SAMPLE_H
#define PEAT_RECORDER_STACK_SAMPLE_H

#include <peat/wire.h>

#include "record/attr.h"
#include "recorder/sample_plan.h"
#include "event/bpf_frames.h"

/*
 * Adds the fields of samples with these stacks to the attr: PEAT_STACK_*, or-ed, and the most bytes
 * of stack memory.
 */
void stack_sample__request(struct perf_attr *attr, uint32_t stacks, uint32_t memory_bytes);

/* As sample_plan__put(), for a plan whose layout has CALLCHAIN. */
int stack_sample__put(const struct sample_plan *plan, struct bpf_frames *machinery,
		      const struct peat_event *event, struct strbuf *out);

#endif /* PEAT_RECORDER_STACK_SAMPLE_H */
