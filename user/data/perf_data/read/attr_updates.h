/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/read/attr_updates.h: attrs, ids, CPUs and names from records of perf itself.  Pure. */
#ifndef PEAT_PERF_DATA_READ_ATTR_UPDATES_H
#define PEAT_PERF_DATA_READ_ATTR_UPDATES_H

#include "perf_data/attrs.h"
#include "perf_data/read/stream.h"

/* An event type of old files: a config and a name. */
#define PERF_EVENT_TYPE_BYTES 72

struct attr_updates {
	struct perf_attrs *attrs;
	bool swapped;
	uint32_t event_types; /* records of this type so far */
};

void attr_updates__init(struct attr_updates *updates, struct perf_attrs *attrs, bool swapped);

/*
 * Adds the attr of a HEADER_ATTR (if new_events), the name of an EVENT_UPDATE or
 * HEADER_EVENT_TYPE, or the CPUs of an ID_INDEX; ignores other records.  0; -EBADMSG: an impossible
 * attr; -E2BIG: too many; -ENOMEM.
 */
int attr_updates__apply(struct attr_updates *updates, const struct perf_entry *entry,
			bool new_events);

/* Applies the next event type, PERF_EVENT_TYPE_BYTES at most.  0 or -ENOMEM. */
int attr_updates__apply_event_type(struct attr_updates *updates, const uint8_t *bytes,
				   size_t count);

#endif /* PEAT_PERF_DATA_READ_ATTR_UPDATES_H */
