// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field_list.c: the names of --fields. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/run/field_list.h"
#include "cli/base/messages.h"
#include "cli/run/types.h"

static const char *const common[] = { "time", "type", "pid", "tid", "comm", "cpu", NULL };

static bool is_common(const char *name, size_t bytes)
{
	for (size_t i = 0; common[i]; i++)
		if (strlen(common[i]) == bytes && !strncmp(common[i], name, bytes))
			return true;
	return false;
}

bool field_list__has(const char *list, const char *name)
{
	size_t bytes = strlen(name);

	while (list && *list) {
		size_t length = strcspn(list, ",");

		if (length == bytes && !strncmp(list, name, bytes))
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

static const struct {
	const char *name;
	bool (*is_in)(const struct peat_schema *type);
} identity[] = {
	{ "container", peat_schema__has_identity }, { "pod", peat_schema__has_identity },
	{ "unit", peat_schema__has_identity },	    { "container_name", peat_schema__has_identity },
	{ "pod_name", peat_schema__has_identity },  { "nspid", peat_schema__has_owner },
	{ "nstid", peat_schema__has_owner },
};

#define PARTS (sizeof(identity) / sizeof(*identity))

static bool is_of_identity(const struct peat_schema *type, const char *name)
{
	for (size_t i = 0; i < PARTS; i++)
		if (!strcmp(name, identity[i].name))
			return identity[i].is_in(type);
	return false;
}

bool field_list__names_identity(const char *list)
{
	for (size_t i = 0; i < PARTS; i++)
		if (field_list__has(list, identity[i].name))
			return true;
	return false;
}

struct search {
	char *name;
	bool found;
};

static int search_type(void *arg, const struct peat_schema *type)
{
	struct search *search = arg;

	search->found = search->found || peat_schema__find(type, search->name, NULL) ||
			is_of_identity(type, search->name);
	return 0;
}

static int check_name(struct search *search, struct peat_reader *reader, uint32_t kinds)
{
	int events = types__of_events(reader, search_type, search);
	int records = events < 0 ? events : types__of_kinds(kinds, search_type, search);

	if (records < 0)
		return records;
	if (search->found || !(events + records))
		return 0;
	messages__print(
		"--fields: no event has a field '%s': peat list -v SOURCE lists its fields, "
		"and each has time, type, pid, tid, comm and cpu",
		search->name);
	return -EINVAL;
}

static int write_nothing(void *arg, const char *bytes, size_t count)
{
	(void)arg;
	(void)bytes;
	(void)count;
	return 0;
}

/* Checks the list, and the names of columns, by a sink that no event is written to. */
static int check_sink(struct peat_sink_opts opts)
{
	struct peat_sink *sink;

	opts.output = write_nothing;
	sink = peat_sink__new_text(-1, &opts);
	if (!sink)
		return -errno;
	peat_sink__free(sink);
	return 0;
}

int field_list__check(const struct peat_sink_opts *opts, struct peat_reader *reader, uint32_t kinds)
{
	const char *list = opts->columns ? NULL : opts->fields;
	int err = check_sink(*opts);

	while (!err && list && *list) {
		size_t length = strcspn(list, ",");
		struct search search = { strndup(list, length), is_common(list, length) };

		err = search.name ? check_name(&search, reader, kinds) : -ENOMEM;
		free(search.name);
		list += length + (list[length] == ',');
	}
	return err;
}
