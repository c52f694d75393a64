/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/file_room.h: whether RLIMIT_NOFILE has room. */
#ifndef PEAT_SYS_FILE_ROOM_H
#define PEAT_SYS_FILE_ROOM_H

#include <stdbool.h>

/* Whether the process can open so many files more.  It tries. */
bool file_room__has(unsigned files);

/* ": raise RLIMIT_NOFILE (ulimit -n)" for -EMFILE; "" for other errors. */
const char *file_room__remedy(int err);

#endif /* PEAT_SYS_FILE_ROOM_H */
