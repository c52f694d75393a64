// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* operations_tasks.c: programs, signals, switches between threads, system calls. */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "operations.h"

static void run_program(void)
{
	static char program[] = "/bin/true";
	char *argv[] = { program, NULL }, *environment[] = { NULL };
	pid_t pid;

	if (!posix_spawn(&pid, program, NULL, NULL, argv, environment))
		waitpid(pid, NULL, 0);
}

const struct gallery_operation gallery_exec = { "start a program, wait for its end", NULL,
						run_program, NULL };

static bool ignore_signal(void)
{
	return signal(SIGUSR1, SIG_IGN) != SIG_ERR;
}

static void send_signal(void)
{
	kill(getpid(), SIGUSR1);
}

const struct gallery_operation gallery_signal = { "send an ignored signal", ignore_signal,
						  send_signal, NULL };

static int there[2], back[2];
static pthread_t echoing;

/* Until `there` is closed. */
static void *echo(void *unused)
{
	char byte;

	while (read(there[0], &byte, 1) == 1)
		if (write(back[1], &byte, 1) != 1)
			break;
	return unused;
}

/* The thread has the CPU of this one. */
static bool start_echo(void)
{
	if (pipe(there) || pipe(back) || pthread_create(&echoing, NULL, echo, NULL)) {
		gallery__say("cannot start a thread");
		return false;
	}
	return true;
}

static void pass_byte(void)
{
	char byte = 0;

	if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
		abort();
}

static void end_echo(void)
{
	close(there[1]);
	pthread_join(echoing, NULL);
	close(there[0]);
	close(back[0]);
	close(back[1]);
}

const struct gallery_operation gallery_switch = { "pass a byte to a thread and back", start_echo,
						  pass_byte, end_echo };

static void call(void)
{
	syscall(SYS_getppid);
}

const struct gallery_operation gallery_syscall = { "getppid()", NULL, call, NULL };
