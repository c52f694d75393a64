// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stack_sources.c: sources whose programs can take stacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "probe.h"
#include "cli/run/sources.h"
#include "cli/run/stack_sources.h"

/* The stacks are the last field of an event. */
static bool has_stacks(const struct peat_schema *schema)
{
	uint32_t count;
	const struct peat_field *fields = peat_schema__fields(schema, &count);

	return count && peat_field__class(&fields[count - 1]) == PEAT_CLASS_STACK;
}

static bool takes_stacks(const struct peat_object *object)
{
	const struct peat_schema *schema;

	if (!peat_object__has_channel(object))
		return true;
	for (uint32_t i = 0; (schema = peat_object__type(object, i)); i++)
		if (has_stacks(schema))
			return true;
	return false;
}

/* "exec, open": the built-in probes that take stacks. */
static void list_probes(char *list, size_t room)
{
	const struct probe *probe;
	size_t used = 0;

	snprintf(list, room, "none");
	for (size_t i = 0; (probe = probe__at(i)); i++) {
		struct peat_object *object =
			peat_object__open(probe->object, probe->object_bytes, probe->name);

		if (object && takes_stacks(object) && used < room)
			used += (size_t)snprintf(list + used, room - used, "%s%s", used ? ", " : "",
						 probe->name);
		peat_object__free(object);
	}
}

/* 1: its events can have stacks, as those of all functions; 0: not; negative: an exit status. */
static int check_source(const char *source)
{
	struct peat_object *object;
	int status = sources__inspect(source, &object);

	if (status)
		return -status;
	status = object ? takes_stacks(object) : *source != '@';
	peat_object__free(object);
	return status;
}

/* A field "stack" of its own. */
static bool has_own_field(const struct peat_object *object, const void *arg)
{
	const struct peat_schema *schema;
	bool found = false;

	(void)arg;
	for (uint32_t i = 0; !found && (schema = peat_object__type(object, i)); i++) {
		const struct peat_field *field = peat_schema__find(schema, "stack", NULL);

		found = field && peat_field__class(field) != PEAT_CLASS_STACK;
	}
	return found;
}

int stack_sources__have_own_field(const struct options *options)
{
	return sources__any(options->sources.names, options->sources.name_count, has_own_field,
			    NULL);
}

int stack_sources__check(const struct options *options)
{
	const char *without = NULL;
	char list[512];

	if (!options->stacks.kinds || options->stacks.kinds == PEAT_STACK_NONE ||
	    options->sources.events.count)
		return 0;
	for (size_t i = 0; i < options->sources.name_count; i++) {
		int takes = check_source(options->sources.names[i]);

		if (takes)
			return takes > 0 ? 0 : -takes;
		if (!without)
			without = options->sources.names[i];
	}
	if (options->sources.map_count || !without)
		return 0;
	list_probes(list, sizeof(list));
	messages__print("%s: the events of %s have no stacks: probes with stacks: %s; an object "
			"needs PEAT_STACKS (peat.bpf.h)",
			options->table.by_stack ? "--by stack" : "--stacks", without, list);
	return EXIT_USAGE;
}
