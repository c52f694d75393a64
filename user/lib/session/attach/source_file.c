// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/source_file.c: finds files of processes and of this machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/session.h>

#include "base/text.h"
#include "session/attach/process_filter.h"
#include "session/attach/source_file.h"
#include "session/attach/uprobe_target.h"
#include "sys/libraries.h"
#include "sys/mapped_files.h"

struct search {
	const char *name;
	char *path; /* of PATH_MAX bytes */
	struct process_filter filter;
};

static bool accepts(void *arg, uint32_t pid)
{
	const struct search *search = arg;

	return process_filter__accepts(&search->filter, pid);
}

/* 1: found */
static int use_mapping(void *arg, uint32_t pid, const struct proc_map *map)
{
	const struct search *search = arg;
	struct mapped_file file;
	bool is_elf;

	if (!mapped_files__is_of(map->path, search->name) || mapped_files__open(&file, pid, map))
		return 0;
	is_elf = libraries__is_elf(file.fd);
	close(file.fd);
	if (is_elf)
		strcpy(search->path, file.path);
	return is_elf;
}

static int found_or(int result)
{
	return result > 0 ? 0 : result ? result : -ENOENT;
}

/* ---- a process ------------------------------------------------------------------------------- */

static int find_in_root(uint32_t pid, const char *name, char *path)
{
	struct mapped_file file;
	int err = mapped_files__open_in_root(&file, pid, name);

	if (err)
		return err;
	close(file.fd);
	strcpy(path, file.path);
	return 0;
}

static int find_mapped(uint32_t pid, const char *name, char *path)
{
	struct search search = { .name = name, .path = path };
	const struct mapped_visitor visitor = { .use = use_mapping, .arg = &search };
	int result = mapped_files__visit_process(&visitor, pid);

	return result == -ENOENT ? -ESRCH : found_or(result);
}

/* A program that contains the library has no file of that name. */
static int find_of_process(uint32_t pid, const char *name, char *path)
{
	char here[PATH_MAX];
	int err = find_mapped(pid, name, path);

	if (err != -ENOENT)
		return err;
	if (!uprobe_target__find_file(name, here, sizeof(here)))
		err = find_in_root(pid, here, path);
	if (!err || !libraries__is_library_name(name))
		return err;
	snprintf(path, PATH_MAX, "/proc/%u/exe", pid);
	return 0;
}

/* ---- all processes --------------------------------------------------------------------------- */

static int find_in_use(const struct peat_session_opts *opts, const char *name, char *path)
{
	struct search search = { .name = name, .path = path };
	struct mapped_visitor visitor = { accepts, use_mapping, &search, 0 };
	int err = process_filter__init(&search.filter, opts);

	if (!err)
		err = found_or(mapped_files__visit(&visitor));
	process_filter__free(&search.filter);
	return err;
}

int source_file__find(const struct peat_session_opts *opts, const char *name, char path[PATH_MAX])
{
	bool is_path = strchr(name, '/'), is_own = name[0] != '/' || begins_with(name, "/proc/");
	int err;

	if (opts->pid && is_path && !is_own)
		return find_in_root(opts->pid, name, path);
	if (opts->pid && !is_path)
		return find_of_process(opts->pid, name, path);
	err = uprobe_target__find_file(name, path, PATH_MAX);
	return err == -ENOENT && !is_path ? find_in_use(opts, name, path) : err;
}
