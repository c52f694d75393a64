// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event_names.c: what the events of a recording are called. */
#include <errno.h>
#include <stdio.h>

#include "base/cursor.h"
#include "perf_data/event_names.h"

/* ---- as the feature EVENT_DESC tells --------------------------------------------------------- */

struct described {
	struct peat_words ids;
	const char *name;
	size_t name_bytes;
};

static bool take(struct cursor *cur, uint32_t attr_bytes, struct described *event)
{
	uint32_t ids, bytes;

	cursor__take(cur, attr_bytes);
	ids = cursor__u32(cur);
	bytes = cursor__u32(cur);
	event->name = cursor__take(cur, bytes);
	event->name_bytes = bytes;
	event->ids = cursor__words(cur, ids, 1);
	return !cur->bad;
}

/* By its ids; one without any by its place. */
static struct perf_attr *find(const struct perf_attrs *attrs, const struct described *event,
			      uint32_t place)
{
	struct perf_attr *attr = NULL;

	for (uint64_t i = 0; !attr && i < event->ids.count; i++)
		attr = perf_attrs__by_id(attrs, peat_words__at(&event->ids, i));
	if (!attr && place < attrs->count && !attrs->at[place]->ids_count)
		attr = attrs->at[place];
	return attr;
}

static int learn(struct perf_attrs *attrs, struct perf_attr *attr, const struct described *event)
{
	int err = attr->name ? 0 : perf_attrs__name(attr, event->name, event->name_bytes);

	for (uint64_t i = 0; !err && i < event->ids.count; i++)
		err = perf_attrs__add_id(attrs, attr, peat_words__at(&event->ids, i));
	return err;
}

int event_names__learn(struct perf_attrs *attrs, const void *bytes, size_t count, bool swapped)
{
	const struct peat_layout layout = { .swapped = swapped };
	struct described event;
	struct cursor cur;
	uint32_t events, attr_bytes;
	int err = 0;

	cursor__init(&cur, bytes, (const uint8_t *)bytes + count, &layout);
	events = cursor__u32(&cur);
	attr_bytes = cursor__u32(&cur);
	for (uint32_t i = 0; !err && i < events && take(&cur, attr_bytes, &event); i++) {
		struct perf_attr *attr = find(attrs, &event, i);

		if (attr)
			err = learn(attrs, attr, &event);
	}
	return err ? err : cur.bad ? -EBADMSG : 0;
}

/* ---- as perf would call them ----------------------------------------------------------------- */

static const char *const hardware[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

static const char *const software[] = {
	"cpu-clock",	    "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",	    "bpf-output",   "cgroup-switches",
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_BREAKPOINT = 5 };

const char *event_names__of(const struct perf_attr *attr, char room[EVENT_NAME_BYTES])
{
	if (attr->name && *attr->name)
		return attr->name;
	if (attr->type == TYPE_HARDWARE && attr->config < COUNT(hardware))
		return hardware[attr->config];
	if (attr->type == TYPE_SOFTWARE && attr->config < COUNT(software))
		return software[attr->config];
	if (attr->type == TYPE_TRACEPOINT)
		snprintf(room, EVENT_NAME_BYTES, "tracepoint %llu",
			 (unsigned long long)attr->config);
	else if (attr->type == TYPE_BREAKPOINT)
		snprintf(room, EVENT_NAME_BYTES, "mem:%#llx", (unsigned long long)attr->config1);
	else
		snprintf(room, EVENT_NAME_BYTES, "%u:%#llx", attr->type,
			 (unsigned long long)attr->config);
	return room;
}
