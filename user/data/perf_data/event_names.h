/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/event_names.h: the names of the events of a recording.  Pure. */
#ifndef PEAT_PERF_DATA_EVENT_NAMES_H
#define PEAT_PERF_DATA_EVENT_NAMES_H

#include "perf_data/attrs.h"

/*
 * Copies names, and ids that the attrs do not have yet, from the bytes of the feature EVENT_DESC: a
 * file has them nowhere else.  Names that are already there stay.  0; -ENOMEM; -EBADMSG: the
 * feature is damaged, and the events before the damage were copied.
 */
int event_names__add_described(struct perf_attrs *attrs, const void *bytes, size_t count,
			       bool swapped);

/*
 * Names tracepoints without a name, such as "sched:sched_switch", from the bytes of TRACING_DATA:
 * those whose attrs have been added.  Of damaged bytes, uses the formats before the damage.  Names
 * from elsewhere replace them later.  0 or -ENOMEM.
 */
#define EVENT_NAMES_TRACEPOINT_BYTES 512 /* longer names are left out */
int event_names__add_tracepoints(struct perf_attrs *attrs, const void *tracing_data, size_t count);

/*
 * The event's name.  If it has none, the name that perf gives to such an event ("cycles:ppH",
 * "tracepoint 314"), written to `room`.
 */
#define EVENT_NAME_BYTES 40
const char *event_names__of(const struct perf_attr *attr, char room[EVENT_NAME_BYTES]);

#endif /* PEAT_PERF_DATA_EVENT_NAMES_H */
