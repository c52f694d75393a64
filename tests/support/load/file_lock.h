/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* file_lock.h: threads that wait for the lock of one file.  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_LOAD_FILE_LOCK_H
#define TESTS_SUPPORT_LOAD_FILE_LOCK_H

#include <sys/types.h>

#define FILE_LOCK_WAITS 2
#define FILE_LOCK_NS	20000000

/* A thread whose write waits for the write of another. */
struct file_lock_wait {
	pid_t tid;
	long long write_ns; /* from before its write until after it */
};

/* Returns when FILE_LOCK_WAITS threads have waited, one after the other, each for FILE_LOCK_NS or
 * longer. */
void file_lock__wait(struct file_lock_wait *waits);

#endif /* TESTS_SUPPORT_LOAD_FILE_LOCK_H */
