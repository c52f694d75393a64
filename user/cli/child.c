// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* child.c: the command behind "--". */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "stop.h"

#define CANNOT_RUN 127 /* as in a shell */

/* The child's part.  It does not run when peat ended before. */
static void wait_and_run(int go_fd, char **argv, bool stdout_is_taken)
{
	char byte;

	if (read(go_fd, &byte, 1) != 1)
		_exit(CANNOT_RUN);
	signal(SIGPIPE, SIG_DFL);
	if (stdout_is_taken && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(CANNOT_RUN);
	execvp(argv[0], argv);
	cli__complain("cannot run %s: %m", argv[0]);
	_exit(CANNOT_RUN);
}

int child__prepare(struct child *child, char **argv, bool stdout_is_taken)
{
	int ends[2], err;

	*child = (struct child){ .go_fd = -1 };
	if (!argv)
		return 0;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	child->pid = fork();
	err = -errno;
	if (!child->pid) {
		close(ends[1]);
		wait_and_run(ends[0], argv, stdout_is_taken);
	}
	close(ends[0]);
	child->go_fd = ends[1];
	if (child->pid > 0)
		return 0;
	child->pid = 0;
	close(ends[1]);
	return err;
}

void child__go(struct child *child)
{
	if (!child->pid)
		return;
	stop__at_child();
	if (write(child->go_fd, "g", 1) != 1)
		cli__complain("cannot start the command: %m");
	close(child->go_fd);
	child->go_fd = -1;
}

int child__end(struct child *child)
{
	int status = 0;
	bool ended;

	if (!child->pid)
		return 0;
	if (child->go_fd >= 0)
		close(child->go_fd);
	ended = waitpid(child->pid, &status, WNOHANG) == child->pid;
	if (!ended) {
		kill(child->pid, SIGTERM);
		while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	child->pid = 0;
	if (!ended)
		return 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
