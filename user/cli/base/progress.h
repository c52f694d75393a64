/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include "cli/base/progress_text.h"

/*
 * progress.h: a line of progress on stderr, if that is a terminal.
 *
 *	progress__begin(quiet);
 *	while (do_a_part())
 *		progress__report(&progress);
 *	progress__end();
 *
 * Nothing is drawn in the first second, then at most five times per second.  The line is erased
 * before messages, by signals that end the process, and at the end.  Before output to stdout,
 * which may be the same terminal, erase it by progress__erase().
 */

/* Time starts now.  Nothing is drawn if `quiet`, or if the terminal cannot erase a line. */
void progress__begin(bool quiet);

/* Whether the line may be drawn until the end: it must not mix with the output of a program. */
bool progress__is_on(void);

/*
 * Whether progress__report() would draw now.  Reads the clock.  Never while another job has the
 * terminal.
 */
bool progress__is_due(void);

/* Draws the line if it is due.  Sets progress->elapsed_ms. */
void progress__report(struct progress *progress);

/* Draws the caller's text at once, if anything may be drawn. */
void progress__show(const char *text);

/* Erases the line until it is drawn again. */
void progress__erase(void);
void progress__end(void);

/*
 * The same for a call that blocks: a thread draws the line until the end.  The strings are used
 * until then.
 */
void progress__begin_wait(bool quiet, const char *verb, const char *name);
void progress__end_wait(void);

/* Erases the line, and keeps it from being drawn until the release: a message is printed. */
void progress__hold(void);
void progress__release(void);

/* Erases the line in a signal handler that ends the process. */
void progress__erase_in_handler(void);

#endif /* CLI_PROGRESS_H */
