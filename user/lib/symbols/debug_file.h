/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/debug_file.h: the debug information that was separated from a program or library.
 *
 * In this order: DIR/.build-id/ab/cdef.debug of each debug directory; the file that .gnu_debuglink
 * names, beside the program, in .debug/ there, and in DIR/ with the program's directory; a
 * debuginfod server.  A file is used only if its build-id is that of the program, or, without
 * build-ids, its checksum is that of .gnu_debuglink.
 */
#ifndef PEAT_SYMBOLS_DEBUG_FILE_H
#define PEAT_SYMBOLS_DEBUG_FILE_H

#include "symbols/elf_file.h"

struct debug_places {
	const char *const *dirs; /* ends with NULL; NULL: /usr/lib/debug */
	bool debuginfod;	 /* ask servers, too */
};

/*
 * Opens the debug file of a program.  `path`: where the program is.  `root`: "/proc/PID/root" of a
 * process whose directories are searched first, or NULL.  0, -ENOENT, -ENOMEM.
 */
int debug_file__open(const struct elf_file *program, const char *path, const char *root,
		     const struct debug_places *places, struct elf_file **debug);

#endif /* PEAT_SYMBOLS_DEBUG_FILE_H */
