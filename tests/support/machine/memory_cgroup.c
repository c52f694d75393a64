// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* memory_cgroup.c: makes and removes a cgroup with a limit of memory. */
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <check.h>

#include "memory_cgroup.h"
#include "mounts.h"

#define PATH_BYTES 512

static bool write_file(const char *directory, const char *name, const char *text)
{
	char path[PATH_BYTES];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return done;
}

/* The mount point of version 1's controller; false: it is not mounted. */
static bool find_version_1(char *directory)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *entry;

	ck_assert_ptr_nonnull(mounts);
	while ((entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "cgroup") && hasmntopt(entry, "memory"))
			break;
	if (entry)
		snprintf(directory, PATH_BYTES / 2, "%s", entry->mnt_dir);
	endmntent(mounts);
	return entry;
}

static bool enable_version_2(char *directory)
{
	snprintf(directory, PATH_BYTES / 2, "%s", mounts__cgroup2());
	return write_file(directory, "cgroup.subtree_control", "+memory");
}

const char *memory_cgroup__make(const char *name, size_t bytes)
{
	static char path[PATH_BYTES];
	char root[PATH_BYTES / 2], limit[32];
	bool is_version_1 = find_version_1(root);

	if (!is_version_1 && !enable_version_2(root))
		return NULL;
	snprintf(path, sizeof(path), "%s/%s", root, name);
	ck_assert_msg(!mkdir(path, 0755) || errno == EEXIST, "%s: %s", path, strerror(errno));
	snprintf(limit, sizeof(limit), "%zu", bytes);
	ck_assert_msg(
		write_file(path, is_version_1 ? "memory.limit_in_bytes" : "memory.max", limit),
		"%s: no limit: %s", path, strerror(errno));
	write_file(path, is_version_1 ? "memory.swappiness" : "memory.swap.max", "0");
	return path;
}

void memory_cgroup__remove(const char *path)
{
	while (rmdir(path)) {
		ck_assert_msg(errno == EBUSY, "%s: %s", path, strerror(errno));
		usleep(1000);
	}
}
