/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * process.h: processes that tests start.  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_PROCESS_H
#define TESTS_SUPPORT_MACHINE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define ARGV(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

/*
 * The path of a program that does nothing.  unlink() it.  Its name has more than 15 bytes, and no
 * other process has the first 15.
 */
const char *process__program(void);

/* Runs a program to its end and returns the process id that it had. */
pid_t process__run(const char *path, const char *const *argv);

/*
 * Starts a child that calls `function` and exits with its result.  The child is killed when this
 * process ends.
 */
pid_t process__start(int (*function)(void *), void *arg);

/* Waits for the child; the status of waitpid(). */
int process__wait(pid_t pid);

/* Starts a child and waits for its end. */
pid_t process__do(int (*function)(void *), void *arg);

/* The number of fds that this process has open; only differences mean something. */
unsigned process__count_fds(void);

/* The number of fds of BPF programs, maps and links that a process has open. */
unsigned process__count_bpf_fds(pid_t pid);

/* Pins this process to the first CPU that it may run on. */
void process__pin(void);

/* Pins this thread to a CPU.  0 or a negative errno, such as for an offline CPU. */
int process__pin_to(uint32_t cpu);

/* Whether the thread or process sleeps in the kernel, where no signal wakes it. */
bool process__is_blocked(pid_t task);

/* Waits until the process uses little CPU time: it has read everything then. */
void process__wait_until_idle(pid_t pid);

#endif /* TESTS_SUPPORT_MACHINE_PROCESS_H */
