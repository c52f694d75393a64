// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* private_dir.c: a temporary directory that no other user can enter. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/private_dir.h"

/* The parent may be a directory of another user, who can put another directory in its place. */
static bool is_private(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && status.st_uid == geteuid() && !(status.st_mode & 0077);
}

/* Programs that peat runs inherit the file descriptor. */
static int make(struct private_dir *directory, const char *parent)
{
	uint64_t number;

	directory->parent = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory->parent < 0 || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -errno;
	snprintf(directory->name, sizeof(directory->name), "peat-%016" PRIx64, number);
	if (mkdirat(directory->parent, directory->name, 0700))
		return -errno;
	directory->fd =
		openat(directory->parent, directory->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (directory->fd < 0)
		return -errno;
	return is_private(directory->fd) ? 0 : -EPERM;
}

int private_dir__make(struct private_dir *directory)
{
	const char *parent = getenv("TMPDIR");
	int err;

	*directory = (struct private_dir){ .parent = -1, .fd = -1 };
	if (!parent || !*parent)
		parent = "/tmp";
	err = make(directory, parent);
	if (!err)
		return 0;
	errno = -err;
	messages__print("cannot make a directory in %s: %m: set TMPDIR to a directory of yours",
			parent);
	if (*directory->name)
		unlinkat(directory->parent, directory->name, AT_REMOVEDIR);
	if (directory->fd >= 0)
		close(directory->fd);
	if (directory->parent >= 0)
		close(directory->parent);
	return EXIT_FAILED;
}

static void remove_files(int fd)
{
	DIR *entries = fdopendir(fd);
	const struct dirent *entry;

	if (!entries) {
		close(fd);
		return;
	}
	while ((entry = readdir(entries)))
		unlinkat(fd, entry->d_name, 0);
	closedir(entries);
}

void private_dir__remove(struct private_dir *directory)
{
	remove_files(directory->fd);
	unlinkat(directory->parent, directory->name, AT_REMOVEDIR);
	close(directory->parent);
}

void private_dir__path(const struct private_dir *directory, const char *name,
		       char path[static PATH_MAX])
{
	snprintf(path, PATH_MAX, "/proc/self/fd/%d/%s", directory->fd, name);
}

int private_dir__create(const struct private_dir *directory, const char *name)
{
	return openat(directory->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);
}

int private_dir__open(const struct private_dir *directory, const char *name)
{
	return openat(directory->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}
