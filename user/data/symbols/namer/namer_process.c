// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/namer_process.c: starts and ends a namer. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "symbols/namer/namer_child.h"
#include "symbols/namer/namer_message.h"
#include "symbols/namer/namer_process.h"

#define NAME	     "peat-namer"
#define START_MS     5000 /* a busy machine */
#define MS_NS	     UINT64_C(1000000)
#define FDS_RESERVED 10 /* its descriptors are 0 to 3 */

/*
 * Standard files are /dev/null, or, in a root directory without it, this program, which cannot be
 * written.  The socket may be one of those that are replaced: it moves first.
 */
static int set_files(posix_spawn_file_actions_t *actions, int socket)
{
	const bool has_null = !access("/dev/null", F_OK);
	const char *file = has_null ? "/dev/null" : "/proc/self/exe";
	int err = 0;

	for (int fd = 0; !err && fd <= STDERR_FILENO; fd++)
		err = posix_spawn_file_actions_addopen(actions, fd, file,
						       has_null ? O_RDWR : O_RDONLY, 0);
	return -(err ?: posix_spawn_file_actions_adddup2(actions, socket, NAMER_SOCKET));
}

/* Signals of the terminal's group do not reach it: its parent ends it. */
static int set_signals(posix_spawnattr_t *attr)
{
	sigset_t none, all;
	int err;

	sigemptyset(&none);
	sigfillset(&all);
	err = posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						     POSIX_SPAWN_SETPGROUP);
	err = err ?: posix_spawnattr_setsigmask(attr, &none);
	return -(err ?: posix_spawnattr_setsigdefault(attr, &all));
}

/* The linker's path is that of this process; nothing else of its environment is handed on. */
static int spawn(struct namer_process *process, const char *program, bool is_for_lines,
		 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr)
{
	const char *path = getenv("LD_LIBRARY_PATH");
	char parent[16], *library = NULL;
	char *argv[] = { (char *)NAME, parent, is_for_lines ? (char *)NAMER_FOR_LINES : NULL,
			 NULL };
	char *envp[] = { NULL, NULL };
	int err;

	snprintf(parent, sizeof(parent), "%d", getpid());
	if (path && asprintf(&library, "LD_LIBRARY_PATH=%s", path) < 0)
		return -ENOMEM;
	envp[0] = library;
	err = posix_spawn(&process->pid, program, actions, attr, argv, envp);
	free(library);
	return -err;
}

static int spawn_with(struct namer_process *process, const char *program, bool is_for_lines,
		      int socket)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int err = -posix_spawn_file_actions_init(&actions);

	if (err)
		return err;
	err = -posix_spawnattr_init(&attr);
	if (!err) {
		err = set_files(&actions, socket) ?: set_signals(&attr);
		if (!err)
			err = spawn(process, program, is_for_lines, &actions, &attr);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&actions);
	return err;
}

/* Signals may arrive more often than the time passes.  As poll(2). */
static int poll_until(struct pollfd *poll_for, uint64_t end_ns)
{
	int ready;

	do {
		const uint64_t now_ns = monotonic_ns();
		const uint64_t left_ms = now_ns < end_ns ? (end_ns - now_ns) / MS_NS + 1 : 0;

		ready = poll(poll_for, 1, (int)left_ms);
	} while (ready < 0 && errno == EINTR);
	return ready;
}

/* The first message says that it has no rights. */
static int receive_hello(const struct namer_process *process)
{
	struct pollfd poll_for = { .fd = process->socket, .events = POLLIN };
	struct namer_message hello;
	int fds[NAMER_FDS_MAX], err;
	const int ready = poll_until(&poll_for, monotonic_ns() + START_MS * MS_NS);
	uint32_t count;

	if (ready <= 0)
		return ready ? -errno : -ETIMEDOUT;
	err = namer_message__receive(process->socket, &hello, fds, &count);
	while (!err && count)
		close(fds[--count]);
	if (err)
		return err;
	return hello.kind == NAMER_HELLO ? hello.err : -EPROTO;
}

static int open_pidfd(struct namer_process *process)
{
	process->pidfd = (int)syscall(SYS_pidfd_open, process->pid, 0);
	return process->pidfd < 0 ? -errno : 0;
}

/* The child gives memory back if it has nothing to do. */
static int set_idle_time(int socket)
{
	const struct timeval idle = { .tv_sec = 1 };

	return setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &idle, sizeof(idle)) ? -errno : 0;
}

int namer_process__start(struct namer_process *process, const char *program, bool is_for_lines)
{
	int pair[2], socket, err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	socket = fcntl(pair[1], F_DUPFD_CLOEXEC, FDS_RESERVED);
	err = socket < 0 ? -errno : 0;
	close(pair[1]);
	*process = (struct namer_process){ .pidfd = -1, .socket = pair[0], .parent = getpid() };
	if (!err) {
		err = set_idle_time(socket) ?: spawn_with(process, program, is_for_lines, socket);
		close(socket);
	}
	if (err) {
		close(pair[0]);
		process->pid = 0;
		return err;
	}
	err = open_pidfd(process);
	if (err)
		namer_process__end(process);
	return err;
}

int namer_process__await_ready(struct namer_process *process)
{
	int err = process->is_ready ? 0 : receive_hello(process);

	process->is_ready = !err;
	return err;
}

/* The application may have reaped the child by now, so that its number is another process. */
void namer_process__kill(const struct namer_process *process)
{
	if (!process->pid || process->parent != getpid())
		return;
	if (process->pidfd < 0
		    ? kill(process->pid, SIGKILL)
		    : (int)syscall(SYS_pidfd_send_signal, process->pidfd, SIGKILL, NULL, 0))
		log__debug("namer: %s", strerror(errno));
}

void namer_process__end(struct namer_process *process)
{
	const int saved = errno;

	if (!process->pid)
		return;
	namer_process__kill(process);
	while (process->parent == getpid() && waitpid(process->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(process->socket);
	if (process->pidfd >= 0)
		close(process->pidfd);
	*process = (struct namer_process){ .pidfd = -1 };
	errno = saved;
}

uint64_t namer_process__cpu_ns(const struct namer_process *process)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(process->pid, &clock) || clock_gettime(clock, &used))
		return 0;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}
