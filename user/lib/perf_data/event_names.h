/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* event_names.h: what the events of a recording are called.  Pure. */
#ifndef EVENT_NAMES_H
#define EVENT_NAMES_H

#include "perf_data/attrs.h"

/*
 * Takes names, and ids that the events have nowhere else, from the bytes of the feature EVENT_DESC:
 * the only place of them in a file.  Names that are there already stay.  0, -ENOMEM, or -EBADMSG:
 * the feature is damaged; what stands whole before that was taken.
 */
int event_names__learn(struct perf_attrs *attrs, const void *bytes, size_t count, bool swapped);

/*
 * The event's name, or where it was told none, what perf calls such an event: "cycles",
 * "tracepoint 314"; then it is written to `room`.
 */
#define EVENT_NAME_BYTES 40
const char *event_names__of(const struct perf_attr *attr, char room[EVENT_NAME_BYTES]);

#endif /* EVENT_NAMES_H */
