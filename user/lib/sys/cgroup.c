// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/cgroup.c: directories of cgroups. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>

#include "base/log.h"
#include "sys/cgroup.h"

int cgroup__open_at(int folder, const char *path, int access)
{
	int fd = openat(folder, path, access | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

bool cgroup__find_root(char *root, size_t room)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount = NULL;

	while (mounts && (mount = getmntent(mounts)) && strcmp(mount->mnt_type, "cgroup2"))
		;
	if (mount)
		snprintf(root, room, "%s", mount->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return mount;
}

int cgroup__open(const char *path, int access)
{
	char root[PATH_MAX], below_root[2 * PATH_MAX];
	int fd = cgroup__open_at(AT_FDCWD, path, access);

	if (fd >= 0)
		return fd;
	if (!cgroup__find_root(root, sizeof(root))) {
		log__error("cannot find cgroup '%s': no cgroup2 file system is mounted: mount -t "
			   "cgroup2 none /sys/fs/cgroup",
			   path);
		return -ENOENT;
	}
	snprintf(below_root, sizeof(below_root), "%s/%s", root, path);
	fd = cgroup__open_at(AT_FDCWD, below_root, access);
	if (fd >= 0)
		return fd;
	log__error("'%s' is not a cgroup, neither as a path nor below %s", path, root);
	return -ENOENT;
}

/* ---- paths ----------------------------------------------------------------------------------- */

bool cgroup__is_below(const char *path, const char *above)
{
	size_t bytes = strcmp(above, "/") ? strlen(above) : 0;

	return !strncmp(path, above, bytes) && (!path[bytes] || path[bytes] == '/');
}

bool cgroup__path(int cgroup, char *path, size_t room)
{
	char by_fd[32], whole[PATH_MAX], root[PATH_MAX];
	ssize_t bytes;

	snprintf(by_fd, sizeof(by_fd), "/proc/self/fd/%d", cgroup);
	bytes = readlink(by_fd, whole, sizeof(whole) - 1);
	if (bytes <= 0 || !cgroup__find_root(root, sizeof(root)))
		return false;
	whole[bytes] = '\0';
	if (!cgroup__is_below(whole, root))
		return false;
	return (size_t)snprintf(path, room, "%s",
				whole[strlen(root)] ? whole + strlen(root) : "/") < room;
}

/* The hierarchy of cgroup2 has number 0: "0::/a/b". */
bool cgroup__path_of(uint32_t pid, char *path, size_t room)
{
	char name[32], *line = NULL;
	size_t line_room = 0;
	bool is_found = false;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%u/cgroup", pid);
	file = fopen(name, "re");
	while (file && !is_found && getline(&line, &line_room, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		is_found = !strncmp(line, "0::/", 4) &&
			   (size_t)snprintf(path, room, "%s", line + 3) < room;
	}
	free(line);
	if (file)
		fclose(file);
	return is_found;
}
