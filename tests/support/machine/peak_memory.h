/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peak_memory.h: the most memory that any peat of the running test has at a time. */
#ifndef TESTS_SUPPORT_MACHINE_PEAK_MEMORY_H
#define TESTS_SUPPORT_MACHINE_PEAK_MEMORY_H

/* Starts watching all children of this process that are peat. */
void peak_memory__start(void);

/*
 * Ends it.  No child had more private memory: pages of files can be reclaimed.  With the address
 * sanitizer, which keeps memory that was freed, nothing is checked.
 */
void peak_memory__stop(long most_kib);

#endif /* TESTS_SUPPORT_MACHINE_PEAK_MEMORY_H */
