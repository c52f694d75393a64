// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/functions.c: adds functions and tracepoints to a session. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include <peat/functions.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "base/strbuf.h"
#include "functions/find_functions.h"
#include "functions/function_field.h"
#include "functions/function_probe.h"
#include "functions/user_prototypes.h"
#include "session/adding.h"
#include "session/attach/uprobe_target.h"
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

static int parse(struct function_source *source, const char *text)
{
	const char *why;
	int err = function_source__parse(source, text, &why);

	if (err == -EINVAL)
		log__error("%s: %s", text, why);
	return err;
}

/* `path` becomes "" for functions of the kernel. */
static int find_file(const struct function_source *source, char path[PATH_MAX])
{
	int err;

	path[0] = '\0';
	if (!source->file)
		return 0;
	err = uprobe_target__find_file(source->file, path, PATH_MAX);
	if (err)
		log__error("%s: cannot find the file %s: %s", source->text, source->file,
			   strerror(-err));
	return err;
}

static int make_probe(struct function_probe *probe, const char *text, const char *btf,
		      const struct wanted_fields *wanted, uint32_t most)
{
	struct function_source source;
	char path[PATH_MAX];
	int err = parse(&source, text);

	if (err)
		return err;
	err = find_file(&source, path);
	if (err) {
		function_source__free(&source);
		return err;
	}
	return function_probe__make(probe, &source, *path ? path : NULL, btf, wanted, most);
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
		err = make_probe(&probe, source, session->btf, &wanted, opts->most);
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

/* ---- listing --------------------------------------------------------------------------------- */

struct listing {
	const struct function_source *source;
	struct prototypes *prototypes; /* of the kernel; NULL: none are known */
	struct btf *user_btf;	       /* of the program; NULL: no prototypes are known */
	struct strbuf name, prototype;
};

static void write_part(struct strbuf *out, const char *part)
{
	strbuf__text(out, part);
	strbuf__char(out, ':');
}

static void write_name(struct listing *listing, const struct found_function *found)
{
	const struct function_source *source = listing->source;

	listing->name.count = 0;
	write_part(&listing->name, function_source__word(source->kind));
	if (source->file)
		write_part(&listing->name, source->file);
	if (source->group)
		write_part(&listing->name, found->module);
	strbuf__text(&listing->name, found->name);
	strbuf__char(&listing->name, '\0');
}

static bool find_prototype(const struct listing *listing, const struct found_function *found,
			   struct prototype *prototype)
{
	if (listing->prototypes)
		return prototypes__find(listing->prototypes, found->name, found->module, prototype);
	return user_prototypes__find(listing->user_btf, found, prototype);
}

static bool write_prototype(struct listing *listing, const struct found_function *found)
{
	struct prototype prototype;

	listing->prototype.count = 0;
	if (!find_prototype(listing, found, &prototype))
		return false;
	prototype__append(&listing->prototype, &prototype, found->name);
	strbuf__char(&listing->prototype, '\0');
	return true;
}

static int visit_all(struct listing *listing, const struct found_functions *found,
		     int (*visit)(void *ctx, const struct peat_function *function), void *ctx)
{
	int result = 0;

	for (size_t i = 0; !result && i < found->count; i++) {
		struct peat_function function = { .sz = sizeof(function) };
		bool is_known = write_prototype(listing, &found->at[i]);

		write_name(listing, &found->at[i]);
		if (listing->name.failed || listing->prototype.failed)
			return -ENOMEM;
		function.source = listing->name.bytes;
		function.prototype = is_known ? listing->prototype.bytes : NULL;
		function.arguments = found->at[i].arguments;
		if (!listing->source->group)
			function.module = found->at[i].module;
		result = visit(ctx, &function);
	}
	return result;
}

static int open_prototypes(struct listing *listing, const char *path, struct found_functions *found)
{
	switch (listing->source->kind) {
	case SOURCE_KPROBE:
	case SOURCE_KRETPROBE:
		return prototypes__open(&listing->prototypes, NULL);
	case SOURCE_UPROBE:
	case SOURCE_URETPROBE:
		return user_prototypes__read(&listing->user_btf, path, found, false);
	default:
		return 0;
	}
}

static int list(const struct function_source *source, const char *path,
		int (*visit)(void *ctx, const struct peat_function *function), void *ctx)
{
	struct listing listing = { .source = source };
	struct found_functions found = { 0 };
	int err = find_functions__run(&found, source, path, UINT32_MAX);

	if (!err)
		err = open_prototypes(&listing, path, &found);
	if (err == -ENOENT && found.count) /* without BTF */
		err = 0;
	if (!err)
		err = visit_all(&listing, &found, visit, ctx);
	prototypes__free(listing.prototypes);
	btf__free(listing.user_btf);
	strbuf__free(&listing.name);
	strbuf__free(&listing.prototype);
	found_functions__free(&found);
	return err;
}

int peat_functions__each(const char *text,
			 int (*visit)(void *ctx, const struct peat_function *function), void *ctx)
{
	struct function_source source;
	char path[PATH_MAX];
	int err = parse(&source, text);

	if (err)
		return fail(err);
	err = find_file(&source, path);
	if (!err)
		err = list(&source, path, visit, ctx);
	function_source__free(&source);
	return err < 0 ? fail(err) : err;
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
