// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/cgroup_tree.c: walks the cgroups, and finds them by their ids. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/cgroup.h"
#include "sys/cgroup_tree.h"

/* A file handle of kernfs is the 64-bit id (Linux 5.5). */
#define FILEID_KERNFS 0xfe

/* ---- walking --------------------------------------------------------------------------------- */

/* A cgroup that is removed meanwhile is left out. */
static int visit_all(FTS *tree, size_t root_bytes,
		     int (*visit)(void *arg, uint64_t id, const char *path), void *arg)
{
	const FTSENT *entry;
	int result = 0;

	while (!result && (errno = 0, entry = fts_read(tree)))
		if (entry->fts_info == FTS_D)
			result = visit(arg, entry->fts_statp->st_ino,
				       entry->fts_path[root_bytes] ? entry->fts_path + root_bytes
								   : "/");
	return result ? result : -errno;
}

int cgroup_tree__walk(int (*visit)(void *arg, uint64_t id, const char *path), void *arg)
{
	char root[PATH_MAX];
	char *const roots[] = { root, NULL };
	FTS *tree;
	int result;

	if (!cgroup__find_root(root, sizeof(root)))
		return -ENOENT;
	tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	if (!tree)
		return -errno;
	result = visit_all(tree, strlen(root), visit, arg);
	fts_close(tree);
	return result;
}

/* ---- finding --------------------------------------------------------------------------------- */

static int open_by_id(int root, uint64_t id)
{
	union {
		struct file_handle handle;
		unsigned char bytes[sizeof(struct file_handle) + sizeof(id)];
	} by_id = { .handle = { .handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS } };
	int fd;

	memcpy(by_id.handle.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(root, &by_id.handle, O_PATH | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int cgroup_tree__find(uint64_t id, char *path, size_t room)
{
	char mount_point[PATH_MAX];
	int root = -1, fd, err;

	if (cgroup__find_root(mount_point, sizeof(mount_point)))
		root = cgroup__open_at(AT_FDCWD, mount_point, O_RDONLY);
	if (root < 0)
		return -ENOENT;
	fd = open_by_id(root, id);
	close(root);
	if (fd < 0)
		return fd;
	err = cgroup__path(fd, path, room) ? 0 : -ENAMETOOLONG;
	close(fd);
	return err;
}

/* ---- records --------------------------------------------------------------------------------- */

/* A line of /proc/cgroups: name, hierarchy (0: cgroup2), number of cgroups, whether it is enabled.
 */
bool cgroup_tree__has_records(void)
{
	FILE *controllers = fopen("/proc/cgroups", "re");
	char line[256], name[64];
	unsigned int hierarchy, of_records = 0;

	while (controllers && fgets(line, sizeof(line), controllers))
		if (sscanf(line, "%63s %u", name, &hierarchy) == 2 && !strcmp(name, "perf_event"))
			of_records = hierarchy;
	if (controllers)
		fclose(controllers);
	return !of_records;
}
