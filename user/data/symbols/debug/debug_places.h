/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/debug/debug_places.h: opens the files that may be the debug file of a program, without
 * reading them.
 *
 * In this order: DIR/.build-id/ab/cdef.debug of each debug directory; the file that .gnu_debuglink
 * names, beside the program, in .debug/ there, and in DIR/ with the program's directory; perf's
 * copy of the program, ~/.debug/.build-id/ab/cdef/elf, if the directory ~ is the user's own.
 *
 * A debug file names functions of its program in all processes.  So one that is beside a program,
 * or in the root directory of a process, has to belong to root or to the program's owner: everybody
 * else could name functions in the processes of others.
 */
#ifndef PEAT_SYMBOLS_DEBUG_DEBUG_PLACES_H
#define PEAT_SYMBOLS_DEBUG_DEBUG_PLACES_H

#include <stdbool.h>
#include <sys/stat.h>

#include "symbols/debug/debug_wanted.h"

struct debug_places {
	const char *const *dirs; /* ends with NULL; NULL: /usr/lib/debug */
	bool debuginfod;	 /* ask servers, too: only for files of root, and for own ones */
};

/* A program, or a library. */
struct debug_search {
	const struct debug_places *places;
	const char *path; /* where the program is */
	const char *root; /* "/proc/PID/root": a process whose directories come first; NULL: none */
	struct stat program;
};

/*
 * Opens them, or asks a server if wanted->of_servers is set.  `wanted` may be anything, since it
 * was read from a file.  Returns the number of file descriptors.
 */
uint32_t debug_places__open(const struct debug_search *search, const struct debug_wanted *wanted,
			    int fds[DEBUG_FILES_MAX]);

#endif /* PEAT_SYMBOLS_DEBUG_DEBUG_PLACES_H */
