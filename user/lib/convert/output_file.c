// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* result_file.c: opens a file to write to, unless it is one that is being read. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/internal.h"
#include "convert/output_file.h"

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* One of the files of a directory, or what it is read from. */
static bool is_of(const struct perf_recording *rec, const struct stat *result)
{
	struct stat status;
	char *path;
	bool same = false;

	if (!strcmp(rec->path, "-"))
		return !fstat(STDIN_FILENO, &status) && is_same(&status, result);
	if (!stat(rec->path, &status) && is_same(&status, result))
		return true;
	for (uint32_t i = 0; i < perf_file__streams(rec->file) && !same; i++) {
		if (asprintf(&path, "%s/%s", rec->path, perf_file__stream_name(rec->file, i)) < 0)
			return true; /* no memory: better none than the wrong one */
		same = !stat(path, &status) && is_same(&status, result);
		free(path);
	}
	return same;
}

static int refuse(const char *path, int err, const char *why)
{
	log__error("cannot write to %s: %s", path, why ? why : strerror(-err));
	return err;
}

/* What is no file has nothing that could be lost: two may well use one terminal. */
static int empty(const struct perf_recording *rec, int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return 0;
	if (is_of(rec, &status))
		return -EINVAL;
	return ftruncate(fd, 0) ? -errno : 0;
}

int result_file__open(const struct perf_recording *rec, const char *path, mode_t mode)
{
	bool is_stdout = !strcmp(path, "-");
	int fd = is_stdout ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
			   : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
	struct stat status;
	int err = 0;

	if (fd < 0)
		return refuse(path, -errno, NULL);
	if (!is_stdout)
		err = empty(rec, fd);
	else if (!fstat(fd, &status) && S_ISREG(status.st_mode) && is_of(rec, &status))
		err = -EINVAL;
	if (!err)
		return fd;
	close(fd);
	return refuse(path, err, err == -EINVAL ? "it is the recording itself" : NULL);
}
