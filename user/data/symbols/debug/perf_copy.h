/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/debug/perf_copy.h: the copies of programs that perf buildid-cache and perf record make,
 * maybe before a strip: ~/.debug/.build-id/ab/cdef.../elf
 */
#ifndef PEAT_SYMBOLS_DEBUG_PERF_COPY_H
#define PEAT_SYMBOLS_DEBUG_PERF_COPY_H

#include <limits.h>
#include <stdbool.h>

#include "elf/elf_note.h"

#define PERF_COPY_PATH (2 * PATH_MAX)

/*
 * Prints the path of the copy, which may not exist.  False: no build-id, or the directory HOME is
 * not of the user who runs.  Under sudo it may be another user's, who could put any file there.
 */
bool perf_copy__path(const struct build_id *build_id, char path[PERF_COPY_PATH]);

#endif /* PEAT_SYMBOLS_DEBUG_PERF_COPY_H */
