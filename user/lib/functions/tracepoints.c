// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/tracepoints.c: finds tracepoints in available_events of tracefs. */
#include <errno.h>

#include <stdio.h>
#include <string.h>

#include "base/glob.h"
#include "base/strbuf.h"
#include "functions/tracepoints.h"
#include "sys/tracefs.h"

#define NAME_BYTES 256 /* of a category and a name */

static bool matches(const char *pattern, const char *text)
{
	return glob__match(pattern, text, strlen(text));
}

/* A line "sched:sched_switch". */
static int add_line(struct found_functions *found, const char *category, const char *name,
		    const char *line, size_t bytes)
{
	char event[NAME_BYTES], *colon;

	if (bytes >= sizeof(event))
		return 0;
	memcpy(event, line, bytes);
	event[bytes] = '\0';
	suggestion__try(&found->alike, event);
	colon = strchr(event, ':');
	if (!colon)
		return 0;
	*colon = '\0';
	if (!matches(category, event) || !matches(name, colon + 1))
		return 0;
	return found_functions__add(found, colon + 1, event, 0);
}

int tracepoints__select(struct found_functions *found, const char *category, const char *name,
			const char *events)
{
	char wanted[NAME_BYTES];
	int err = 0;

	snprintf(wanted, sizeof(wanted), "%s:%s", category, name);
	found->alike.wanted = wanted;
	while (!err && *events) {
		size_t bytes = strcspn(events, "\n");

		err = add_line(found, category, name, events, bytes);
		events += bytes + (events[bytes] == '\n');
	}
	found->alike.wanted = NULL;
	found_functions__sort(found);
	return err ? err : found->count ? 0 : -ENOENT;
}

int tracepoints__find(struct found_functions *found, const char *category, const char *name)
{
	struct strbuf events = { 0 };
	int err = tracefs__read(&events, "available_events");

	if (!err)
		err = tracepoints__select(found, category, name, events.bytes);
	strbuf__free(&events);
	return err;
}
