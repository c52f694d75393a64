// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/current_file.c: opens, appends to and closes the file that an output writes to. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/event_file.h"
#include "base/log.h"
#include "base/write_at.h"
#include "file/current_file.h"

#define FIFO_MS	   5000
#define ATTEMPTS   10	    /* if the file appears and disappears */
#define PIPE_PIECE PIPE_BUF /* poll() says that a pipe has so much room */

/* ---- opening --------------------------------------------------------------------------------- */

static int open_path(const char *path, mode_t mode)
{
	struct event_file how = { .exclusive = true, .fifo_ms = FIFO_MS };
	int fd = event_file__open(path, &how), err;

	if (fd == -EEXIST) {
		how.exclusive = false;
		return event_file__open(path, &how);
	}
	if (fd < 0)
		return fd;
	if (!fchmod(fd, mode))
		return fd;
	err = -errno;
	log__error("cannot set the permissions of %s: %s", path, strerror(-err));
	close(fd);
	return err;
}

static int64_t born_s(int fd)
{
	struct statx found;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &found) && found.stx_mask & STATX_BTIME)
		return found.stx_btime.tv_sec;
	return time(NULL);
}

static int examine(struct current_file *file)
{
	struct stat status;

	if (fstat(file->fd, &status))
		return -errno;
	file->device = status.st_dev;
	file->inode = status.st_ino;
	file->bytes = (uint64_t)status.st_size;
	file->is_regular = S_ISREG(status.st_mode);
	file->is_pipe = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
	return 0;
}

static int prepare(struct current_file *file, const char *path)
{
	int err = examine(file);

	if (err || !file->is_regular)
		return err;
	file->born_s = born_s(file->fd);
	if (!flock(file->fd, LOCK_EX | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return errno == ENOLCK || errno == ENOSYS ? 0 : -errno; /* NFS may lack locks */
	log__error("cannot write to %s: another process writes to it: choose another path", path);
	return -EBUSY;
}

int current_file__open(struct current_file *file, const char *path, mode_t mode)
{
	int err;

	*file = (struct current_file){ .fd = -1 };
	if (!strcmp(path, "-")) {
		file->fd = STDOUT_FILENO;
		err = examine(file);
		file->is_regular = false; /* others may write to it: what is in it stays */
	} else {
		file->fd = open_path(path, mode);
		err = file->fd < 0 ? file->fd : prepare(file, path);
	}
	if (!err)
		return 0;
	if (file->fd >= 0 && err != -EBUSY)
		log__error("cannot write to %s: %s", path, strerror(-err));
	current_file__close(file);
	return err;
}

bool current_file__is_moved(const struct current_file *file, const char *path)
{
	struct stat status;

	return file->is_regular && (stat(path, &status) || status.st_dev != file->device ||
				    status.st_ino != file->inode);
}

bool current_file__is_whole(const struct current_file *file)
{
	struct stat status;

	return !file->is_regular ||
	       (!fstat(file->fd, &status) && (uint64_t)status.st_size == file->bytes);
}

bool current_file__is_changed(const struct current_file *file, const char *path)
{
	return current_file__is_moved(file, path) || !current_file__is_whole(file);
}

int current_file__reader(const struct current_file *file)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void current_file__sync_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
	int fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd < 0 || fsync(fd))
		log__warn("the directory of %s: fsync: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(directory);
}

void current_file__close(struct current_file *file)
{
	if (file->fd > STDOUT_FILENO)
		close(file->fd);
	file->fd = -1;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A file that cannot be restored has another size, or lacks its end: it is opened anew. */
static void restore(struct current_file *file, const char *end, size_t count)
{
	int err = ftruncate(file->fd, (off_t)file->bytes) ? -errno : 0;

	if (!err)
		err = write_at(file->fd, end, count, file->bytes - count);
	if (!err)
		return;
	log__debug("restore(): %s", strerror(-err));
	file->bytes = UINT64_MAX;
}

/* After a failed fdatasync(2) the kernel may have dropped the bytes: they are written again. */
int current_file__append(struct current_file *file, const char *bytes, size_t count, size_t end,
			 bool sync)
{
	int err = write_at(file->fd, bytes, count, file->bytes - end);

	if (!err && sync && fdatasync(file->fd))
		err = -errno;
	if (err)
		restore(file, bytes + count - end, end);
	else
		file->bytes += count - end;
	return err;
}

int current_file__send(struct current_file *file, const char *bytes, size_t count, size_t *written)
{
	while (*written < count) {
		struct pollfd poll_fd = { .fd = file->fd, .events = POLLOUT };
		size_t left = count - *written;
		ssize_t done;

		if (file->is_pipe && poll(&poll_fd, 1, 0) <= 0)
			return -EAGAIN;
		if (file->is_pipe && left > PIPE_PIECE)
			left = PIPE_PIECE;
		done = write(file->fd, bytes + *written, left);
		if (done < 0 && errno != EINTR)
			return -errno;
		*written += done < 0 ? 0 : (size_t)done;
	}
	return 0;
}
