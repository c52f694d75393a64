/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/debug/debug_file.h: the debug information that was separated from a program or library.
 *
 * A file is used only if its build-id is that of the program, or, without build-ids, its checksum
 * is that of .gnu_debuglink.
 */
#ifndef PEAT_SYMBOLS_DEBUG_DEBUG_FILE_H
#define PEAT_SYMBOLS_DEBUG_DEBUG_FILE_H

#include "symbols/debug/debug_wanted.h"
#include "elf/elf_file.h"

/* Describes the debug file that a program has.  False: the program identifies none. */
bool debug_file__describe(const struct elf_file *program, struct debug_wanted *wanted);

/*
 * Opens the first of these files that is the debug file; all file descriptors are closed, or belong
 * to `debug`.  0, -ENOENT, -ENOMEM.
 */
int debug_file__choose(const struct elf_file *program, const struct debug_wanted *wanted,
		       const int *fds, uint32_t count, struct elf_file **debug);

#endif /* PEAT_SYMBOLS_DEBUG_DEBUG_FILE_H */
