// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_learn.c: events, ids and names that come in records. */
#include <errno.h>

#include "base/cursor.h"
#include "perf_data/note.h"
#include "perf_data/read/attr_updates.h"

#define HEADER_BYTES	  8
#define EVENT_UPDATE_NAME 2    /* PERF_EVENT_UPDATE__NAME */
#define NAMELESS_MOST	  1024 /* looked at for each event type */

void perf_learner__init(struct perf_learner *learner, struct perf_attrs *attrs, bool swapped)
{
	*learner = (struct perf_learner){ .attrs = attrs, .swapped = swapped };
}

/* The attr, and behind it ids up to the record's end. */
static int learn_attr(struct perf_learner *learner, const uint8_t *body, size_t count)
{
	struct perf_attrs *attrs = learner->attrs;
	struct perf_attr attr;
	int bytes = perf_attr__parse(&attr, body, count, learner->swapped);
	int err;

	if (bytes < 0)
		return bytes;
	err = perf_attrs__add(attrs, &attr);
	if (err)
		return err;
	return perf_attrs__add_ids(attrs, attrs->at[attrs->count - 1], body + bytes,
				   (count - (size_t)bytes) / sizeof(uint64_t), learner->swapped);
}

/* u64 type, u64 id, and then what is updated. */
static int learn_update(struct perf_learner *learner, const uint8_t *body, size_t count)
{
	struct perf_attrs *attrs = learner->attrs;
	struct perf_attr *attr;
	uint64_t id;

	if (count < 16 || load_u64(body, learner->swapped) != EVENT_UPDATE_NAME || !attrs->count)
		return 0;
	id = load_u64(body + 8, learner->swapped);
	attr = attrs->count == 1 || !id ? attrs->at[0] : perf_attrs__by_id(attrs, id);
	return attr ? perf_attrs__name(attr, body + 16, count - 16) : 0;
}

/*
 * Event types stand in the order of the events, but some perf left out those it had already, and
 * what they name is a config alone.
 */
static struct perf_attr *find_nameless(const struct perf_learner *learner, uint64_t config)
{
	const struct perf_attrs *attrs = learner->attrs;
	uint32_t same = learner->event_types;

	if (same < attrs->count && attrs->at[same]->config == config && !attrs->at[same]->name)
		return attrs->at[same];
	for (uint32_t i = 0; i < attrs->count && i < NAMELESS_MOST; i++)
		if (attrs->at[i]->config == config && !attrs->at[i]->name)
			return attrs->at[i];
	return NULL;
}

int perf_learner__event_type(struct perf_learner *learner, const uint8_t *bytes, size_t count)
{
	struct perf_attr *attr;

	if (count <= sizeof(uint64_t) || load_u64(bytes, learner->swapped) == NOTE_MAGIC)
		return 0;
	count = count < PERF_EVENT_TYPE_BYTES ? count : PERF_EVENT_TYPE_BYTES;
	attr = find_nameless(learner, load_u64(bytes, learner->swapped));
	learner->event_types++;
	return attr ? perf_attrs__name(attr, bytes + sizeof(uint64_t), count - sizeof(uint64_t))
		    : 0;
}

int perf_learner__learn(struct perf_learner *learner, const struct perf_entry *entry,
			bool new_events)
{
	const uint8_t *body = entry->bytes + HEADER_BYTES;
	size_t count = entry->size - HEADER_BYTES;

	switch (entry->type) {
	case TOOL_HEADER_ATTR:
		return new_events ? learn_attr(learner, body, count) : 0;
	case TOOL_EVENT_UPDATE:
		return learn_update(learner, body, count);
	case TOOL_EVENT_TYPE:
		return perf_learner__event_type(learner, body, count);
	default:
		return 0;
	}
}
