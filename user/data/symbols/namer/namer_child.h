/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/namer/namer_child.h: the namer: reads files that its parent opened, without any rights.
 */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_CHILD_H
#define PEAT_SYMBOLS_NAMER_NAMER_CHILD_H

#include <stddef.h>

/* The socket to the parent. */
#define NAMER_SOCKET 3

/* The second argument of a namer that finds lines: debug information needs more memory. */
#define NAMER_FOR_LINES "lines"

/*
 * Gives up all rights, then reads files until the parent closes the socket.  `parent`: its process
 * id.  Returns an exit status.
 */
int namer_child__run(int parent, size_t memory_bytes);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_CHILD_H */
