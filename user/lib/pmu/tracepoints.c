// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pmu/tracepoints.c: tracepoints by name and pattern. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/directory.h"
#include "pmu/tracepoints.h"

struct visitor {
	int events;
	const char *system, *pattern; /* of events in it */
	int (*each)(struct visitor *v, const char *event);
	int (*visit)(void *arg, const struct pmu_tracepoint *tracepoint);
	void *arg;
	bool found;
};

static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

/* -ENOENT: SYSTEM/EVENT is no tracepoint. */
static int read_id(int events, const char *system, const char *event, uint32_t *id)
{
	char path[512], text[PMU_FILE_BYTES], *end;
	unsigned long number;
	int err;

	if (!*system || !*event || *system == '.' || *event == '.' || strchr(system, '/') ||
	    strchr(event, '/') ||
	    snprintf(path, sizeof(path), "%s/%s/id", system, event) >= (int)sizeof(path))
		return -ENOENT;
	err = pmu_file__read(events, path, text);
	if (err)
		return err == -ENOTDIR || err == -ENAMETOOLONG ? -ENOENT : err;
	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || !isdigit((unsigned char)*text) || *end || number > UINT32_MAX)
		return -EBADMSG;
	*id = (uint32_t)number;
	return 0;
}

/* Files that are no tracepoint have no id. */
static int visit_event(struct visitor *v, const char *event)
{
	struct pmu_tracepoint tracepoint = { .system = v->system, .event = event };
	int err = read_id(v->events, v->system, event, &tracepoint.id);

	if (err)
		return err == -ENOENT ? 0 : err;
	v->found = true;
	return v->visit(v->arg, &tracepoint);
}

/* Calls `each` for every name in a directory that matches. */
static int visit_names(struct visitor *v, const char *path, const char *pattern,
		       int (*each)(struct visitor *v, const char *name))
{
	struct pmu_entries names;
	int err = pmu_entries__read(&names, v->events, path);

	if (err)
		return err == -ENOENT || err == -ENOTDIR ? 0 : err;
	for (uint32_t i = 0; !err && i < names.count; i++)
		if (!fnmatch(pattern, names.at[i], 0))
			err = each(v, names.at[i]);
	pmu_entries__free(&names);
	return err;
}

static int visit_system(struct visitor *v, const char *system)
{
	v->system = system;
	if (!is_pattern(v->pattern))
		return v->each(v, v->pattern);
	if (*system == '.' || strchr(system, '/'))
		return 0;
	return visit_names(v, system, v->pattern, v->each);
}

int pmu_tracepoints__visit(int events, const char *system, const char *event,
			   int (*visit)(void *arg, const struct pmu_tracepoint *tracepoint),
			   void *arg)
{
	struct visitor v = {
		.events = events, .pattern = event, .each = visit_event, .visit = visit, .arg = arg
	};
	int result = is_pattern(system) ? visit_names(&v, ".", system, visit_system)
					: visit_system(&v, system);

	return result || v.found ? result : -ENOENT;
}

const char *pmu_tracepoints__why(int err)
{
	switch (err) {
	case -ENODEV:
		return "tracefs is not mounted: mount -t tracefs none /sys/kernel/tracing";
	case -EACCES:
	case -EPERM:
		return "this user may not read tracefs: run as root, or mount -o "
		       "remount,gid=GROUP,mode=750 /sys/kernel/tracing";
	default:
		return strerror(-err);
	}
}

/* ---- similar names --------------------------------------------------------------------------- */

static int suggest_event(struct visitor *v, const char *event)
{
	char name[256];

	if (snprintf(name, sizeof(name), "%s:%s", v->system, event) < (int)sizeof(name))
		suggestion__try(v->arg, name);
	return 0;
}

void pmu_tracepoints__suggest(int events, struct suggestion *suggestion)
{
	struct visitor v = {
		.events = events, .pattern = "*", .each = suggest_event, .arg = suggestion
	};

	visit_names(&v, ".", "*", visit_system);
}
