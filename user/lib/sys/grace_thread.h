/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sys/grace_thread.h: a grace period that a thread of its own waits for.  A program that is
 * preempted delays it by seconds (Linux 7.x), and readers have to read meanwhile.
 */
#ifndef PEAT_SYS_GRACE_THREAD_H
#define PEAT_SYS_GRACE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* All zero: no grace period was begun. */
struct grace_thread {
	bool is_begun; /* and grace_thread__poll() did not say yet that it is over */
	bool has_thread;
	pthread_t thread;
	int result; /* without a thread */
};

/*
 * Begins a grace period; the one before has to be over.  If no thread can be started, waits for it
 * in this one.
 */
void grace_thread__begin(struct grace_thread *grace);

/*
 * Waits for timeout_ms milliseconds at most; -1: without limit.
 *
 *	0	it is over: programs that ran when it began have ended; or none was begun
 *	-EAGAIN	it is not over yet
 *	another negative errno: as grace_period__wait(): it will not be over, begin another
 */
int grace_thread__poll(struct grace_thread *grace, int timeout_ms);

/* Waits until it is over.  Accepts zeroes. */
void grace_thread__close(struct grace_thread *grace);

/* For a child of fork(), which does not have the thread. */
void grace_thread__disown(struct grace_thread *grace);

#endif /* PEAT_SYS_GRACE_THREAD_H */
