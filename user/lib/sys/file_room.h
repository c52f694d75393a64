/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/file_room.h: whether RLIMIT_NOFILE has room. */
#ifndef PEAT_SYS_FILE_ROOM_H
#define PEAT_SYS_FILE_ROOM_H

#include <stdbool.h>

/* The end of messages about EMFILE. */
#define FILE_ROOM_REMEDY "raise RLIMIT_NOFILE (ulimit -n)"

/* Whether the process can open so many files more.  It tries. */
bool file_room__has(unsigned files);

/* ": " FILE_ROOM_REMEDY for -EMFILE; "" for other errors. */
const char *file_room__remedy(int err);

#endif /* PEAT_SYS_FILE_ROOM_H */
