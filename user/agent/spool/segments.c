// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spool/segments.c: finds, writes and removes the files of a spool. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/write_at.h"
#include "spool/segments.h"

#define DIGITS	  20
#define NAME_ROOM (DIGITS + sizeof(".perf"))

static void make_name(char name[NAME_ROOM], uint64_t number)
{
	snprintf(name, NAME_ROOM, "%0*llu.perf", DIGITS, (unsigned long long)number);
}

/* ---- the directory --------------------------------------------------------------------------- */

static int refuse(const char *path, int err, const char *why)
{
	log__error("spool %s: %s", path, why);
	return err;
}

/* Other users may neither read the events nor place files. */
static int secure(int fd, const char *path)
{
	struct stat status;

	if (fstat(fd, &status))
		return refuse(path, -errno, strerror(errno));
	if (status.st_uid != geteuid())
		return refuse(path, -EACCES,
			      "the directory belongs to another user: choose another path");
	if (status.st_mode & 022)
		return refuse(path, -EACCES,
			      "other users can write to the directory: remove this permission");
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return refuse(path, -errno, strerror(errno));
	return refuse(path, -EBUSY,
		      "another output or process uses the directory: choose another path");
}

static int open_directory(struct segments *segments)
{
	if (mkdir(segments->path, 0700) && errno != EEXIST)
		return refuse(segments->path, -errno, strerror(errno));
	segments->directory = open(segments->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (segments->directory < 0)
		return refuse(segments->path, -errno, strerror(errno));
	return secure(segments->directory, segments->path);
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The number of a name that make_name() makes; 0: another file. */
static uint64_t number_of(const char *name)
{
	char same[NAME_ROOM];
	uint64_t number = strtoull(name, NULL, 10);

	make_name(same, number);
	return strcmp(name, same) ? 0 : number;
}

static int add(struct segments *segments, uint64_t number, uint64_t bytes)
{
	if (!ARRAY_RESERVE_NEXT(segments->at, segments->count))
		return -ENOMEM;
	segments->at[segments->count++] = (struct segment){ number, bytes };
	segments->bytes += bytes;
	segments__skip_number(segments, number);
	return 0;
}

static int add_file(struct segments *segments, const char *name)
{
	struct stat status;
	uint64_t number = number_of(name);

	if (!number)
		return 0;
	if (fstatat(segments->directory, name, &status, AT_SYMLINK_NOFOLLOW))
		return -errno;
	return S_ISREG(status.st_mode) ? add(segments, number, (uint64_t)status.st_size) : 0;
}

static int by_number(const void *a, const void *b)
{
	const struct segment *one = a, *other = b;

	return one->number < other->number ? -1 : one->number > other->number;
}

static int find_all(struct segments *segments)
{
	int fd = fcntl(segments->directory, F_DUPFD_CLOEXEC, 0);
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int err = 0;

	if (!directory) {
		err = -errno;
		if (fd >= 0)
			close(fd);
		return err;
	}
	while (!err && (entry = readdir(directory)))
		err = add_file(segments, entry->d_name);
	closedir(directory);
	if (segments->count)
		qsort(segments->at, segments->count, sizeof(*segments->at), by_number);
	return err;
}

int segments__open(struct segments *segments, const char *path)
{
	int err;

	*segments = (struct segments){ .directory = -1, .fd = -1, .next = 1, .path = strdup(path) };
	if (!segments->path)
		return -ENOMEM;
	err = open_directory(segments);
	if (!err) {
		err = find_all(segments);
		if (err)
			refuse(path, err, strerror(-err));
	}
	if (err)
		segments__close(segments);
	return err;
}

void segments__skip_number(struct segments *segments, uint64_t number)
{
	if (number >= segments->next && number < UINT64_MAX)
		segments->next = number + 1;
}

const struct segment *segments__find(const struct segments *segments, uint64_t number)
{
	for (size_t i = 0; i < segments->count; i++)
		if (segments->at[i].number >= number)
			return &segments->at[i];
	return NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

int segments__begin(struct segments *segments, bool sync)
{
	char name[NAME_ROOM];
	int fd, err;

	make_name(name, segments->next);
	fd = openat(segments->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return -errno;
	err = sync && fsync(segments->directory) ? -errno : 0;
	err = err ?: add(segments, segments->next, 0);
	if (err) {
		close(fd);
		unlinkat(segments->directory, name, 0);
		return err;
	}
	segments->fd = fd;
	return 0;
}

/* The disk writes beside the spool, so that a sync at the end of the segment is short. */
static void start_writing(int fd, uint64_t from, size_t count)
{
	sync_file_range(fd, (off_t)from, (off_t)count, SYNC_FILE_RANGE_WRITE);
}

/*
 * After a failed write, the segment is cut back.  After a failed fdatasync(2) the kernel may have
 * dropped bytes, and if it cannot be cut it has the start of a piece: then the segment ends.
 */
int segments__append(struct segments *segments, const void *bytes, size_t count, bool sync)
{
	struct segment *last = &segments->at[segments->count - 1];
	int err = write_at(segments->fd, bytes, count, last->bytes);
	bool is_synced = true;

	if (!err && sync && fdatasync(segments->fd)) {
		err = -errno;
		is_synced = false;
	}
	if (err) {
		if (ftruncate(segments->fd, (off_t)last->bytes) || !is_synced)
			segments__end(segments, false);
		return err;
	}
	start_writing(segments->fd, last->bytes, count);
	last->bytes += count;
	segments->bytes += count;
	return 0;
}

static void remove_empty(struct segments *segments)
{
	char name[NAME_ROOM];

	make_name(name, segments->at[segments->count - 1].number);
	if (!unlinkat(segments->directory, name, 0))
		segments->count--;
}

int segments__end(struct segments *segments, bool sync)
{
	int err = 0;

	if (segments->fd < 0)
		return 0;
	if (sync && fdatasync(segments->fd))
		err = -errno;
	if (close(segments->fd) && !err)
		err = -errno;
	segments->fd = -1;
	if (!segments->at[segments->count - 1].bytes)
		remove_empty(segments);
	return err;
}

/* ---- reading, removing ----------------------------------------------------------------------- */

int segments__read(const struct segments *segments, uint64_t number)
{
	char name[NAME_ROOM];
	int fd;

	make_name(name, number);
	fd = openat(segments->directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int segments__remove_first(struct segments *segments)
{
	char name[NAME_ROOM];

	make_name(name, segments->at[0].number);
	if (unlinkat(segments->directory, name, 0) && errno != ENOENT)
		return -errno;
	segments->bytes -= segments->at[0].bytes;
	segments->count--;
	memmove(segments->at, segments->at + 1, segments->count * sizeof(*segments->at));
	return 0;
}

void segments__close(struct segments *segments)
{
	segments__end(segments, false);
	if (segments->directory >= 0)
		close(segments->directory);
	free(segments->path);
	free(segments->at);
	*segments = (struct segments){ .directory = -1, .fd = -1 };
}
