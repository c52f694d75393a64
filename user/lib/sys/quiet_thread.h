/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/quiet_thread.h: threads of the library, which receive no signals of the program. */
#ifndef PEAT_SYS_QUIET_THREAD_H
#define PEAT_SYS_QUIET_THREAD_H

#include <pthread.h>

/* Starts a thread that blocks all signals: they belong to the program's threads.  0 or -EAGAIN. */
int quiet_thread__start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif /* PEAT_SYS_QUIET_THREAD_H */
