// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* default_field.c: finds the field of a histogram in the types of a live source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/table/default_field.h"
#include "cli/base/messages.h"
#include "cli/recorded/recording_run.h"
#include "cli/run/sources.h"

struct search {
	char *name; /* empty until it is found */
	size_t bytes;
	bool has_options;
};

/*
 * Members of structs inside are left out: their names are those of several fields.  So are rare
 * durations without an option of the source, such as the latency of open, which `slow` measures.
 */
static void find_duration(const struct peat_schema *type, struct search *search)
{
	uint32_t count;
	const struct peat_field *fields = peat_schema__fields(type, &count);

	for (uint32_t i = 0; !*search->name && i < count; i += fields[i].span) {
		const char *unit = peat_field__unit(&fields[i]);

		if (unit && !strcmp(unit, "ns") && (!fields[i].is_rare || search->has_options))
			snprintf(search->name, search->bytes, "%s", fields[i].name);
	}
}

static int search_object(const char *source, struct search *search)
{
	struct peat_object *object;
	const struct peat_schema *type;
	int status = sources__inspect(source, &object);

	for (uint32_t i = 0; object && (type = peat_object__type(object, i)); i++)
		find_duration(type, search);
	peat_object__free(object);
	return status;
}

/* Events of functions have no other durations. */
static bool is_of_returns(const char *source)
{
	return !strncmp(source, "kretprobe:", 10) || !strncmp(source, "uretprobe:", 10);
}

/* A call has a latency when it returns. */
static const char *kind_of_returns(const char *source)
{
	return !strncmp(source, "kprobe:", 7)	? "kretprobe"
	       : !strncmp(source, "uprobe:", 7) ? "uretprobe"
						: NULL;
}

static void print_no_field(const char *source)
{
	const char *kind = kind_of_returns(source);

	if (kind)
		messages__print("no field, and %s has no duration to choose: use %s%s, which has "
				"latency, or peat hist %s FIELD",
				source, kind, strchr(source, ':'), source);
	else
		messages__print("no field, and %s has no duration to choose: use peat hist %s "
				"FIELD: peat list -v %.*s shows the fields",
				source, source, (int)strcspn(source, ","), source);
}

int default_field__find(const struct options *options, char *name, size_t bytes)
{
	const char *source = options->sources.names[0];
	struct search search = { name, bytes, strchr(source, ',') };
	int status = 0;

	*name = '\0';
	if (is_of_returns(source))
		snprintf(name, bytes, "latency");
	else if (!recording_run__is_recording(source))
		status = search_object(source, &search);
	if (status)
		return status;
	if (!*name) {
		print_no_field(source);
		return EXIT_USAGE;
	}
	if (!options->output.quiet)
		messages__print("histogram of %s", name);
	return 0;
}
