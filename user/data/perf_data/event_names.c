// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/event_names.c: the names of the events of a recording. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "perf_data/event_desc.h"
#include "perf_data/event_names.h"
#include "tracepoint/format_parse.h"
#include "tracing_data/tracing_data.h"

/* ---- from the feature EVENT_DESC ------------------------------------------------------------- */

/* The attr with one of the ids; an attr without ids by its index. */
static struct perf_attr *attr_of_event(const struct perf_attrs *attrs,
				       const struct event_desc_entry *event, uint32_t index)
{
	struct perf_attr *attr = NULL;

	for (uint64_t i = 0; !attr && i < event->ids.count; i++)
		attr = perf_attrs__by_id(attrs, peat_words__at(&event->ids, i));
	if (!attr && index < attrs->count && !attrs->at[index]->ids_count)
		attr = attrs->at[index];
	return attr;
}

static int name_event(struct perf_attrs *attrs, struct perf_attr *attr,
		      const struct event_desc_entry *event)
{
	bool is_named = attr->name && !attr->is_format_name;
	int err = is_named ? 0 : perf_attrs__name(attr, event->name, event->name_bytes);

	for (uint64_t i = 0; !err && i < event->ids.count; i++)
		err = perf_attrs__add_id(attrs, attr, peat_words__at(&event->ids, i));
	return err;
}

int event_names__add_described(struct perf_attrs *attrs, const void *bytes, size_t count,
			       bool swapped)
{
	struct event_desc_entry event;
	struct event_desc desc;
	struct perf_attr *attr;
	int err = 0;

	event_desc__init(&desc, bytes, count, swapped);
	while (!err && event_desc__next(&desc, &event)) {
		attr = attr_of_event(attrs, &event, desc.next - 1);
		if (attr)
			err = name_event(attrs, attr, &event);
	}
	return err ? err : desc.why ? -EBADMSG : 0;
}

/* ---- the names that perf gives --------------------------------------------------------------- */

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

/* The config of a hardware cache has the cache, the operation and the result, a byte each. */
static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
				      "iTLB",	   "branch",	"node" };
static const char *const operations[] = { "load", "store", "prefetch" };
static const char *const all_operations[] = { "loads", "stores", "prefetches" };

#define RESULT_MISS 1

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum {
	TYPE_HARDWARE,
	TYPE_SOFTWARE,
	TYPE_TRACEPOINT,
	TYPE_HW_CACHE,
	TYPE_RAW,
	TYPE_BREAKPOINT,
};

/* False: no such cache, operation or result. */
static bool print_cache(uint64_t config, char room[EVENT_NAME_BYTES])
{
	uint64_t cache = config & 0xff, operation = config >> 8 & 0xff, result = config >> 16;

	if (cache >= COUNT(caches) || operation >= COUNT(operations) || result > RESULT_MISS)
		return false;
	if (result == RESULT_MISS)
		snprintf(room, EVENT_NAME_BYTES, "%s-%s-misses", caches[cache],
			 operations[operation]);
	else
		snprintf(room, EVENT_NAME_BYTES, "%s-%s", caches[cache], all_operations[operation]);
	return true;
}

/* The name without modifiers.  False: it has none of its own, and is not to be modified. */
static bool print_event(const struct perf_attr *attr, char room[EVENT_NAME_BYTES])
{
	uint64_t config = attr->config;

	if (attr->type == TYPE_HARDWARE && config < COUNT(hardware))
		snprintf(room, EVENT_NAME_BYTES, "%s", hardware[config]);
	else if (attr->type == TYPE_SOFTWARE && config < COUNT(software))
		snprintf(room, EVENT_NAME_BYTES, "%s", software[config]);
	else if (attr->type == TYPE_RAW)
		snprintf(room, EVENT_NAME_BYTES, "raw %#llx", (unsigned long long)config);
	else
		return attr->type == TYPE_HW_CACHE && print_cache(config, room);
	return true;
}

static void print_number(const struct perf_attr *attr, char room[EVENT_NAME_BYTES])
{
	unsigned long long config = attr->config;

	if (attr->type == TYPE_TRACEPOINT)
		snprintf(room, EVENT_NAME_BYTES, "tracepoint %llu", config);
	else if (attr->type == TYPE_BREAKPOINT)
		snprintf(room, EVENT_NAME_BYTES, "mem:%#llx", (unsigned long long)attr->config1);
	else
		snprintf(room, EVENT_NAME_BYTES, "%u:%#llx", attr->type, config);
}

/* perf excludes guests by default, so "H" alone says nothing. */
static void append_modifiers(const struct perf_attr *attr, char room[EVENT_NAME_BYTES])
{
	bool no_user = perf_attr__has(attr, PERF_ATTR_EXCLUDE_USER);
	bool no_kernel = perf_attr__has(attr, PERF_ATTR_EXCLUDE_KERNEL);
	bool no_hv = perf_attr__has(attr, PERF_ATTR_EXCLUDE_HV);
	bool no_host = perf_attr__has(attr, PERF_ATTR_EXCLUDE_HOST);
	bool no_guest = perf_attr__has(attr, PERF_ATTR_EXCLUDE_GUEST);
	bool some = no_user || no_kernel || no_hv, precise = attr->precise_ip;
	bool some_machine = no_host || (no_guest && (some || precise));
	size_t used = strlen(room);

	if (!some && !precise && !some_machine)
		return;
	snprintf(room + used, EVENT_NAME_BYTES - used, ":%s%s%s%.*s%s%s",
		 some && !no_kernel ? "k" : "", some && !no_user ? "u" : "",
		 some && !no_hv ? "h" : "", attr->precise_ip, "ppp",
		 some_machine && !no_host ? "H" : "", some_machine && !no_guest ? "G" : "");
}

const char *event_names__of(const struct perf_attr *attr, char room[EVENT_NAME_BYTES])
{
	if (attr->name && *attr->name)
		return attr->name;
	if (print_event(attr, room))
		append_modifiers(attr, room);
	else
		print_number(attr, room);
	return room;
}

/* ---- from the formats of tracepoints --------------------------------------------------------- */

/* Attrs searched for each format; formats are many. */
#define ATTRS_MOST 1024

/* The name in "name: sched_switch\nID: 314\n..."; NULL: none. */
static const char *name_in(const struct tracing_text *text, int *bytes)
{
	static const char key[] = "name: ";
	const char *end = memchr(text->at, '\n', text->bytes);
	size_t line = end ? (size_t)(end - text->at) : 0;

	if (line < sizeof(key) || memcmp(text->at, key, sizeof(key) - 1) != 0)
		return NULL;
	*bytes = (int)(line - (sizeof(key) - 1));
	return text->at + sizeof(key) - 1;
}

static int name_tracepoints(struct perf_attrs *attrs, uint32_t id,
			    const struct tracing_format *format)
{
	char room[EVENT_NAMES_TRACEPOINT_BYTES];
	int name_bytes, bytes, err = 0;
	const char *name = name_in(&format->text, &name_bytes);

	if (!name)
		return 0;
	bytes = snprintf(room, sizeof(room), "%s:%.*s", format->system, name_bytes, name);
	if (bytes < 0 || bytes >= (int)sizeof(room))
		return 0;
	for (uint32_t i = 0; i < attrs->count && i < ATTRS_MOST && !err; i++) {
		struct perf_attr *attr = attrs->at[i];

		if (attr->type != TYPE_TRACEPOINT || attr->config != id || attr->name)
			continue;
		err = perf_attrs__name(attr, room, (size_t)bytes);
		attr->is_format_name = !err;
	}
	return err;
}

/* Damage is reported by whoever reads the formats for their fields. */
int event_names__add_tracepoints(struct perf_attrs *attrs, const void *tracing_data, size_t count)
{
	struct tracing_format format;
	struct tracing_data data;
	uint32_t id;
	int err = 0;

	if (tracing_data__begin(&data, tracing_data, count))
		return 0;
	while (!err && tracing_data__next(&data, &format) > 0)
		if (strcmp(format.system, "ftrace") != 0 &&
		    format_parse__id(format.text.at, format.text.bytes, &id))
			err = name_tracepoints(attrs, id, &format);
	return err;
}
