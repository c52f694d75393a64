/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/debug/debuginfod.h: debug files from the servers of $DEBUGINFOD_URLS, by libdebuginfod,
 * which keeps them in a cache of the user.
 *
 * The library is loaded when it is first needed: it and libcurl are not required otherwise.
 */
#ifndef PEAT_SYMBOLS_DEBUG_DEBUGINFOD_H
#define PEAT_SYMBOLS_DEBUG_DEBUGINFOD_H

#include "symbols/elf/budget.h"
#include "elf/elf_note.h"

/* NULL: the library can be used.  Else why not, and what to do. */
const char *debuginfod__absence(void);

/*
 * Returns a file descriptor of the debug file, or a negative errno: -ENOTSUP: no library; -ENOENT:
 * no server has it; -EFBIG: it is too large.  Waits as long as $DEBUGINFOD_TIMEOUT allows.  `path`
 * is for messages.
 */
int debuginfod__find(const struct build_id *id, const char *path);

#endif /* PEAT_SYMBOLS_DEBUG_DEBUGINFOD_H */
