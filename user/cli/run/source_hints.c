// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* source_hints.c: remedies for names that are no source. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/base/words.h"
#include "cli/run/source_hints.h"
#include "probe.h"

/* ---- tools ----------------------------------------------------------------------------------- */

/* `tools` is a list: "execsnoop, perf trace -e sched:sched_process_exec". */
static bool names_tool(const char *tools, const char *tool)
{
	size_t bytes = strlen(tool);

	while (tools && *tools) {
		tools += strspn(tools, ", ");
		if (!strncmp(tools, tool, bytes) && (tools[bytes] == ',' || !tools[bytes]))
			return true;
		tools += strcspn(tools, ",");
	}
	return false;
}

static bool is_like(const struct probe *probe, const char *tool)
{
	struct peat_object *object =
		peat_object__open(probe->object, probe->object_bytes, probe->name);
	const struct peat_schema *schema;
	bool found = false;

	for (uint32_t i = 0; object && !found && (schema = peat_object__type(object, i)); i++)
		found = names_tool(peat_schema__like(schema), tool);
	peat_object__free(object);
	return found;
}

const char *source_hints__probe_like(const char *tool)
{
	const struct probe *probe;

	for (size_t i = 0; (probe = probe__at(i)); i++)
		if (is_like(probe, tool))
			return probe->name;
	return NULL;
}

/* ---- perf events ----------------------------------------------------------------------------- */

/* `text` of an event can have its other name: "also faults". */
static int is_event(void *arg, const struct peat_event_name *event)
{
	const char *name = arg, *also = event->text ? strstr(event->text, "also ") : NULL;

	return !strcmp(event->name, name) || (also && !strcmp(also + strlen("also "), name));
}

/* The list warns if it lacks tracepoints, which is no matter here. */
bool source_hints__is_perf_event(const char *name)
{
	peat_print_fn print = peat_set_print(NULL);
	bool found = peat_event_names__list(name, is_event, (void *)name) > 0;

	peat_set_print(print);
	return found;
}

/* ---- kinds of bpftrace ----------------------------------------------------------------------- */

static const struct {
	const char *kind, *hint; /* the hint may have the rest of the name */
} kinds[] = {
	{ "k:", "use kprobe:%s" },
	{ "kr:", "use kretprobe:%s" },
	{ "u:", "use uprobe:%s" },
	{ "ur:", "use uretprobe:%s" },
	{ "U:", "use usdt:%s" },
	{ "t:", "use tracepoint:%s" },
	{ "kfunc:", "use kprobe:%s" },
	{ "kretfunc:", "use kretprobe:%s" },
	{ "fentry:", "use kprobe:%s" },
	{ "fexit:", "use kretprobe:%s" },
	{ "f:", "use kprobe:%s" },
	{ "fr:", "use kretprobe:%s" },
	{ "rawtracepoint:", "use tracepoint:CATEGORY:%s" },
	{ "rt:", "use tracepoint:CATEGORY:%s" },
	{ "profile:", "peat profile takes samples at a rate: -F 99" },
	{ "p:", "peat profile takes samples at a rate: -F 99" },
	{ "interval:", "-i prints after each interval: peat count exec -i 1" },
	{ "i:", "-i prints after each interval: peat count exec -i 1" },
	{ "software:", "perf events follow -e: peat list --events lists them" },
	{ "s:", "perf events follow -e: peat list --events lists them" },
	{ "hardware:", "perf events follow -e: peat list --events lists them" },
	{ "h:", "perf events follow -e: peat list --events lists them" },
	{ "watchpoint:", "a breakpoint follows -e: mem:ADDRESS:w" },
	{ "w:", "a breakpoint follows -e: mem:ADDRESS:w" },
};

/* ---- hints ----------------------------------------------------------------------------------- */

__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...)
{
	va_list args;
	char *text;
	int count;

	va_start(args, format);
	count = vasprintf(&text, format, args);
	va_end(args);
	return count < 0 ? NULL : text;
}

static char *hint_of_kind(size_t i, const char *rest)
{
	const char *hint = kinds[i].hint, *place = strstr(hint, "%s");

	if (!place)
		return strdup(hint);
	return text_of("%.*s%s", (int)(place - hint), hint, rest);
}

/* A program in a directory of PATH. */
static bool is_command(const char *name)
{
	const char *at = getenv("PATH");
	char path[PATH_MAX];

	while (at && *at) {
		size_t bytes = strcspn(at, ":");
		int count = snprintf(path, sizeof(path), "%.*s/%s", (int)bytes, at, name);

		if (bytes && count > 0 && (size_t)count < sizeof(path) && !access(path, X_OK))
			return true;
		at += bytes + (at[bytes] == ':');
	}
	return false;
}

#define PROBES_MOST 100 /* no more are compared */

static const char *closest_probe(const char *name)
{
	const char *names[PROBES_MOST + 1] = { 0 };
	const struct probe *probe;

	for (size_t i = 0; i < PROBES_MOST && (probe = probe__at(i)); i++)
		names[i] = probe->name;
	return peat_text__closest(name, names);
}

char *source_hints__for(const char *name)
{
	const char *colon = strchr(name, ':'), *probe;

	if (words__end_with(name, ".c"))
		return text_of("it is source code: use peat build %s, and then the object", name);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strncmp(name, kinds[i].kind, strlen(kinds[i].kind)))
			return hint_of_kind(i, name + strlen(kinds[i].kind));
	if (colon && colon > name && colon[1] && !strchr(colon + 1, ':'))
		return text_of("a tracepoint is tracepoint:%s", name);
	probe = source_hints__probe_like(name);
	if (probe)
		return text_of("use %s, which answers the question of %s", probe, name);
	if (source_hints__is_perf_event(name))
		return text_of("it is a perf event, which follows -e: -e %s", name);
	if (is_command(name))
		return text_of("peat list shows the probes; a command follows --: -- %s", name);
	probe = closest_probe(name);
	if (probe)
		return text_of("did you mean %s?  peat list shows the probes", probe);
	return text_of("peat list shows the probes; a function is kprobe:%s or uprobe:FILE:%s; a "
		       "file needs a path: ./%s.bpf.o",
		       name, name, name);
}
