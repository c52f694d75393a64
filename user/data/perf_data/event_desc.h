/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/event_desc.h: parses the feature EVENT_DESC: the attr, name and ids of each event.
 * Pure.
 *
 *	struct event_desc desc;
 *	struct event_desc_entry entry;
 *
 *	event_desc__init(&desc, bytes, count, swapped);
 *	while (event_desc__next(&desc, &entry))
 *		...
 *	if (desc.why)
 *		return -EBADMSG;
 */
#ifndef PEAT_PERF_DATA_EVENT_DESC_H
#define PEAT_PERF_DATA_EVENT_DESC_H

#include "base/cursor.h"

struct event_desc {
	struct cursor cur;
	uint32_t count, attr_bytes; /* of events; of each attr */
	uint32_t next;		    /* index of the next event */
	const char *why;	    /* NULL, or the reason why the rest cannot be parsed */
};

/* Points into the feature. */
struct event_desc_entry {
	const void *attr; /* of desc->attr_bytes bytes */
	const char *name;
	size_t name_bytes; /* without the NULs after it */
	struct peat_words ids;
};

void event_desc__init(struct event_desc *desc, const void *bytes, size_t count, bool swapped);

/* The next event; false: no more events, or desc->why is set. */
bool event_desc__next(struct event_desc *desc, struct event_desc_entry *entry);

#endif /* PEAT_PERF_DATA_EVENT_DESC_H */
