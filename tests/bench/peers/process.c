// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* process.c: another program on a CPU of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

#define LINE_MS 20000 /* python3 and its libraries, on a busy machine */
#define END_MS	20000 /* a recorder may have hundreds of megabytes to write */

void peer_process__sleep_ms(unsigned ms)
{
	struct timespec time = { ms / 1000, (long)(ms % 1000) * 1000000 };

	while (nanosleep(&time, &time) && errno == EINTR)
		;
}

static int pin_task(pid_t task, uint32_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(task, sizeof(set), &set) ? -errno : 0;
}

int peer_process__pin(uint32_t cpu)
{
	return pin_task(0, cpu);
}

void peer_process__pin_again(const struct peer_process *process, uint32_t cpu)
{
	struct dirent *entry;
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)process->pid);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks)))
		if (atoi(entry->d_name) > 0)
			pin_task(atoi(entry->d_name), cpu);
	if (tasks)
		closedir(tasks);
}

/* ---- starting -------------------------------------------------------------------------------- */

static bool duplicate(int fd, int wanted)
{
	return fd >= 0 && dup2(fd, wanted) == wanted;
}

/* File descriptors of the new process: standard input, output and error, and PEER_KEPT_FD. */
struct fds {
	int in, out, errors, kept;
};

__attribute__((noreturn)) static void run(const struct peer_start *start, const struct fds *fds)
{
	/* Move it away from the numbers assigned below. */
	int kept = fds->kept < 0 ? -1 : fcntl(fds->kept, F_DUPFD, PEER_KEPT_FD + 1);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_DFL); /* background jobs of a shell ignore it */
	signal(SIGPIPE, SIG_DFL);
	if ((start->cpu != PEER_ANY_CPU && peer_process__pin(start->cpu)) ||
	    !duplicate(fds->in, 0) || !duplicate(fds->out, 1) || !duplicate(fds->errors, 2))
		_exit(127);
	if (kept >= 0)
		dup2(kept, PEER_KEPT_FD);
	closefrom(kept >= 0 ? PEER_KEPT_FD + 1 : PEER_KEPT_FD);
	execvp(start->argv[0], (char *const *)start->argv);
	dprintf(2, "%s: %s\n", start->argv[0], strerror(errno));
	_exit(127);
}

static void close_all(const int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* Truncates the file, so that it has no output of an earlier program. */
static int open_empty(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static int start_with(struct peer_process *process, const struct peer_start *start,
		      const struct fds *fds)
{
	process->pid = fork();
	if (!process->pid)
		run(start, fds);
	if (process->pid < 0)
		return -errno;
	return -clock_getcpuclockid(process->pid, &process->clock);
}

int peer_process__start(struct peer_process *process, const struct peer_start *start)
{
	int pipes[4] = { -1, -1, -1, -1 }, files[2], err = 0;

	*process = (struct peer_process){ .in = -1, .out = -1 };
	files[0] = open_empty(start->errors);
	files[1] = start->output ? open_empty(start->output) : -1;
	if (files[0] < 0 || (start->output && files[1] < 0) || pipe2(pipes, O_CLOEXEC) ||
	    pipe2(pipes + 2, O_CLOEXEC))
		err = -errno;
	if (!err)
		err = start_with(process, start,
				 &(struct fds){ pipes[0], start->output ? files[1] : pipes[3],
						files[0], start->kept_fd });
	close_all(files, 2);
	close_all((const int[]){ pipes[0], pipes[3] }, 2);
	process->in = pipes[1];
	process->out = pipes[2];
	if (err)
		peer_process__end(process);
	return err;
}

/* ---- ending ---------------------------------------------------------------------------------- */

bool peer_process__is_running(struct peer_process *process)
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
		for (unsigned ms = 0; ms < END_MS && peer_process__is_running(process); ms++)
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
