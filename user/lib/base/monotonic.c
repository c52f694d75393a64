// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/monotonic.c: the clock of event timestamps, also in a time namespace. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "base/monotonic.h"

#define NS_PER_S 1000000000

/* PROC_TIME_INIT_INO of the kernel, linux/proc_ns.h. */
#define INITIAL_TIME_NAMESPACE 0xeffffffa

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t offset_ns; /* of this process's CLOCK_MONOTONIC */
static bool forgets_on_fork;

static bool is_in_time_namespace(void)
{
	struct stat namespace;

	return !stat("/proc/self/ns/time", &namespace) &&
	       namespace.st_ino != INITIAL_TIME_NAMESPACE;
}

/* A child of fork() may be the first process of another namespace. */
static void forget_offset(void)
{
	once = (pthread_once_t)PTHREAD_ONCE_INIT;
}

/*
 * The file has the offsets of this process's children.  They are its own unless it has called
 * unshare(CLONE_NEWTIME): then its own namespace mostly is the initial one.
 */
static void read_offset(void)
{
	FILE *file = is_in_time_namespace() ? fopen("/proc/self/timens_offsets", "re") : NULL;
	char line[128];
	long long seconds;
	long ns;

	if (!forgets_on_fork)
		forgets_on_fork = !pthread_atfork(NULL, NULL, forget_offset);
	offset_ns = 0;
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "monotonic %lld %ld", &seconds, &ns) == 2)
			offset_ns = (uint64_t)seconds * NS_PER_S + (uint64_t)ns;
	if (file)
		fclose(file);
}

uint64_t monotonic_ns(void)
{
	struct timespec now;

	pthread_once(&once, read_offset);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec - offset_ns;
}
