// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* state/state_file.c: reads the ledger of an agent from a file, and replaces that file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "state/state.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* Thousands of sources and outputs are smaller. */
#define BYTES_MAX (4u << 20)

/* The number of bytes, or a negative errno. */
static ssize_t read_all(int fd, char *text, size_t room)
{
	size_t count = 0;
	ssize_t bytes = 1;

	while (bytes && count < room) {
		bytes = read(fd, text + count, room - count);
		if (bytes < 0 && errno != EINTR)
			return -errno;
		count += bytes > 0 ? (size_t)bytes : 0;
	}
	return count < room ? (ssize_t)count : -EBADMSG;
}

int state_file__read(struct state *state, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = malloc(BYTES_MAX);
	ssize_t bytes = fd < 0 ? -errno : text ? read_all(fd, text, BYTES_MAX) : -ENOMEM;
	int err;

	*state = (struct state){ 0 };
	err = bytes < 0 ? (int)bytes : state__parse(state, text, (size_t)bytes);
	free(text);
	if (fd >= 0)
		close(fd);
	return err;
}

/* ---- entries of a directory ------------------------------------------------------------------ */

/* The file by its directory, and the name of another file beside it. */
struct entry {
	int directory;	  /* an O_PATH file descriptor */
	const char *name; /* within the path */
	char *other;	  /* NAME and an end */
};

static int open_entry(struct entry *entry, const char *path, const char *end)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int err;

	entry->name = slash ? slash + 1 : path;
	if (asprintf(&entry->other, "%s%s", entry->name, end) < 0)
		entry->other = NULL;
	err = directory && entry->other ? 0 : -ENOMEM;
	entry->directory = err ? -1 : open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (!err && entry->directory < 0)
		err = -errno;
	free(directory);
	return err;
}

static void close_entry(struct entry *entry)
{
	if (entry->directory >= 0)
		close(entry->directory);
	free(entry->other);
}

static int rename_entry(const struct entry *entry, const char *from, const char *to)
{
	return renameat(entry->directory, from, entry->directory, to) ? -errno : 0;
}

int state_file__put_aside(const char *path)
{
	struct entry entry;
	int err = open_entry(&entry, path, ".damaged");

	err = err ?: rename_entry(&entry, entry.name, entry.other);
	if (err)
		log__error("%s is no state of an agent, and cannot be renamed: %s", path,
			   strerror(-err));
	else
		log__warn("%s is no state of an agent, or is damaged: all counts begin at 0; the "
			  "file is %s.damaged now",
			  path, path);
	close_entry(&entry);
	return err;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int write_all(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		ssize_t bytes = write(fd, text, left);

		if (bytes < 0 && errno != EINTR)
			return -errno;
		if (bytes > 0) {
			text += bytes;
			left -= (size_t)bytes;
		}
	}
	return 0;
}

/* Makes a new file: programs that have the former one open do not see it. */
static int write_new(const struct entry *entry, const char *text, bool is_final)
{
	int fd, err;

	unlinkat(entry->directory, entry->other, 0);
	fd = openat(entry->directory, entry->other,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	err = write_all(fd, text);
	if (!err && is_final && fdatasync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	err = err ?: rename_entry(entry, entry->other, entry->name);
	if (err)
		unlinkat(entry->directory, entry->other, 0);
	return err;
}

int state_file__write(const char *path, const char *text, bool is_final)
{
	struct entry entry;
	int err = open_entry(&entry, path, ".new");

	err = err ?: write_new(&entry, text, is_final);
	close_entry(&entry);
	return err;
}
