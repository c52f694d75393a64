// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* command.c: the command after "--". */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/run/command.h"
#include "cli/base/file_limit.h"
#include "cli/base/messages.h"
#include "cli/base/signals.h"
#include "cli/base/terminal.h"

/* Runs in the child.  Exits without running the command if peat ends before command__start(). */
static void wait_and_run(int start_fd, char **argv, bool stdout_is_used)
{
	char byte;

	setpgid(0, 0);
	if (read(start_fd, &byte, 1) != 1)
		_exit(COMMAND_CANNOT_RUN);
	signal(SIGPIPE, SIG_DFL);
	if (stdout_is_used && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(COMMAND_CANNOT_RUN);
	file_limit__restore();
	execvp(argv[0], argv);
	messages__print("cannot run %s: %m", argv[0]);
	_exit(COMMAND_CANNOT_RUN);
}

int command__prepare(struct command *command, char **argv, bool stdout_is_used)
{
	int ends[2], err;

	*command = (struct command){ .start_fd = -1 };
	if (!argv)
		return 0;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	command->pid = fork();
	err = -errno;
	if (!command->pid) {
		close(ends[1]);
		wait_and_run(ends[0], argv, stdout_is_used);
	}
	close(ends[0]);
	command->start_fd = ends[1];
	if (command->pid > 0) {
		setpgid(command->pid, command->pid); /* whichever of the two runs first */
		return 0;
	}
	command->pid = 0;
	close(ends[1]);
	return err;
}

void command__start(struct command *command)
{
	if (!command->pid)
		return;
	signals__share_with(command->pid);
	if (terminal__is_unshared())
		terminal__give(command->pid);
	if (write(command->start_fd, "g", 1) != 1)
		messages__print("cannot start the command: %m");
	close(command->start_fd);
	command->start_fd = -1;
}

/*
 * A command that needs the terminal gets it if peat's job is in the foreground.  Otherwise the
 * whole job stops, as one that has no process group apart.  SIGSTOP is for the command alone.
 */
static void follow_stop(const struct command *command, int number)
{
	bool continued = true;

	if (number != SIGTSTP && number != SIGTTIN && number != SIGTTOU)
		return;
	if (number == SIGTSTP || !terminal__give(command->pid)) {
		terminal__take(command->pid);
		continued = signals__stop_job(number) || number == SIGTSTP;
		if (terminal__is_unshared())
			terminal__give(command->pid);
	}
	if (continued)
		kill(-command->pid, SIGCONT);
}

static void note_end(struct command *command, int status)
{
	command->has_ended = true;
	command->status = status;
	signals__share_no_more();
	terminal__take(command->pid);
}

/* Once peat is to stop, command__end() ends the group before the command's id can be reused. */
bool command__follow(struct command *command)
{
	int status;

	if (!command->pid || command->has_ended || signals__stop_requested() ||
	    !signals__take_child_change())
		return command->has_ended;
	while (!command->has_ended &&
	       waitpid(command->pid, &status, WNOHANG | WUNTRACED) == command->pid) {
		if (WIFSTOPPED(status))
			follow_stop(command, WSTOPSIG(status));
		else
			note_end(command, status);
	}
	return command->has_ended;
}

/* Without reaping it: its id stays in use. */
static bool has_exited(pid_t pid)
{
	siginfo_t info = { 0 };

	return !waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

/* Stopped processes end only after they continue. */
static void terminate_group(pid_t group)
{
	kill(-group, SIGTERM);
	kill(-group, SIGCONT);
}

static void reap(struct command *command)
{
	int status = 0;

	while (waitpid(command->pid, &status, 0) < 0 && errno == EINTR)
		;
	note_end(command, status);
}

/*
 * A command that ends after peat was told to stop has not ended by itself: signals are passed on
 * to it, and its status would tell which of the two was faster.
 */
int command__end(struct command *command)
{
	bool ended_itself;

	if (!command->pid)
		return 0;
	if (command->start_fd >= 0)
		close(command->start_fd);
	ended_itself =
		command->has_ended || (!signals__stop_requested() && has_exited(command->pid));
	if (!ended_itself)
		terminate_group(command->pid);
	if (!command->has_ended)
		reap(command);
	if (!ended_itself)
		return 0;
	return WIFSIGNALED(command->status) ? 128 + WTERMSIG(command->status)
					    : WEXITSTATUS(command->status);
}
