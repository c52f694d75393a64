// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object_files.c: reads files of BPF objects once, and checks them in a child. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/messages.h"
#include "cli/run/object_check.h"
#include "cli/run/object_files.h"

struct object_file {
	struct object_file *next;
	char *path;
	void *bytes;
	size_t count;
	bool loads; /* known, by a check */
};

static struct object_file *files; /* all that were read */

/* ---- reading --------------------------------------------------------------------------------- */

/* 0 or a negative errno. */
static int read_all(struct object_file *file, int fd)
{
	struct stat status;
	ssize_t count;

	if (fstat(fd, &status))
		return -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	file->bytes = malloc((size_t)status.st_size + 1);
	if (!file->bytes)
		return -ENOMEM;
	while (file->count < (size_t)status.st_size) {
		count = read(fd, (char *)file->bytes + file->count,
			     (size_t)status.st_size - file->count);
		if (count <= 0)
			return count ? -errno : -EIO; /* it became shorter */
		file->count += (size_t)count;
	}
	return 0;
}

static int read_file(struct object_file *file)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = read_all(file, fd);
	close(fd);
	return err;
}

/* ---------------------------------------------------------------------------------------------- */

static void free_file(struct object_file *file)
{
	free(file->path);
	free(file->bytes);
	free(file);
}

/* NULL: an error, which has been printed. */
static struct object_file *read_checked(const char *path)
{
	struct object_file *file = calloc(1, sizeof(*file));
	int err;

	if (!file)
		return NULL;
	file->path = strdup(path);
	err = file->path ? read_file(file) : -ENOMEM;
	if (err)
		messages__print("%s cannot be used as a BPF object: %s", path, strerror(-err));
	if (!err && object_check__opens(path, file->bytes, file->count))
		return file;
	free_file(file);
	return NULL;
}

static struct object_file *get(const char *path)
{
	struct object_file *file = files;

	while (file && strcmp(file->path, path) != 0)
		file = file->next;
	if (file)
		return file;
	file = read_checked(path);
	if (!file)
		return NULL;
	file->next = files;
	files = file;
	return file;
}

struct peat_object *object_files__open(const char *path)
{
	const struct object_file *file = get(path);

	return file ? peat_object__open(file->bytes, file->count, path) : NULL;
}

int object_files__add(struct peat_session *session, const char *path)
{
	const struct object_file *file = get(path);

	return file && !peat_session__add(session, path, file->bytes, file->count) ? 0 : -1;
}

bool object_files__load(const char *path)
{
	struct object_file *file = get(path);

	if (file && !file->loads)
		file->loads = object_check__loads(path, file->bytes, file->count);
	return file && file->loads;
}
