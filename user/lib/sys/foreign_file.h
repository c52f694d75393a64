/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sys/foreign_file.h: opens a file whose path another user may have chosen.
 *
 * Opening a device or a FIFO acts on it, and reading /proc/kmsg consumes the kernel's log.  A user
 * can put such a file, or a link to it, wherever peat looks for a library, a debug file, a perf map
 * or a part of a recording.  So a file is opened in three steps:
 *
 *   1. O_PATH finds the file and does not open it.
 *   2. The file is checked: a regular file, on a file system that stores files.
 *   3. /proc/self/fd/N opens the file that was checked, whatever its path is by now.  O_NONBLOCK
 *      does not wait for a lease that its owner holds.
 *
 * The file system's type comes from fstatfs().  A FUSE server could delay the answer of fstat() and
 * fstatfs().  But the kernel only asks a server whose files this process may use: its own, or one
 * that the administrator allows for all users.  For others it answers by itself, or with -EACCES.
 * A server that is asked can also delay the walk of the path before and reading after.
 *
 * openat2() (Linux 5.6) keeps links where they belong.  Without it, because of an older kernel or a
 * seccomp filter, paths below a root are walked here and may have neither links nor "..".  Other
 * paths may then have links of procfs, too.  The checks are the same.
 *
 * Files that the user names on the command line need none of this, nor do files of the kernel.
 */
#ifndef PEAT_SYS_FOREIGN_FILE_H
#define PEAT_SYS_FOREIGN_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

enum foreign_links {
	FOREIGN_LINKS,	   /* symbolic links are followed, those of procfs to objects are not */
	FOREIGN_NO_LINK,   /* likewise, but the file itself is no link */
	FOREIGN_PROC_LINKS /* all are followed, for /proc/PID/map_files, /proc/PID/exe ... */
};

/*
 * Opens a file for reading.  `root`: the directory that is "/" for the path, its links and "..",
 * such as "/proc/PID/root"; NULL: that of this process.  With FOREIGN_PROC_LINKS it is NULL.
 * `found` may be NULL.  A file descriptor, or a negative errno:
 *	-ENOTSUP	no regular file, or a file of procfs, sysfs or the like: not opened
 *	-ENOENT, ...	of openat2(2) and open(2)
 */
int foreign_file__open(const char *root, const char *path, enum foreign_links links,
		       struct stat *found);

/* Likewise a file below an open directory, with FOREIGN_LINKS. */
int foreign_file__open_at(int directory, const char *path, struct stat *found);

/*
 * Whether the file is on a local disk or in memory.  Bytes, owners and times of other files come
 * from a server, or from a program of somebody (FUSE): they may be anything, and may be late.
 */
bool foreign_file__is_local(int fd);

#endif /* PEAT_SYS_FOREIGN_FILE_H */
