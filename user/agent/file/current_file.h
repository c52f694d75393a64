/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file/current_file.h: the file that an output writes to: PATH, or standard output.
 *
 * A regular file is locked (flock), so that two processes do not mix their lines.  Programs such as
 * logrotate may rename, remove or empty it at any time.
 */
#ifndef PEAT_FILE_CURRENT_FILE_H
#define PEAT_FILE_CURRENT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct current_file {
	int fd; /* -1: none is open */
	dev_t device;
	ino_t inode;
	uint64_t bytes; /* of a regular file, by this process's writes */
	int64_t born_s; /* since 1970 */
	bool is_regular;
	bool is_pipe; /* or a socket */
};

/*
 * Opens PATH as event_file__open() does, or "-"; a new file gets the mode.  0 or a negative errno,
 * which is logged:
 *
 *	-EBUSY		another process writes to it
 */
int current_file__open(struct current_file *file, const char *path, mode_t mode);

/* Whether its path leads to another file by now, or another program has changed its size. */
bool current_file__is_changed(const struct current_file *file, const char *path);

/* Whether a regular file has lost its path. */
bool current_file__is_moved(const struct current_file *file, const char *path);

/* Whether a regular file has the size that our writes gave it. */
bool current_file__is_whole(const struct current_file *file);

/* Opens it once more, for reading.  A file descriptor or a negative errno. */
int current_file__reader(const struct current_file *file);

/*
 * Writes all the bytes to a regular file, or none of them.  They replace its last `end` bytes,
 * which have to be their own last ones, too.  `sync`: to the disk.  0 or a negative errno.
 */
int current_file__append(struct current_file *file, const char *bytes, size_t count, size_t end,
			 bool sync);

/*
 * Writes bytes to another file, as many as it takes without waiting if it is a pipe.  Adds their
 * number to `written`.  0; -EAGAIN: not all; a negative errno.
 */
int current_file__send(struct current_file *file, const char *bytes, size_t count, size_t *written);

/* Syncs the directory, so that the name survives a crash of the machine.  Logs errors. */
void current_file__sync_directory(const char *path);

void current_file__close(struct current_file *file);

#endif /* PEAT_FILE_CURRENT_FILE_H */
