/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * print/sample_fields.h: prints the PERF_SAMPLE_* fields of an event, live or recorded, as text and
 * as JSON.
 *
 * Prints every field of a PERF_RECORD_SAMPLE but time, CPU, task and payload, which the sinks print
 * as part of the event.  Text, like perf script, also leaves out fields that only programs need:
 * ids (except of counters without a name) and a period of 1.
 *
 * Text has symbols instead of addresses of the running kernel.  JSON has both:
 * {"address":"0xffffffff81234567","symbol":"vfs_read+0x10"}.  Registers have the names of the
 * architecture that was recorded.
 */
#ifndef PEAT_PRINT_SAMPLE_FIELDS_H
#define PEAT_PRINT_SAMPLE_FIELDS_H

#include <peat/reader.h>

#include "base/strbuf.h"
#include "sys/kallsyms.h"

/* The symbols that are right for the event; no_symbols: the user wants none. */
enum symbols sample_fields__symbols(const struct peat_event *event, bool no_symbols);

/*
 * " ip=vfs_read+0x10 cgroup=17 regs_user={ax=0x1 ...} stack_user=...".  Prints
 * nothing unless the event was a sample.  If the event has a field "ip", the sampled one is called
 * "sample_ip", and so on.
 */
void sample_fields__text(struct strbuf *out, const struct peat_event *event, enum symbols symbols);

/*
 * "\n        vfs_read+0x10" for each frame of the callchain, innermost first.  They are lines of
 * their own after the event's line.
 */
void sample_fields__frames(struct strbuf *out, const struct peat_event *event,
			   enum symbols symbols);

/* The fields, with the callchain, as members of an object, each with a comma before it. */
void sample_fields__json(struct strbuf *out, const struct peat_event *event, enum symbols symbols);

#endif /* PEAT_PRINT_SAMPLE_FIELDS_H */
