// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/quiet_thread.c: starts threads that block all signals. */
#include <signal.h>

#include "sys/quiet_thread.h"

/* A thread begins with the signals that its creator blocks. */
int quiet_thread__start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}
