/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * slow_memory.h: memory that makes a system call slow: its pages arrive late, from a thread that
 * handles the page faults (userfaultfd).  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_SLOW_MEMORY_H
#define TESTS_SUPPORT_MACHINE_SLOW_MEMORY_H

#include <pthread.h>
#include <stddef.h>

struct slow_memory {
	char *page; /* the first access takes the time */
	size_t bytes;
	/* The rest is internal. */
	char *contents;
	void (*meanwhile)(void *);
	void *arg;
	long us;
	int fd;
	pthread_t thread;
};

/*
 * Makes a page that has `text` as soon as an access has waited for `us` microseconds.  `meanwhile`,
 * if not NULL, is called while it waits.
 */
void slow_memory__make(struct slow_memory *memory, const char *text, long us,
		       void (*meanwhile)(void *), void *arg);
void slow_memory__free(struct slow_memory *memory);

#endif /* TESTS_SUPPORT_MACHINE_SLOW_MEMORY_H */
