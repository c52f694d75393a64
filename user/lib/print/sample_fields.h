/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * print/sample_fields.h: prints the PERF_SAMPLE_* fields of an event, live or recorded, as text and
 * as JSON.
 *
 * Prints every field of a PERF_RECORD_SAMPLE but time, CPU, task and payload, which the sinks print
 * as part of the event, and the stack: print/frames.h.  Text, like perf script, also leaves out
 * fields that only programs need: ids (except of counters without a name) and a period of 1.  With
 * peat_sink_opts.symbols, registers and memory that the stack is unwound from are left out.
 *
 * Text has names instead of addresses, JSON has both.  Registers have the names of the architecture
 * that was recorded.
 */
#ifndef PEAT_PRINT_SAMPLE_FIELDS_H
#define PEAT_PRINT_SAMPLE_FIELDS_H

#include "print/frames.h"

/*
 * " ip=vfs_read+0x10 cgroup=17 regs_user={ax=0x1 ...} stack_user=...".  Prints
 * nothing unless the event was a sample.  If the event has a field "ip", the sampled one is called
 * "sample_ip", and so on.
 */
void sample_fields__text(struct strbuf *out, const struct peat_event *event,
			 const struct address_names *names);

/* The fields as members of an object, each with a comma before it. */
void sample_fields__json(struct strbuf *out, const struct peat_event *event,
			 const struct address_names *names);

#endif /* PEAT_PRINT_SAMPLE_FIELDS_H */
