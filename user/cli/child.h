/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* A command that is started when everything else is, and ends the run when it does. */
struct child {
	pid_t pid; /* 0: there is none */
	int go_fd; /* -1: it runs */
};

/*
 * Makes the process, which waits.  argv ends in NULL; NULL: no command.  When stdout is taken, the
 * command prints to stderr.  0 or -errno.
 */
int child__prepare(struct child *child, char **argv, bool stdout_is_taken);

/* Lets it run; its end asks for the run's (stop.h). */
void child__go(struct child *child);

/*
 * Ends it if it has not, and waits for it.  What the run exits with: its status, 128 and the number
 * of a signal that it died of, 127 if it could not be run; 0 if peat ended it, or there is none.
 */
int child__end(struct child *child);

#endif /* CHILD_H */
