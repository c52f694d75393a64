/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * process.h: processes that do something, to be seen doing it.
 *
 * Whatever fails here fails the running test.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdint.h>
#include <sys/types.h>

#define ARGV(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/* A program that does nothing, under a name that is ours alone and has more than 15 bytes. unlink()
 * it. */
const char *process__program(void);

/* Runs a program to its end and returns the process id that it had. */
pid_t process__run(const char *path, const char *const *argv);

/*
 * A child that calls `function` and, should that return, ends with what it returns; or with this
 * process.
 */
pid_t process__start(int (*function)(void *), void *arg);

/* The status of waitpid(). */
int process__wait(pid_t pid);

/* Both. */
pid_t process__do(int (*function)(void *), void *arg);

/* This process runs on one CPU from now on: one that it was allowed to run on. */
void process__pin(void);

/* This thread does, on that CPU.  0 or a negative errno: the CPU is offline, for instance. */
int process__pin_to(uint32_t cpu);

#endif /* PROCESS_H */
