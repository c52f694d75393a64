// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/mapped_files.c: finds and opens the files that processes execute. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sys/foreign_file.h"
#include "sys/libraries.h"
#include "sys/mapped_files.h"

#define DELETED " (deleted)"

/* ---- names ----------------------------------------------------------------------------------- */

/* The kernel appends it to the path of a file that was removed. */
static bool is_deleted(const char *path)
{
	size_t bytes = strlen(path), tail = strlen(DELETED);

	return bytes > tail && !strcmp(path + bytes - tail, DELETED);
}

bool mapped_files__is_of(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	char file[NAME_MAX + 1];
	size_t bytes;

	if (!slash)
		return false;
	bytes = strlen(slash + 1) - (is_deleted(path) ? strlen(DELETED) : 0);
	if (bytes > NAME_MAX)
		return false;
	memcpy(file, slash + 1, bytes);
	file[bytes] = '\0';
	return libraries__matches(file, name);
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Keeps the path, below `root`, if it leads to the open file. */
static bool try_path(struct mapped_file *file, const char *root, const char *path)
{
	char whole[PATH_MAX];
	struct stat found;

	if ((size_t)snprintf(whole, sizeof(whole), "%s%s", root, path) >= sizeof(whole) ||
	    stat(whole, &found) || !is_same(&found, &file->stat))
		return false;
	strcpy(file->path, whole);
	return true;
}

static int close_stale(struct mapped_file *file)
{
	close(file->fd);
	file->fd = -1;
	return -ESTALE;
}

static int open_below(struct mapped_file *file, const char *root, const char *path)
{
	file->fd = foreign_file__open(root, path, FOREIGN_LINKS, &file->stat);
	return file->fd < 0 ? file->fd : 0;
}

/* Links of the path that begin at its root would lead elsewhere from here: they are resolved. */
int mapped_files__open_in_root(struct mapped_file *file, uint32_t pid, const char *path)
{
	char root[32], by_fd[32], link[PATH_MAX] = "";
	int err;

	snprintf(root, sizeof(root), "/proc/%u/root", pid);
	err = open_below(file, root, path);
	if (err)
		return err;
	if (try_path(file, "", path) || try_path(file, root, path))
		return 0;
	snprintf(by_fd, sizeof(by_fd), "/proc/self/fd/%d", file->fd);
	if (readlink(by_fd, link, sizeof(link) - 1) > 0 &&
	    (try_path(file, "", link) || try_path(file, root, link)))
		return 0;
	return close_stale(file);
}

/* Only the number of the inode: btrfs and overlayfs show another device to stat(2). */
static bool is_mapped(const struct stat *found, const struct proc_map *map)
{
	return found->st_ino == map->inode;
}

static int open_by_root(struct mapped_file *file, uint32_t pid, const struct proc_map *map)
{
	int err = mapped_files__open_in_root(file, pid, map->path);

	return err || is_mapped(&file->stat, map) ? err : close_stale(file);
}

/* The way to a file that has no path any more. */
static int open_by_mapping(struct mapped_file *file, uint32_t pid, const struct proc_map *map)
{
	snprintf(file->path, sizeof(file->path), "/proc/%u/map_files/%llx-%llx", pid,
		 (unsigned long long)map->start, (unsigned long long)map->end);
	file->fd = foreign_file__open(NULL, file->path, FOREIGN_PROC_LINKS, &file->stat);
	return file->fd < 0 ? file->fd : 0;
}

/* The path as this process sees it is that of a process with another root below it, too. */
static bool open_here(struct mapped_file *file, const struct proc_map *map)
{
	if (open_below(file, NULL, map->path))
		return false;
	if (is_mapped(&file->stat, map) && file->stat.st_dev == makedev(map->major, map->minor) &&
	    try_path(file, "", map->path))
		return true;
	close_stale(file);
	return false;
}

int mapped_files__open(struct mapped_file *file, uint32_t pid, const struct proc_map *map)
{
	if (!is_deleted(map->path) && (open_here(file, map) || !open_by_root(file, pid, map)))
		return 0;
	return open_by_mapping(file, pid, map);
}

/* ---- all processes --------------------------------------------------------------------------- */

struct visit {
	const struct mapped_visitor *visitor;
	uint32_t pid;
	int result;
};

static void use_map(void *arg, const struct proc_map *map)
{
	struct visit *visit = arg;

	if (!visit->result && map->is_executable && map->path[0] == '/')
		visit->result = visit->visitor->use(visit->visitor->arg, visit->pid, map);
}

int mapped_files__visit_process(const struct mapped_visitor *visitor, uint32_t pid)
{
	struct visit visit = { visitor, pid, 0 };
	int err = proc_maps__each(pid, use_map, &visit);

	return err ? err : visit.result;
}

/* Processes that end meanwhile have no files. */
static int visit_accepted(struct mapped_visitor *visitor, uint32_t pid)
{
	struct visit visit = { visitor, pid, 0 };

	if (visitor->accepts(visitor->arg, pid))
		visitor->denied += proc_maps__each(pid, use_map, &visit) == -EACCES;
	return visit.result;
}

int mapped_files__visit(struct mapped_visitor *visitor)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int result = 0;

	if (!proc)
		return -errno;
	while (!result && (entry = readdir(proc))) {
		char *end;
		unsigned long pid = strtoul(entry->d_name, &end, 10);

		if (pid && !*end)
			result = visit_accepted(visitor, (uint32_t)pid);
	}
	closedir(proc);
	return result;
}
