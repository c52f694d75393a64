/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorder/named_threads.h: the names that the COMM and FORK records of a recording have given to
 * threads so far.  Pure.
 *
 * The names that are read from /proc at the start are not enough: a thread can be renamed before
 * its first event, or have ended before /proc was read.  Records of forks and of new names can be
 * missing altogether: they are events that a reader does not have to return.
 *
 * Records are written in any order of time, and readers sort them.  So a thread's entry is its
 * newest name, with the time from which it is valid: of older times, the name is unknown.  Without
 * COMM records of the kernel, a thread that changes its CPU, takes other names and then an old one
 * again, all before the first CPU's events are read, can have one of the others in the recording.
 */
#ifndef PEAT_RECORDER_NAMED_THREADS_H
#define PEAT_RECORDER_NAMED_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#define NAMED_THREADS_TIDS (1u << 22) /* the kernel's PID_MAX_LIMIT */
#define NAMED_THREADS_PAGE 4096	      /* names that are allocated at once */

/* The kernel's names have up to 15 characters.  Longer ones, of recordings, are not remembered. */
struct named_thread {
	uint64_t since_ns;
	char name[15]; /* with zeroes after it */
	bool is_known;
};

/* All zero: no names. */
struct named_threads {
	struct named_thread *pages[NAMED_THREADS_TIDS / NAMED_THREADS_PAGE]; /* by thread id */
};

void named_threads__free(struct named_threads *named);

/*
 * Whether the recording has this name for the thread at that time.  True also for ids that need no
 * COMM record: of no thread, and 0, since the idle tasks of all CPUs have the id 0, but different
 * names.
 */
bool named_threads__has(const struct named_threads *named, uint32_t tid, const char *name,
			uint64_t time_ns);

/*
 * Sets the thread's name from this time on; NULL: unknown.  Without memory, it stays unknown.
 * Ignored if the entry is newer.
 */
void named_threads__set(struct named_threads *named, uint32_t tid, const char *name,
			uint64_t time_ns);

/* Gives the thread the name that another had at this time, as a fork does. */
void named_threads__copy(struct named_threads *named, uint32_t tid, uint32_t from,
			 uint64_t time_ns);

/* The time from which the thread's entry is valid; 0: it has none. */
uint64_t named_threads__since(const struct named_threads *named, uint32_t tid);

#endif /* PEAT_RECORDER_NAMED_THREADS_H */
