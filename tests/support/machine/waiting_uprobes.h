/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* waiting_uprobes.h: programs of uprobes that wait for memory. */
#ifndef TESTS_SUPPORT_MACHINE_WAITING_UPROBES_H
#define TESTS_SUPPORT_MACHINE_WAITING_UPROBES_H

#include <stdbool.h>

/*
 * Whether other uprobes run while a program of a perf event waits (Linux 6.10).  The running test
 * fails if such a kernel does not load the program.  Needs root.
 */
bool waiting_uprobes__are_possible(void);

#endif /* TESTS_SUPPORT_MACHINE_WAITING_UPROBES_H */
