/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_learn.h: what the records of perf itself say of the events.  Pure. */
#ifndef PERF_LEARN_H
#define PERF_LEARN_H

#include "perf_data/attrs.h"
#include "perf_data/read/stream.h"

/* An event type of old files: a config and its name. */
#define PERF_EVENT_TYPE_BYTES 72

struct perf_learner {
	struct perf_attrs *attrs;
	bool swapped;
	uint32_t event_types; /* so many were there */
};

void perf_learner__init(struct perf_learner *learner, struct perf_attrs *attrs, bool swapped);

/*
 * Takes an event from HEADER_ATTR (with new_events), a name from EVENT_UPDATE or HEADER_EVENT_TYPE,
 * nothing from others.  0; -EBADMSG: an event that is none; -E2BIG: too many; -ENOMEM.
 */
int perf_learner__learn(struct perf_learner *learner, const struct perf_entry *entry,
			bool new_events);

/* The next event type, of PERF_EVENT_TYPE_BYTES at most.  0 or -ENOMEM. */
int perf_learner__event_type(struct perf_learner *learner, const uint8_t *bytes, size_t count);

#endif /* PERF_LEARN_H */
