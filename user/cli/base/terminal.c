// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* terminal.c: the foreground process group of the controlling terminal. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/terminal.h"

bool terminal__is_pipe(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

bool terminal__is_unshared(void)
{
	return isatty(STDIN_FILENO) && !terminal__is_pipe(STDOUT_FILENO) &&
	       !terminal__is_pipe(STDERR_FILENO);
}

/* -1: no controlling terminal. */
static int open_terminal(void)
{
	return open("/dev/tty", O_RDWR | O_CLOEXEC);
}

static void close_terminal(int fd)
{
	if (fd >= 0)
		close(fd);
}

bool terminal__give(pid_t group)
{
	int fd = open_terminal();
	bool given = fd >= 0 && tcgetpgrp(fd) == getpgrp() && !tcsetpgrp(fd, group);

	if (given)
		signal(SIGTTOU, SIG_IGN);
	close_terminal(fd);
	return given;
}

/* The terminal stops background groups that change its foreground group, unless they ignore it. */
void terminal__take(pid_t group)
{
	int fd = open_terminal();

	if (fd >= 0 && tcgetpgrp(fd) == group && !tcsetpgrp(fd, getpgrp()))
		signal(SIGTTOU, SIG_DFL);
	close_terminal(fd);
}
