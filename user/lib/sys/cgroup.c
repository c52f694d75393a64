// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/cgroup.c: directories of cgroups. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
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

/* The mount point of cgroup2; false: it is not mounted. */
static bool find_root(char *root, size_t room)
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
	if (!find_root(root, sizeof(root))) {
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
