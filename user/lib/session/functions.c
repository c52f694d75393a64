// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/functions.c: adds functions and tracepoints to a session. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/functions.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "functions/function_probe.h"
#include "session/adding.h"
#include "session/attach/source_file.h"
#include "session/functions.h"
#include "session/parts/session.h"
#include "tables/table.h"
#include "where/tree.h"

/* ---- names in expressions and tables --------------------------------------------------------- */

struct names {
	char **at;
	size_t count;
};

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->at[i]);
	free(names->at);
}

/* The first `bytes` bytes of a path, up to the index of an element. */
static int add_name(struct names *names, const char *path, size_t bytes)
{
	size_t index = strcspn(path, "[");
	char *name;

	if (!ARRAY_RESERVE_NEXT(names->at, names->count))
		return -ENOMEM;
	name = strndup(path, index < bytes ? index : bytes);
	if (!name)
		return -ENOMEM;
	names->at[names->count++] = name;
	return 0;
}

static int add_where(struct names *names, const struct peat_where *where)
{
	const char *path;
	int err = 0;

	for (uint32_t i = 0; where && !err && (path = where__path(where, i)); i++)
		err = add_name(names, path, strlen(path));
	return err;
}

/* "comm,file.f_inode.i_ino" */
static int add_keys(struct names *names, const char *keys)
{
	int err = 0;

	while (keys && *keys && !err) {
		size_t bytes = strcspn(keys, ",");

		err = bytes ? add_name(names, keys, bytes) : 0;
		keys += bytes + (keys[bytes] == ',');
	}
	return err;
}

static int add_table(struct names *names, const struct peat_table *table)
{
	const struct peat_table_opts *opts = table ? table__opts(table) : NULL;

	return opts ? add_keys(names, opts->by) ?: add_keys(names, opts->field) : 0;
}

/* ---- adding ---------------------------------------------------------------------------------- */

int functions__parse(struct function_source *source, const char *text)
{
	const char *why;
	int err = function_source__parse(source, text, &why);

	if (err == -EINVAL)
		log__error("%s: %s", text, why);
	return err;
}

static int log_no_file(const struct function_source *source, uint32_t pid, int err)
{
	if (pid && err == -ENOENT)
		log__error("%s: process %u has no file %s, neither mapped nor in its root "
			   "directory, /proc/%u/root",
			   source->text, pid, source->file, pid);
	else if (pid && err == -ESRCH)
		log__error("%s: there is no process %u", source->text, pid);
	else
		log__error("%s: cannot find the file %s: %s", source->text, source->file,
			   strerror(-err));
	return err;
}

int functions__find_file(const struct function_source *source, const struct peat_session_opts *opts,
			 char path[PATH_MAX])
{
	int err;

	path[0] = '\0';
	if (!source->file)
		return 0;
	err = source_file__find(opts, source->file, path);
	if (!err && access(path, F_OK))
		err = -errno;
	return err ? log_no_file(source, opts->pid, err) : 0;
}

static const struct peat_session_opts no_filter = { .sz = sizeof(no_filter) };

/* `session`: NULL: without filters. */
static int make_probe(struct function_probe *probe, const char *text,
		      const struct peat_session *session, const struct wanted_fields *wanted,
		      uint32_t most)
{
	struct function_source source;
	char path[PATH_MAX];
	int err = functions__parse(&source, text);

	if (err)
		return err;
	err = functions__find_file(&source, session ? &session->opts : &no_filter, path);
	if (err) {
		function_source__free(&source);
		return err;
	}
	return function_probe__make(probe, &source, *path ? path : NULL,
				    session ? session->btf : NULL, wanted, most);
}

/* The session owns the probe from then on, also after an error. */
static int add_object(struct peat_session *session, struct function_probe *probe)
{
	struct function_probe *kept = malloc(sizeof(*kept));
	int err = kept ? adding__elf(session, function_probe__name(probe), probe->object,
				     probe->object_bytes)
		       : -ENOMEM;

	if (err) {
		function_probe__free(probe);
		free(kept);
		return err;
	}
	*kept = *probe;
	session->parts[session->part_count - 1].functions = kept;
	return 0;
}

static int add(struct peat_session *session, const char *source,
	       const struct peat_function_opts *opts)
{
	struct names names = { 0 };
	struct wanted_fields wanted = {
		.paths = opts->fields,
		.count = opts->field_count,
		.no_others = opts->only_named,
	};
	struct function_probe probe;
	int err = add_where(&names, session->opts.where) ?: add_table(&names, session->opts.table);

	wanted.names = (const char *const *)names.at;
	wanted.name_count = (uint32_t)names.count;
	if (!err)
		err = make_probe(&probe, source, session, &wanted, opts->most);
	free_names(&names);
	return err ?: add_object(session, &probe);
}

static int read_opts(struct peat_function_opts *opts, const struct peat_function_opts *callers)
{
	return opts__read(opts, sizeof(*opts), callers, "peat_function_opts")
		       ?: OPTS_CHECK_RESERVED(opts, "peat_function_opts");
}

bool peat_functions__are(const char *source)
{
	return function_source__is(source);
}

struct peat_object *peat_object__open_functions(const char *source,
						const struct peat_function_opts *callers_opts)
{
	struct peat_function_opts opts = { .sz = sizeof(opts) };
	struct function_probe probe;
	struct peat_object *object;
	int err = read_opts(&opts, callers_opts);
	const struct wanted_fields wanted = { .paths = opts.fields, .count = opts.field_count };

	if (!err)
		err = make_probe(&probe, source, NULL, &wanted, opts.most);
	if (err)
		return fail_null(err);
	object = peat_object__open(probe.object, probe.object_bytes, source);
	err = -errno;
	function_probe__free(&probe);
	return object ? object : fail_null(err);
}

/* ---- the session ----------------------------------------------------------------------------- */

int peat_session__add_functions(struct peat_session *session, const char *source,
				const struct peat_function_opts *callers_opts)
{
	struct peat_function_opts opts = { .sz = sizeof(opts) };
	int err = parts__check_not_started(session);

	if (!err)
		err = read_opts(&opts, callers_opts);
	if (!err)
		err = add(session, source, &opts);
	return err ? fail(err) : 0;
}
