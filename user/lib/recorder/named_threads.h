/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/named_threads.h: the names that the COMM and FORK records of a recording have given to
 * threads so far.  Pure.
 *
 * The names that are read from /proc at the start are not enough: a thread can be renamed before
 * its first event, or have ended before /proc was read.  Records of forks and of new names can be
 * missing altogether: they are events that a reader does not have to return.
 */
#ifndef PEAT_RECORDER_NAMED_THREADS_H
#define PEAT_RECORDER_NAMED_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define NAMED_THREADS_TIDS (1u << 22) /* the kernel's PID_MAX_LIMIT */
#define NAMED_THREADS_PAGE 4096	      /* names that are allocated at once */

/* The kernel's names have up to 15 characters.  Longer ones, of recordings, are not remembered. */
struct named_thread {
	char name[15]; /* with zeroes after it */
	bool is_known;
};

/* All zero: no names. */
struct named_threads {
	struct named_thread *pages[NAMED_THREADS_TIDS / NAMED_THREADS_PAGE]; /* by thread id */
};

void named_threads__free(struct named_threads *named);

/*
 * Whether the recording has this name for the thread.  True also for ids that need no COMM record:
 * of no thread, and 0, since the idle tasks of all CPUs have the id 0, but different names.
 */
bool named_threads__has(const struct named_threads *named, uint32_t tid, const char *name);

/* Sets the thread's name; NULL: unknown.  Without memory, it stays unknown. */
void named_threads__set(struct named_threads *named, uint32_t tid, const char *name);

/* Gives the thread the name of another, as a fork does. */
void named_threads__copy(struct named_threads *named, uint32_t tid, uint32_t from);

#endif /* PEAT_RECORDER_NAMED_THREADS_H */
