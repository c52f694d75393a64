/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * terminal.h: the foreground process group of the controlling terminal: peat's own or COMMAND's.
 * Only the foreground group reads from the terminal and gets the signals of its keys.
 */

/* Whether it is a pipe or socket, whose reader may be a pager that has the terminal. */
bool terminal__is_pipe(int fd);

/*
 * Whether COMMAND can have the terminal from its start: it is standard input, and no other program
 * of peat's pipeline, such as a pager, can need it.
 */
bool terminal__is_unshared(void);

/*
 * Makes `group` the foreground group if peat's group is.  From then on peat ignores SIGTTOU: it
 * prints from the background.  False: peat is in the background, or there is no terminal.
 */
bool terminal__give(pid_t group);

/* Makes peat's group the foreground group again if `group` is. */
void terminal__take(pid_t group);

#endif /* CLI_TERMINAL_H */
