// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* whole_file.c: files that replace others only when they are whole. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/new_file.h"
#include "cli/base/whole_file.h"

#define ATTEMPTS 100 /* to find a name that no file has */

struct whole_file {
	int directory;
	const char *name; /* in the directory */
	char partial[32]; /* the name until it is whole */
	int fd;
};

static int copy(int from, int to)
{
	char bytes[65536];
	ssize_t count;
	off_t at = 0;

	while ((count = pread(from, bytes, sizeof(bytes), at)) > 0) {
		for (ssize_t done = 0, written; done < count; done += written) {
			written = write(to, bytes + done, (size_t)(count - done));
			if (written < 0 && errno != EINTR)
				return -errno;
			if (written < 0)
				written = 0;
		}
		at += count;
	}
	return count < 0 ? -errno : 0;
}

/* ---- a regular file -------------------------------------------------------------------------- */

static int open_directory(struct whole_file *file, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");

	file->name = slash ? slash + 1 : path;
	file->directory = directory ? open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	free(directory);
	return file->directory < 0 ? -errno : 0;
}

/* Until it is whole, the file belongs to this user alone. */
static int create_partial(struct whole_file *file)
{
	uint64_t number;

	for (int i = 0; i < ATTEMPTS; i++) {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			return -errno;
		snprintf(file->partial, sizeof(file->partial), ".peat-%016" PRIx64, number);
		file->fd = openat(file->directory, file->partial,
				  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (file->fd >= 0 || errno != EEXIST)
			return file->fd < 0 ? -errno : 0;
	}
	return -EEXIST;
}

/* The owner of the directory may have replaced the file. */
static bool is_in_place(const struct whole_file *file)
{
	struct stat own, found;

	return !fstat(file->fd, &own) &&
	       !fstatat(file->directory, file->name, &found, AT_SYMLINK_NOFOLLOW) &&
	       own.st_dev == found.st_dev && own.st_ino == found.st_ino;
}

/* By the fd: the names may lead to other files by now. */
static int finish_file(const struct whole_file *file)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(file->fd, 0666 & ~mask) ||
	    renameat(file->directory, file->partial, file->directory, file->name))
		return -errno;
	return is_in_place(file) ? 0 : -EBUSY;
}

static int replace(const struct whole_file *directory, int from)
{
	struct whole_file file = *directory;
	int err = create_partial(&file);

	if (err)
		return err;
	err = copy(from, file.fd) ?: finish_file(&file);
	if (close(file.fd) && !err)
		err = -errno;
	if (err)
		unlinkat(file.directory, file.partial, 0);
	return err;
}

/* ---- other files ----------------------------------------------------------------------------- */

/* Links are followed only if whoever made them could write what they lead to. */
static int write_into(const char *path, int from)
{
	int fd = new_file__create(path, NULL), err;

	if (fd < 0)
		return EXIT_FAILED;
	err = copy(from, fd);
	if (close(fd) && !err)
		err = -errno;
	if (!err)
		return 0;
	messages__print("cannot write %s: %s", path, strerror(-err));
	return EXIT_FAILED;
}

int whole_file__write(const char *path, int from)
{
	struct whole_file file = { .directory = -1 };
	int err = open_directory(&file, path);
	struct stat old;

	if (!err && !fstatat(file.directory, file.name, &old, AT_SYMLINK_NOFOLLOW) &&
	    !S_ISREG(old.st_mode)) {
		close(file.directory);
		return write_into(path, from);
	}
	if (!err)
		err = replace(&file, from);
	if (file.directory >= 0)
		close(file.directory);
	if (!err)
		return 0;
	messages__print("cannot write %s: %s", path, strerror(-err));
	return EXIT_FAILED;
}

int whole_file__remove(const char *path, int fd)
{
	struct whole_file file = { .fd = fd };
	int err = open_directory(&file, path);

	if (err)
		return err;
	if (!is_in_place(&file))
		err = -EBUSY;
	else if (unlinkat(file.directory, file.name, 0))
		err = -errno;
	close(file.directory);
	return err;
}
