// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/output_file.c: opens a file to write to, unless the recording is read from it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/event_file.h"
#include "base/log.h"
#include "convert/output_file.h"

/* A FIFO may take so long to get a reader. */
#define FIFO_MS 5000

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

static int log_itself(const char *path)
{
	log__error("cannot write to %s: it is the recording itself", path);
	return -EINVAL;
}

/* Only a regular file has contents to lose; input and output may be the same terminal. */
static int check_output(const struct perf_recording *rec, const char *path, int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	return S_ISREG(status.st_mode) && belongs_to_recording(rec, &status) ? log_itself(path) : 0;
}

static int open_stdout(void)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0), err = -errno;

	if (fd >= 0)
		return fd;
	log__error("cannot write to standard output: %s", strerror(-err));
	return err;
}

int output_file__open(const struct perf_recording *rec, const char *path)
{
	const struct event_file how = { .fifo_ms = FIFO_MS };
	bool is_stdout = !strcmp(path, "-");
	int fd = is_stdout ? open_stdout() : event_file__open(path, &how), err;

	if (fd < 0)
		return fd;
	err = check_output(rec, path, fd);
	if (!err && !is_stdout)
		err = event_file__empty(fd, path, rec->path);
	if (!err)
		return fd;
	close(fd);
	return err;
}
