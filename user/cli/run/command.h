/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/* The exit status of a command that cannot be run, same as a shell's. */
#define COMMAND_CANNOT_RUN 127

/*
 * command.h: the command after "--".  Its process exists before tracing starts, but executes the
 * command only after that; its exit stops the run.
 *
 * It leads a process group of its own, so that peat can end its children with it.  It has the
 * terminal from the start if no program of peat's pipeline can need it, otherwise once it needs it.
 * If a key of the terminal stops it, peat stops too, and they continue together.
 */
struct command {
	pid_t pid;    /* also of the group; 0: no command */
	int start_fd; /* -1: it has been started */
	bool has_ended;
	int status; /* of waitpid(), if has_ended */
};

/*
 * Creates the process, which waits for command__start().  argv ends in NULL; NULL: no command.  If
 * stdout_is_used, the command prints to stderr instead.  0 or -errno.
 */
int command__prepare(struct command *command, char **argv, bool stdout_is_used);

/* Executes the command.  A change of its state ends a wait of the reader; see command__follow(). */
void command__start(struct command *command);

/* Handles an end or a stop of the command since the last call.  Returns whether it has ended. */
bool command__follow(struct command *command);

/*
 * Terminates the command's group if the command still runs, and waits for the command.  Returns the
 * exit status of the run: the command's own; 128 plus the number of the signal that ended it; 127:
 * it cannot be run; 0: peat terminated it, or there is no command.
 */
int command__end(struct command *command);

#endif /* CLI_COMMAND_H */
