/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/event_file.h: opens the files that events are written to.
 *
 * A new file is readable and writable by its owner only.  In a directory that users share (sticky,
 * and writable by its group or by all, like /tmp), files, FIFOs and symbolic links of other users
 * are refused: they could have been placed there to read the events, or to overwrite a file.  In
 * any directory where other users can write, a symbolic link of one of them leads only to files of
 * its owner, and to new files where its owner could make them; files with a second name are
 * refused.
 */
#ifndef PEAT_BASE_EVENT_FILE_H
#define PEAT_BASE_EVENT_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct event_file {
	bool exclusive;	  /* the path must not exist, not even as a symbolic link */
	uint32_t fifo_ms; /* the time that a FIFO may take to get a reader */
};

/*
 * Opens `path` for writing, and creates it if it does not exist; an existing file keeps its
 * content: see event_file__empty().  Returns a file descriptor, or a negative errno, which is
 * logged, except -EEXIST of an exclusive file.
 *
 *	-EEXIST		exclusive, and it exists
 *	-EACCES		also: it belongs to another user, in a shared directory
 *	-ENXIO		a FIFO without a reader
 */
int event_file__open(const char *path, const struct event_file *how);

/*
 * Empties a regular file, and first removes the permissions that the recording `made_from` ("-":
 * standard input; NULL: none) does not have.  0 or a negative errno, which is logged with `path`.
 */
int event_file__empty(int fd, const char *path, const char *made_from);

#endif /* PEAT_BASE_EVENT_FILE_H */
