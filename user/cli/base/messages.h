/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* messages.h: diagnostics of the command, on stderr. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include <stdbool.h>

/* Prints "peat: " and one line, after flushing stdout.  Names in it cannot act on a terminal. */
__attribute__((format(printf, 1, 2))) void messages__print(const char *format, ...);

bool messages__were_printed(void);

/* Keeps messages until messages__release(), which prints them: the terminal is a screen. */
void messages__hold(void);
void messages__release(void);

/*
 * Prints the library's messages from now on.  0: errors and warnings; 1: also progress; 2 or more:
 * also debug messages.
 */
void messages__set_verbosity(int verbose);

#endif /* CLI_MESSAGES_H */
