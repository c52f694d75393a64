// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sources.c: finds the sources named on the command line and adds them to a session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/words.h"
#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/run/object_files.h"
#include "probe.h"
#include "cli/run/source_hints.h"
#include "cli/run/sources.h"
#include "cli/options/parse_unit.h"

bool sources__is_file(const char *name)
{
	return !peat_functions__are(name) && (strchr(name, '/') || words__end_with(name, ".o"));
}

const struct probe *sources__find_probe(const char *name)
{
	const struct probe *probe = probe__find(name);
	char *hint;

	if (probe)
		return probe;
	hint = source_hints__for(name);
	messages__print("unknown probe '%s': %s", name, hint ? hint : "peat list shows the probes");
	free(hint);
	return NULL;
}

int sources__open_object(const char *name, struct peat_object **object)
{
	const struct probe *probe;

	*object = NULL;
	if (peat_functions__are(name)) {
		*object = peat_object__open_functions(name, NULL);
		return *object ? 0 : EXIT_FAILED;
	}
	if (sources__is_file(name)) {
		*object = object_files__open(name);
		return *object ? 0 : EXIT_FAILED;
	}
	probe = sources__find_probe(name);
	if (!probe)
		return EXIT_USAGE;
	*object = peat_object__open(probe->object, probe->object_bytes, probe->name);
	return *object ? 0 : EXIT_FAILED;
}

int sources__inspect(const char *source, struct peat_object **object)
{
	char *name;
	int status;

	*object = NULL;
	if (*source == '@' || peat_functions__are(source))
		return 0;
	name = strndup(source, strcspn(source, ","));
	status = name ? sources__open_object(name, object) : EXIT_FAILED;
	free(name);
	return status;
}

int sources__any(const char *const *names, size_t count, sources_has_fn has, const void *arg)
{
	int status = 0;
	bool found = false;

	for (size_t i = 0; !status && !found && i < count; i++) {
		struct peat_object *object;

		status = sources__inspect(names[i], &object);
		found = object && has(object, arg);
		peat_object__free(object);
	}
	return status ? -status : found;
}

static bool follows_one_process(const struct peat_object *object, const void *arg)
{
	struct peat_hook hook = { .sz = sizeof(hook) };
	bool found = false;

	(void)arg;
	for (uint32_t i = 0; !found && peat_object__hook(object, i, &hook) > 0; i++)
		found = hook.one_process;
	return found;
}

int sources__follow_one_process(const char *const *names, size_t count)
{
	return sources__any(names, count, follows_one_process, NULL);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool find_option(const struct peat_object *object, const char *name,
			struct peat_option *option)
{
	for (uint32_t i = 0; peat_object__option(object, i, option) > 0; i++)
		if (!strcmp(option->name, name))
			return true;
	return false;
}

/* Sets an option, NAME=TEXT, of the source added last.  `object`: NULL: it has no options. */
static int set_option(struct peat_session *session, const char *source,
		      const struct peat_object *object, char *name)
{
	struct peat_option option = { .sz = sizeof(option) };
	char *text = strchr(name, '=');

	if (text)
		*text++ = '\0';
	if (!object || !find_option(object, name, &option)) {
		messages__print("%s has no option '%s': peat list -v shows its options", source,
				name);
		return EXIT_USAGE;
	}
	if (!text && option.kind == PEAT_FIELD_BOOL)
		text = (char *)"true";
	if (text)
		return peat_session__set_text(session, name, text) ? EXIT_USAGE : 0;
	messages__print("option %s needs a value: %s=VALUE", name, name);
	return EXIT_USAGE;
}

static int set_options(struct peat_session *session, const char *name, char *options)
{
	struct peat_object *object;
	int status = sources__inspect(name, &object);
	char *option;

	while (!status && (option = strsep(&options, ",")))
		status = set_option(session, name, object, option);
	peat_object__free(object);
	return status;
}

/* ---- sources --------------------------------------------------------------------------------- */

uint32_t sources__find_kind(const char *name)
{
	uint32_t kind = peat_side_band__find(name + 1);

	if (!kind)
		messages__print("unknown kind of kernel records '%s': peat list shows the kinds",
				name);
	return kind;
}

static int add_kind(const char *name, const char *options, uint32_t *kinds)
{
	uint32_t kind = sources__find_kind(name);

	if (kind & SOURCES_RECORDED) {
		messages__print("%s exists only in recordings: use peat replay", name);
		return EXIT_USAGE;
	}
	*kinds |= kind;
	if (kind && options)
		messages__print("%s has no option '%s'", name, options);
	return kind && !options ? 0 : EXIT_USAGE;
}

/* Those of --fields, and of the expression and the table of the session. */
static int add_functions(struct peat_session *session, const char *name,
			 const struct source_fields *fields)
{
	const struct peat_function_opts opts = { .sz = sizeof(opts),
						 .fields = fields->names,
						 .field_count = fields->count,
						 .most = fields->most,
						 .only_named = fields->only };

	return peat_session__add_functions(session, name, &opts) ? EXIT_FAILED : 0;
}

static int add_object(struct peat_session *session, const char *name,
		      const struct source_fields *fields)
{
	const struct probe *probe;

	if (peat_functions__are(name))
		return add_functions(session, name, fields);
	if (sources__is_file(name))
		return object_files__add(session, name) || !object_files__load(name) ? EXIT_FAILED
										     : 0;
	probe = sources__find_probe(name);
	if (!probe)
		return EXIT_USAGE;
	return peat_session__add(session, probe->name, probe->object, probe->object_bytes)
		       ? EXIT_FAILED
		       : 0;
}

/* `options`: "OPTION=VALUE,...", which is cut into pieces; NULL: none. */
static int add_source(struct peat_session *session, const char *name, char *options,
		      const struct source_fields *fields, uint32_t *kinds)
{
	int status;

	if (*name == '@')
		return add_kind(name, options, kinds);
	status = add_object(session, name, fields);
	if (!status && options)
		status = set_options(session, name, options);
	return status;
}

/* With other options, a probe has other events: syscall syscall,failed. */
static bool is_repeated(const char *const *names, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(names[i], names[j]))
			return true;
	return false;
}

/* `name`: of names[i], without options.  Kinds are a set, and a file has two instances then. */
static int check_repeated(const char *const *names, size_t i, const char *name)
{
	if (*name == '@' || sources__is_file(name) || !is_repeated(names, i))
		return 0;
	messages__print("probe %s is given twice: each of its events would be counted twice: give "
			"it once",
			names[i]);
	return EXIT_USAGE;
}

int sources__add(struct peat_session *session, const char *const *names, size_t count,
		 const struct source_fields *fields, uint32_t *kinds)
{
	int status = 0;

	*kinds = 0;
	for (size_t i = 0; !status && i < count; i++) {
		char *options = strdup(names[i]), *source = options;
		char *name = strsep(&options, ",");

		status = name ? check_repeated(names, i, name) : EXIT_FAILED;
		if (!status)
			status = add_source(session, name, options, fields, kinds);
		free(source);
	}
	return status;
}

/* ---- variables, types and programs ----------------------------------------------------------- */

int sources__set_variables(struct peat_session *session, const char *const *sets, size_t count)
{
	int status = 0;

	for (size_t i = 0; !status && i < count; i++) {
		char *text = strdup(sets[i]);
		char *name = strsep(&text, "=");

		if (!name || peat_session__set_variable(session, name, text))
			status = name ? EXIT_USAGE : EXIT_FAILED;
		free(name);
	}
	return status;
}

static int set_map_entries(struct peat_session *session, const char *map, const char *text)
{
	uint64_t entries;

	if (!parse_unit__count(text, UINT32_MAX, &entries)) {
		messages__print("--set-map %s=%s: expected a number such as 1024", map, text);
		return EXIT_USAGE;
	}
	return peat_session__set_map_entries(session, map, (uint32_t)entries) ? EXIT_USAGE : 0;
}

int sources__set_map_entries(struct peat_session *session, const char *const *sizes, size_t count)
{
	int status = 0;

	for (size_t i = 0; !status && i < count; i++) {
		char *text = strdup(sizes[i]);
		char *map = strsep(&text, "=");

		status = map ? set_map_entries(session, map, text) : EXIT_FAILED;
		free(map);
	}
	return status;
}

/* [MAP=]TYPE.  Names of types contain no "=". */
static int name_events(struct peat_session *session, const char *text)
{
	const char *equals = strchr(text, '=');
	char *map = equals ? strndup(text, (size_t)(equals - text)) : NULL;
	int err;

	if (equals && !map)
		return EXIT_FAILED;
	err = peat_session__name_events(session, map, equals ? equals + 1 : text);
	free(map);
	return err ? EXIT_USAGE : 0;
}

int sources__name_events(struct peat_session *session, const char *const *types, size_t count)
{
	int status = 0;

	for (size_t i = 0; !status && i < count; i++)
		status = name_events(session, types[i]);
	return status;
}

int sources__leave_out_programs(struct peat_session *session, const char *const *programs,
				size_t count)
{
	int status = 0;

	for (size_t i = 0; !status && i < count; i++)
		status = peat_session__leave_out(session, programs[i]) ? EXIT_USAGE : 0;
	return status;
}

static int choose_target(struct peat_session *session, const char *text)
{
	const char *equals = strchr(text, '=');
	char *program = strndup(text, (size_t)(equals - text));
	int err;

	if (!program)
		return EXIT_FAILED;
	err = peat_session__attach_to(session, program, equals + 1);
	free(program);
	return err ? EXIT_USAGE : 0;
}

int sources__choose_targets(struct peat_session *session, const char *const *targets, size_t count)
{
	int status = 0;

	for (size_t i = 0; !status && i < count; i++)
		status = choose_target(session, targets[i]);
	return status;
}
