// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peer_process.c: another program, on a CPU of its own. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer_process.h"

#define LINE_MS 20000 /* python3 and its libraries, on a busy machine */
#define END_MS	20000 /* of a recording of some hundred megabytes */

void peer_process__sleep_ms(unsigned ms)
{
	struct timespec time = { ms / 1000, (long)(ms % 1000) * 1000000 };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

int peer_process__pin(uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

/* ---- starting -------------------------------------------------------------------------------- */

static bool becomes(int fd, int wanted)
{
	return fd >= 0 && dup2(fd, wanted) == wanted;
}

/* In the child.  What it inherits is the four fds that it is given. */
__attribute__((noreturn)) static void run(const struct peer_start *start, int in, int out)
{
	int errors = open(start->errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int kept = start->kept_fd < 0 ? -1 : fcntl(start->kept_fd, F_DUPFD, PEER_KEPT_FD + 1);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL); /* a shell's background has it ignored */
	signal(SIGPIPE, SIG_DFL);
	if (start->output)
		out = open(start->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (peer_process__pin(start->cpu) || !becomes(in, 0) || !becomes(out, 1) ||
	    !becomes(errors, 2))
		_exit(127);
	if (kept >= 0)
		dup2(kept, PEER_KEPT_FD);
	closefrom(kept >= 0 ? PEER_KEPT_FD + 1 : PEER_KEPT_FD);
	execvp(start->argv[0], start->argv);
	dprintf(2, "%s: %s\n", start->argv[0], strerror(errno));
	_exit(127);
}

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

int peer_process__start(struct peer_process *process, const struct peer_start *start)
{
	int fds[4] = { -1, -1, -1, -1 }, err;

	*process = (struct peer_process){ .in = -1, .out = -1 };
	if (pipe2(fds, O_CLOEXEC) || pipe2(fds + 2, O_CLOEXEC)) {
		err = -errno;
		close_all(fds, 4);
		return err;
	}
	process->pid = fork();
	if (!process->pid)
		run(start, fds[0], fds[3]);
	err = process->pid < 0 ? -errno : 0;
	close(fds[0]);
	close(fds[3]);
	process->in = fds[1];
	process->out = fds[2];
	if (!err)
		err = -clock_getcpuclockid(process->pid, &process->clock);
	if (err)
		peer_process__end(process);
	return err;
}

/* ---- ending ---------------------------------------------------------------------------------- */

bool peer_process__is_there(struct peer_process *process)
{
	siginfo_t info = { .si_pid = 0 };

	return process->pid > 0 &&
	       !waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
	       !info.si_pid;
}

int peer_process__end(struct peer_process *process)
{
	int status = 0;

	close_all((const int[]){ process->in, process->out }, 2);
	process->in = process->out = -1;
	if (process->pid > 0) {
		kill(process->pid, SIGCONT);
		kill(process->pid, SIGINT);
		for (unsigned ms = 0; ms < END_MS && peer_process__is_there(process); ms++)
			peer_process__sleep_ms(1);
		kill(process->pid, SIGKILL);
		while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	process->pid = 0;
	return status;
}

/* ---- while it runs --------------------------------------------------------------------------- */

uint64_t peer_process__cpu_ns(const struct peer_process *process)
{
	struct timespec used = { 0 };

	clock_gettime(process->clock, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

int peer_process__read_line(const struct peer_process *process, char *line, size_t room)
{
	struct pollfd poll_fd = { .fd = process->out, .events = POLLIN };
	size_t bytes = 0;
	int ready;

	while (bytes + 1 < room) {
		ready = poll(&poll_fd, 1, LINE_MS);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return ready ? -errno : -ETIMEDOUT;
		if (read(process->out, line + bytes, 1) != 1)
			return -EPIPE;
		if (line[bytes] == '\n') {
			line[bytes] = '\0';
			return 0;
		}
		bytes++;
	}
	return -E2BIG;
}
