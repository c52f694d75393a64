// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* operations_tasks.c: programs, signals, switches between threads, system calls. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
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

/* ---- a kernel lock --------------------------------------------------------------------------- */

/*
 * A thread that reads from a terminal holds a lock of it while it waits for input.  So the second
 * one always waits for the lock, gets it when the first returns with a byte, and the first waits.
 */
static int master, terminal, answers[2];
static pthread_t readers[2];

static void *read_terminal(void *unused)
{
	char byte;

	while (read(terminal, &byte, 1) == 1)
		if (write(answers[1], &byte, 1) != 1)
			break;
	return unused;
}

static bool open_terminal(void)
{
	struct termios raw;
	const char *name;

	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0 || grantpt(master) || unlockpt(master))
		return false;
	name = ptsname(master);
	terminal = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	if (terminal < 0 || tcgetattr(terminal, &raw))
		return false;
	cfmakeraw(&raw);
	return !tcsetattr(terminal, TCSANOW, &raw) && !pipe(answers);
}

/* The threads have the CPU of this one. */
static bool start_readers(void)
{
	if (!open_terminal()) {
		gallery__say("cannot open a terminal: %s", strerror(errno));
		return false;
	}
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&readers[i], NULL, read_terminal, NULL)) {
			gallery__say("cannot start a thread");
			return false;
		}
	}
	return true;
}

static void pass_lock(void)
{
	char byte = 0;

	if (write(master, &byte, 1) != 1 || read(answers[0], &byte, 1) != 1)
		abort();
}

static void end_readers(void)
{
	close(master); /* ends what they read */
	pthread_join(readers[0], NULL);
	pthread_join(readers[1], NULL);
	close(terminal);
	close(answers[0]);
	close(answers[1]);
}

const struct gallery_operation gallery_lock = { "pass a lock to a thread that waits", start_readers,
						pass_lock, end_readers };

/* ---- system calls ---------------------------------------------------------------------------- */

static void call(void)
{
	syscall(SYS_getppid);
}

const struct gallery_operation gallery_syscall = { "getppid()", NULL, call, NULL };
