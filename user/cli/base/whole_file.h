/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_WHOLE_FILE_H
#define CLI_WHOLE_FILE_H

/* whole_file.h: files that replace others only when they are whole; removal of new files. */

/*
 * Writes all bytes of the file `from` to `path`, with the permissions of a new file.
 *
 * A regular file is replaced in one step.  The directory may be another user's: only its own
 * entries change, whatever that user does meanwhile.  Links, devices and FIFOs are not replaced:
 * they are written to, as new_file__create() opens them.  0 or EXIT_FAILED; the error has been
 * printed.
 */
int whole_file__write(const char *path, int from);

/*
 * Removes a file that was created as `path` and is open as `fd`.  0; -EBUSY: `path` leads to it no
 * longer, and nothing was removed; another negative errno.
 */
int whole_file__remove(const char *path, int fd);

#endif /* CLI_WHOLE_FILE_H */
