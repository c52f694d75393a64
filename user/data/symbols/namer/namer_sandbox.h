/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/namer/namer_sandbox.h: gives up all rights of this process. */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_SANDBOX_H
#define PEAT_SYMBOLS_NAMER_NAMER_SANDBOX_H

#include <stddef.h>

#include "symbols/elf/budget.h"

/*
 * Closes all file descriptors after `last_fd`, limits memory to `memory_bytes` and the size of
 * files, drops all capabilities and, if this is root, its ids, and allows only system calls on open
 * files, memory and sockets: no file can be opened, no process made, no other one seen.  `parent`:
 * this process ends with that one.
 *
 * 0, -ESRCH: the parent has ended, or another negative errno: the process still has rights.
 */
int namer_sandbox__enter(int last_fd, int parent, size_t memory_bytes);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_SANDBOX_H */
