// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/used_files.c: finds the files of the names of a session. */
#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/log.h"
#include "functions/function_probe.h"
#include "session/attach/attach_file.h"
#include "session/attach/library_programs.h"
#include "session/attach/source_file.h"
#include "session/attach/used_files.h"
#include "session/parts/session.h"
#include "sys/foreign_file.h"
#include "sys/libraries.h"
#include "sys/mapped_files.h"

/* ---- the same file --------------------------------------------------------------------------- */

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* The times that an inode got its content and its names. */
static bool has_same_times(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && is_same_time(&a->st_mtim, &b->st_mtim) &&
	       is_same_time(&a->st_ctim, &b->st_ctim);
}

/*
 * A probe keeps its inode, whose number cannot be used again.  Overlays of the same image show one
 * inode as several, with other devices and other high bits, and a second probe there would make
 * each event come twice.
 */
static bool is_same(const struct used_file *a, const struct used_file *b)
{
	const struct stat *one = &a->stat, *other = &b->stat;

	if (one->st_dev == other->st_dev && one->st_ino == other->st_ino)
		return a->is_attached || has_same_times(one, other);
	return (a->is_overlay || b->is_overlay) &&
	       (uint32_t)one->st_ino == (uint32_t)other->st_ino && has_same_times(one, other);
}

static bool has(const struct used_name *name, const struct used_file *file)
{
	for (size_t i = 0; i < name->count; i++)
		if (is_same(&name->files[i], file))
			return true;
	return false;
}

/* By the numbers of a mapping, which are those of stat() on most file systems. */
static bool has_mapped(const struct used_name *name, const struct proc_map *map)
{
	for (size_t i = 0; i < name->count; i++) {
		const struct used_file *file = &name->files[i];

		if (file->is_attached && file->stat.st_ino == map->inode &&
		    file->stat.st_dev == makedev(map->major, map->minor))
			return true;
	}
	return false;
}

/* ---- files ----------------------------------------------------------------------------------- */

const char *used_files__path(const struct used_file *file, char path[USED_PATH_BYTES])
{
	if (!file->is_further)
		return file->path;
	snprintf(path, USED_PATH_BYTES, "/proc/self/fd/%d", file->fd);
	return path;
}

static void close_file(struct used_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

static bool is_on_overlay(int fd)
{
	struct statfs system;

	return !fstatfs(fd, &system) && (uint32_t)system.f_type == OVERLAYFS_SUPER_MAGIC;
}

/* Owns the fd.  1: added; 0: it is no ELF file, or there already; -ENOMEM. */
static int add_file(struct used_name *name, const char *path, int fd, const struct stat *stat)
{
	struct used_file file = { .fd = fd, .stat = *stat, .is_overlay = is_on_overlay(fd) };
	bool is_new = libraries__is_elf(fd) && !has(name, &file);

	if (is_new && ARRAY_RESERVE_NEXT(name->files, name->count))
		file.path = strdup(path);
	if (file.path) {
		name->files[name->count++] = file;
		return 1;
	}
	close(fd);
	return is_new ? -ENOMEM : 0;
}

static void drop_last(struct used_name *name)
{
	struct used_file *last = &name->files[--name->count];

	close_file(last);
	free(last->path);
}

static int add_path(struct used_name *name, const char *path)
{
	struct stat stat;
	int fd = foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, &stat);
	int added = fd < 0 ? fd : add_file(name, path, fd, &stat);

	return added < 0 ? added : 0;
}

static int add_named_path(struct used_name *name, const struct peat_session_opts *opts)
{
	char path[PATH_MAX];

	name->err = source_file__find(opts, name->name, path);
	if (!name->err)
		name->err = add_path(name, path);
	if (name->err == -ENOTSUP || (!name->err && !name->count))
		name->err = -ENOEXEC;
	return name->err == -ENOMEM ? -ENOMEM : 0;
}

/* Files that cannot be opened are left out. */
static int add_libraries(struct used_name *name, uint32_t pid)
{
	struct libraries found;
	int err = libraries__find(&found, name->name, pid);

	name->err = err;
	if (err)
		return err == -ENOMEM ? err : 0;
	for (size_t i = 0; i < found.count && err != -ENOMEM; i++) {
		err = add_path(name, found.paths[i]);
		name->err = name->count ? 0 : err;
	}
	libraries__free(&found);
	return err == -ENOMEM ? err : 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

struct used_name *used_files__of(struct peat_session *session, const char *name)
{
	struct used_files *files = session->files;

	for (size_t i = 0; files && i < files->count; i++)
		if (!strcmp(files->names[i].name, name))
			return &files->names[i];
	return NULL;
}

/* `first`: the file of a source, or NULL. */
static int add_name(struct peat_session *session, const char *name, const char *first)
{
	struct used_files *files = session->files;
	struct used_name *added = used_files__of(session, name);

	if (added)
		return first && add_path(added, first) == -ENOMEM ? -ENOMEM : 0;
	if (!ARRAY_RESERVE_NEXT(files->names, files->count))
		return -ENOMEM;
	added = &files->names[files->count];
	*added = (struct used_name){ .name = strdup(name) };
	if (!added->name)
		return -ENOMEM;
	files->count++;
	if (first && add_path(added, first) == -ENOMEM)
		return -ENOMEM;
	return strchr(name, '/') ? add_named_path(added, &session->opts)
				 : add_libraries(added, session->opts.pid);
}

/* A path is one file, and an offset is right in one file only. */
static const char *name_of(const struct part *part)
{
	const struct function_source *source = part->functions ? &part->functions->source : NULL;

	return source && source->file && !strchr(source->file, '/') && source->pattern &&
			       !source->offset
		       ? source->file
		       : NULL;
}

static int add_names_of_programs(struct peat_session *session, const struct part *part)
{
	struct bpf_program *program;
	char name[UPROBE_NAME_BYTES];
	int err = 0;

	bpf_object__for_each_program(program, part->object)
	{
		if (!err && bpf_program__autoload(program) &&
		    library_programs__accepts(part, program) &&
		    library_programs__file(part, program, name))
			err = add_name(session, name, NULL);
	}
	return err;
}

int used_files__open(struct peat_session *session)
{
	int err;

	session->files = calloc(1, sizeof(*session->files));
	if (!session->files)
		return -ENOMEM;
	err = process_filter__init(&session->files->filter, &session->opts);
	for (size_t i = 0; !err && i < session->part_count; i++) {
		const struct part *part = &session->parts[i];

		if (name_of(part))
			err = add_name(session, name_of(part), part->functions->path);
		else if (!part->functions)
			err = add_names_of_programs(session, part);
	}
	if (err || !session->files->count)
		used_files__free(session);
	return err;
}

void used_files__free(struct peat_session *session)
{
	struct used_files *files = session->files;

	for (size_t i = 0; files && i < files->count; i++) {
		struct used_name *name = &files->names[i];

		for (size_t at = 0; at < name->count; at++) {
			close_file(&name->files[at]);
			free(name->files[at].path);
		}
		free(name->files);
		free(name->name);
	}
	if (files) {
		process_filter__free(&files->filter);
		free(files->names);
	}
	free(files);
	session->files = NULL;
}

/* ---- processes ------------------------------------------------------------------------------- */

bool used_files__follow_processes(const struct peat_session *session)
{
	const struct used_files *files = session->files;

	for (size_t i = 0; files && !session->opts.pid && i < files->count; i++)
		if (!strchr(files->names[i].name, '/'))
			return true;
	return false;
}

static bool accepts(void *arg, uint32_t pid)
{
	const struct peat_session *session = arg;

	return process_filter__accepts(&session->files->filter, pid);
}

static void note_full(struct used_files *files, const char *why)
{
	if (!files->is_full)
		log__warn(
			"processes have more files of these libraries and programs, which are not "
			"traced: %s",
			why);
	files->is_full = true;
}

/* 1: the file is new; 0: it is not, or not within reach; -ENOMEM. */
static int add_mapped(struct used_files *files, struct used_name *name, uint32_t pid,
		      const struct proc_map *map)
{
	struct mapped_file file;
	int added;

	if (strchr(name->name, '/') || !mapped_files__is_of(map->path, name->name) ||
	    has_mapped(name, map) || mapped_files__open(&file, pid, map))
		return 0;
	added = add_file(name, file.path, file.fd, &file.stat);
	if (added <= 0)
		return added;
	if (files->further >= USED_FILES_MAX) {
		drop_last(name);
		note_full(files, "there are too many");
		return 0;
	}
	files->further++;
	name->files[name->count - 1].is_further = true;
	return 1;
}

static int add_to_names(void *arg, uint32_t pid, const struct proc_map *map)
{
	struct peat_session *session = arg;
	int added = 0;

	for (size_t i = 0; added >= 0 && i < session->files->count; i++)
		added = add_mapped(session->files, &session->files->names[i], pid, map);
	return added < 0 ? added : 0;
}

/* A child of the caller has no descendants yet. */
int used_files__scan(struct peat_session *session)
{
	struct mapped_visitor visitor = { accepts, add_to_names, session, 0 };
	uint32_t ancestor = session->opts.ancestor;
	int err = ancestor ? mapped_files__visit_process(&visitor, ancestor)
			   : mapped_files__visit(&visitor);

	if (visitor.denied)
		log__info("files that only %u processes of other users have are not traced: that "
			  "needs CAP_SYS_PTRACE",
			  visitor.denied);
	if (err && err != -ENOMEM)
		log__warn("files of other containers are not traced: cannot read /proc: %s",
			  strerror(-err));
	return err == -ENOMEM ? err : 0;
}

/* ---- attaching ------------------------------------------------------------------------------- */

static void log_failure(struct used_files *files, const char *path, int err)
{
	if (err == -ENOENT)
		log__debug("%s has none of the functions", path);
	else if (!files->has_failed)
		log__warn("cannot trace %s: %s: its calls are missing (other files that fail are "
			  "not mentioned)",
			  path, strerror(-err));
	files->has_failed |= err != -ENOENT;
}

void used_files__count_links(struct peat_session *session, const struct used_file *file,
			     uint32_t before)
{
	for (uint32_t i = before; file->is_further && i < session->link_count; i++)
		session->files->links += session->links[i].link != NULL;
}

bool used_files__may_attach(struct peat_session *session, const struct used_file *file)
{
	if (!file->is_further || session->files->links < USED_LINKS_MAX)
		return true;
	note_full(session->files, "this kernel takes 80 ms to remove each probe");
	return false;
}

/* Whether the part has programs for files of this name. */
static bool is_for(const struct part *part, const struct used_name *name)
{
	return name_of(part) ? !strcmp(name_of(part), name->name) : !part->functions;
}

static void attach_part(struct peat_session *session, struct part *part,
			const struct used_name *name, struct used_file *file)
{
	uint32_t before = session->link_count;
	int err;

	if (!used_files__may_attach(session, file))
		return;
	err = attach_file__run(session, part, name->name, file);
	used_files__count_links(session, file, before);
	if (err) {
		log_failure(session->files, file->path, err);
		return;
	}
	file->is_attached = true;
	log__info("%s: also traces %s", part->name, file->path);
}

static void attach_new(struct peat_session *session, struct used_name *name, struct used_file *file)
{
	for (size_t i = 0; i < session->part_count; i++)
		if (is_for(&session->parts[i], name))
			attach_part(session, &session->parts[i], name, file);
	close_file(file);
}

/* The first file is that of the source. */
void used_files__attach(struct peat_session *session)
{
	for (size_t i = 0; i < session->part_count; i++) {
		struct part *part = &session->parts[i];
		struct used_name *name =
			name_of(part) ? used_files__of(session, name_of(part)) : NULL;

		for (size_t at = 0; name && at < name->count; at++) {
			if (attach_file__is_first(part, &name->files[at]))
				name->files[at].is_attached = true;
			else
				attach_part(session, part, name, &name->files[at]);
		}
	}
	for (size_t i = 0; session->files && i < session->files->count; i++)
		for (size_t at = 0; at < session->files->names[i].count; at++)
			close_file(&session->files->names[i].files[at]);
}

static int see(void *arg, uint32_t pid, const struct proc_map *map)
{
	struct peat_session *session = arg;

	for (size_t i = 0; i < session->files->count; i++) {
		struct used_name *name = &session->files->names[i];

		if (mapped_files__is_of(map->path, name->name) && !has_mapped(name, map) &&
		    accepts(session, pid) && add_mapped(session->files, name, pid, map) > 0)
			attach_new(session, name, &name->files[name->count - 1]);
	}
	return 0;
}

void used_files__see(struct peat_session *session, uint32_t pid, const struct proc_map *map)
{
	see(session, pid, map);
}

void used_files__see_process(struct peat_session *session, uint32_t pid)
{
	struct mapped_visitor visitor = { accepts, see, session, 0 };

	mapped_files__visit_process(&visitor, pid);
}

void used_files__see_all(struct peat_session *session)
{
	struct mapped_visitor visitor = { accepts, see, session, 0 };

	mapped_files__visit(&visitor);
}
