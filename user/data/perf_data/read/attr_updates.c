// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/attr_updates.c: attrs, ids, CPUs and names from records of perf itself. */
#include <errno.h>

#include "base/cursor.h"
#include "perf_data/note.h"
#include "perf_data/read/attr_updates.h"

#define HEADER_BYTES  8
#define NAMELESS_MOST 1024 /* attrs searched for each event type */

/* An entry of ID_INDEX: id, index of the event, CPU, tid. */
#define ID_ENTRY_WORDS 4
#define ID_ENTRY_CPU   2

void attr_updates__init(struct attr_updates *updates, struct perf_attrs *attrs, bool swapped)
{
	*updates = (struct attr_updates){ .attrs = attrs, .swapped = swapped };
}

/* The attr; ids follow it up to the record's end. */
static int add_attr(struct attr_updates *updates, const uint8_t *body, size_t count)
{
	struct perf_attrs *attrs = updates->attrs;
	struct perf_attr attr;
	int bytes = perf_attr__parse(&attr, body, count, updates->swapped);
	int err;

	if (bytes < 0)
		return bytes;
	err = perf_attrs__add(attrs, &attr);
	if (err)
		return err;
	return perf_attrs__add_ids(attrs, attrs->at[attrs->count - 1], body + bytes,
				   (count - (size_t)bytes) / sizeof(uint64_t), updates->swapped);
}

static int apply_event_update(struct attr_updates *updates, const struct perf_entry *entry)
{
	struct perf_attrs *attrs = updates->attrs;
	struct tool_event_update update;
	struct tool_record rec;
	struct perf_attr *attr;

	if (tool_record__parse(entry->bytes, entry->size, updates->swapped, &rec) ||
	    tool_record__event_update(&rec, &update) || update.kind != TOOL_UPDATE_NAME ||
	    !attrs->own_count)
		return 0;
	attr = attrs->own_count == 1 || !update.id ? attrs->first
						   : perf_attrs__by_id(attrs, update.id);
	return attr ? perf_attrs__name(attr, update.data, update.bytes) : 0;
}

/*
 * Event types are in the order of the attrs, but some perfs left out names that they had already
 * written, and an event type has only a config, no id.
 */
static struct perf_attr *find_nameless(const struct attr_updates *updates, uint64_t config)
{
	const struct perf_attrs *attrs = updates->attrs;
	uint32_t same = updates->event_types;

	if (same < attrs->count && attrs->at[same]->config == config && !attrs->at[same]->name)
		return attrs->at[same];
	for (uint32_t i = 0; i < attrs->count && i < NAMELESS_MOST; i++)
		if (attrs->at[i]->config == config && !attrs->at[i]->name)
			return attrs->at[i];
	return NULL;
}

int attr_updates__apply_event_type(struct attr_updates *updates, const uint8_t *bytes, size_t count)
{
	struct perf_attr *attr;

	if (count <= sizeof(uint64_t) || load_u64(bytes, updates->swapped) == NOTE_MAGIC)
		return 0;
	count = count < PERF_EVENT_TYPE_BYTES ? count : PERF_EVENT_TYPE_BYTES;
	attr = find_nameless(updates, load_u64(bytes, updates->swapped));
	updates->event_types++;
	return attr ? perf_attrs__name(attr, bytes + sizeof(uint64_t), count - sizeof(uint64_t))
		    : 0;
}

/* Entries of guests, which follow, are not used. */
static void apply_id_index(struct attr_updates *updates, const uint8_t *body, size_t count)
{
	struct cursor cur = { .at = body, .end = body + count, .swapped = updates->swapped };
	uint64_t entries = cursor__u64(&cur), whole = cursor__left(&cur) / 8 / ID_ENTRY_WORDS;
	struct peat_words words;

	words = cursor__words(&cur, entries < whole ? entries : whole, ID_ENTRY_WORDS);
	for (uint64_t i = 0; i < words.count; i += ID_ENTRY_WORDS)
		perf_attrs__set_cpu(updates->attrs, peat_words__at(&words, i),
				    (uint32_t)peat_words__at(&words, i + ID_ENTRY_CPU));
}

int attr_updates__apply(struct attr_updates *updates, const struct perf_entry *entry,
			bool new_events)
{
	const uint8_t *body = entry->bytes + HEADER_BYTES;
	size_t count = entry->size - HEADER_BYTES;

	switch (entry->type) {
	case TOOL_HEADER_ATTR:
		return new_events ? add_attr(updates, body, count) : 0;
	case TOOL_EVENT_UPDATE:
		return apply_event_update(updates, entry);
	case TOOL_EVENT_TYPE:
		return attr_updates__apply_event_type(updates, body, count);
	case TOOL_ID_INDEX:
		apply_id_index(updates, body, count);
		return 0;
	default:
		return 0;
	}
}
