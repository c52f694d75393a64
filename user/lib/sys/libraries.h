/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/libraries.h: finds the files of a shared library by its name. */
#ifndef PEAT_SYS_LIBRARIES_H
#define PEAT_SYS_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Paths of different files. */
struct libraries {
	char **paths;
	size_t count;
};

/*
 * Whether a file is a version of a library: of "libssl.so", libssl.so.3 and libssl.so.1.1 are; of
 * "libc.so", also libc-2.31.so, as glibc before 2.34 calls it, and the loader of musl.  `file` has
 * no directory.  Pure.
 */
bool libraries__matches(const char *file, const char *name);

/* Whether a file without a directory is a library by its name: libc.so, libc.so.6.  Pure. */
bool libraries__is_library_name(const char *file);

/* Whether an open file is an ELF file for this machine's word size. */
bool libraries__is_elf(int fd);

/*
 * Finds the files of the library `name`: all versions in the directories of this machine, or, with
 * a `pid`, the files that the process has mapped, by paths that work in other containers, too.  A
 * process without the library may contain it: the file of its program is returned then.  A `name`
 * with a slash is a path, and returned as it is.
 *
 * 0, -ENOENT: there is none; -ESRCH: there is no such process; or a negative errno.
 */
int libraries__find(struct libraries *found, const char *name, uint32_t pid);

void libraries__free(struct libraries *found);

#endif /* PEAT_SYS_LIBRARIES_H */
