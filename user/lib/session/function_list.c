// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/function_list.c: lists the functions that a source stands for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/btf.h>

#include <peat/functions.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "functions/find_functions.h"
#include "functions/function_field.h"
#include "functions/user_prototypes.h"
#include "session/functions.h"
#include "sys/mapped_files.h"

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

/* ---- USDT of all files ----------------------------------------------------------------------- */

/* "usdt:*:PROVIDER:NAME" */
static bool is_of_all_files(const struct function_source *source)
{
	return source->kind == SOURCE_USDT && !strcmp(source->file, "*");
}

struct all_files {
	struct function_source source; /* with the file that is listed */
	struct file_number {
		dev_t device;
		ino_t inode;
	} * seen;
	size_t count, listed;
	int (*visit)(void *ctx, const struct peat_function *function);
	void *ctx;
};

static bool was_seen(const struct all_files *all, const struct stat *stat)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->seen[i].device == stat->st_dev && all->seen[i].inode == stat->st_ino)
			return true;
	return false;
}

/* Most files have no USDT. */
static int list_file(struct all_files *all, struct mapped_file *file)
{
	struct found_functions found = { 0 };
	struct listing listing = { .source = &all->source };
	int result = 0;

	all->source.file = file->path;
	if (!find_functions__search(&found, &all->source, file->path)) {
		all->listed += found.count;
		result = visit_all(&listing, &found, all->visit, all->ctx);
	}
	strbuf__free(&listing.name);
	strbuf__free(&listing.prototype);
	found_functions__free(&found);
	return result;
}

static int use_mapping(void *arg, uint32_t pid, const struct proc_map *map)
{
	struct all_files *all = arg;
	struct mapped_file file;
	int result = 0;

	if (mapped_files__open(&file, pid, map))
		return 0;
	if (!was_seen(all, &file.stat)) {
		if (ARRAY_RESERVE_NEXT(all->seen, all->count)) {
			all->seen[all->count++] =
				(struct file_number){ file.stat.st_dev, file.stat.st_ino };
			result = list_file(all, &file);
		} else {
			result = -ENOMEM;
		}
	}
	close(file.fd);
	return result;
}

static bool accepts_all(void *arg, uint32_t pid)
{
	(void)arg;
	(void)pid;
	return true;
}

static int log_none(const struct function_source *source, uint32_t pid, int err)
{
	if (err == -ENOENT)
		log__error("%s: there is no process %u", source->text, pid);
	else if (err)
		log__error("%s: cannot read the files of process %u: %s", source->text, pid,
			   strerror(-err));
	else if (pid)
		log__error("%s: process %u executes no file with such USDT", source->text, pid);
	else
		log__error("%s: the running processes execute no file with such USDT",
			   source->text);
	return err == -ENOENT ? -ESRCH : err ? err : -ENOENT;
}

static int list_all(const struct function_source *source, uint32_t pid,
		    int (*visit)(void *ctx, const struct peat_function *function), void *ctx)
{
	struct all_files all = { .source = *source, .visit = visit, .ctx = ctx };
	struct mapped_visitor visitor = { accepts_all, use_mapping, &all, 0 };
	int result =
		pid ? mapped_files__visit_process(&visitor, pid) : mapped_files__visit(&visitor);

	free(all.seen);
	return all.listed || result == -ENOMEM ? result : log_none(source, pid, result);
}

/* ---------------------------------------------------------------------------------------------- */

int peat_functions__each_of(const char *text, uint32_t pid,
			    int (*visit)(void *ctx, const struct peat_function *function),
			    void *ctx)
{
	const struct peat_session_opts opts = { .sz = sizeof(opts), .pid = pid };
	struct function_source source;
	char path[PATH_MAX];
	int err = functions__parse(&source, strcmp(text, "usdt:*") ? text : "usdt:*:*:*");

	if (err)
		return fail(err);
	if (is_of_all_files(&source)) {
		err = list_all(&source, pid, visit, ctx);
	} else {
		err = functions__find_file(&source, &opts, path);
		if (!err)
			err = list(&source, path, visit, ctx);
	}
	function_source__free(&source);
	return err < 0 ? fail(err) : err;
}

int peat_functions__each(const char *text,
			 int (*visit)(void *ctx, const struct peat_function *function), void *ctx)
{
	return peat_functions__each_of(text, 0, visit, ctx);
}
