// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/output_file.c: opens a file to write to, unless the recording is read from it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/internal.h"
#include "convert/output_file.h"

static bool is_same_inode(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* True for the recording, each file of a directory, and for the file that stdin reads from. */
static bool belongs_to_recording(const struct perf_recording *rec, const struct stat *result)
{
	struct stat status;
	char *path;
	bool same = false;

	if (!strcmp(rec->path, "-"))
		return !fstat(STDIN_FILENO, &status) && is_same_inode(&status, result);
	if (!stat(rec->path, &status) && is_same_inode(&status, result))
		return true;
	for (uint32_t i = 0; i < perf_file__streams(rec->file) && !same; i++) {
		if (asprintf(&path, "%s/%s", rec->path, perf_file__stream_name(rec->file, i)) < 0)
			return true; /* no memory: do not risk to overwrite it */
		same = !stat(path, &status) && is_same_inode(&status, result);
		free(path);
	}
	return same;
}

static int log_output_error(const char *path, int err, const char *why)
{
	log__error("cannot write to %s: %s", path, why ? why : strerror(-err));
	return err;
}

/* Only a regular file has contents to lose; input and output may be the same terminal. */
static int truncate_output(const struct perf_recording *rec, int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return 0;
	if (belongs_to_recording(rec, &status))
		return -EINVAL;
	return ftruncate(fd, 0) ? -errno : 0;
}

int output_file__open(const struct perf_recording *rec, const char *path, mode_t mode)
{
	bool is_stdout = !strcmp(path, "-");
	int fd = is_stdout ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
			   : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	struct stat status;
	int err = 0;

	if (fd < 0)
		return log_output_error(path, -errno, NULL);
	if (!is_stdout)
		err = truncate_output(rec, fd);
	else if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
		 belongs_to_recording(rec, &status))
		err = -EINVAL;
	if (!err)
		return fd;
	close(fd);
	return log_output_error(path, err, err == -EINVAL ? "it is the recording itself" : NULL);
}
