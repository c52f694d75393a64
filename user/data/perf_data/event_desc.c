// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/event_desc.c: parses the feature EVENT_DESC. */
#include "perf_data/event_desc.h"

void event_desc__init(struct event_desc *desc, const void *bytes, size_t count, bool swapped)
{
	*desc = (struct event_desc){ .cur.at = bytes, .cur.swapped = swapped };
	desc->cur.end = desc->cur.at + count;
	desc->count = cursor__u32(&desc->cur);
	desc->attr_bytes = cursor__u32(&desc->cur);
	if (desc->cur.bad)
		desc->why = "it ends early";
}

bool event_desc__next(struct event_desc *desc, struct event_desc_entry *entry)
{
	struct cursor *cur = &desc->cur;
	uint32_t ids, name_bytes;

	if (desc->why || desc->next >= desc->count)
		return false;
	entry->attr = cursor__bytes(cur, desc->attr_bytes);
	ids = cursor__u32(cur);
	name_bytes = cursor__u32(cur);
	entry->name = cursor__bytes(cur, name_bytes);
	if (!entry->name) {
		desc->why = "a string is longer than what holds it";
		return false;
	}
	entry->name_bytes = strnlen(entry->name, name_bytes);
	entry->ids = cursor__words(cur, ids, 1);
	if (cur->bad) {
		desc->why = "the description of an event is cut";
		return false;
	}
	desc->next++;
	return true;
}
