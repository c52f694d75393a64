/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* messages.h: diagnostics of the command, on stderr. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

/* Prints "peat: " and one line, after flushing stdout.  Names in it cannot act on a terminal. */
__attribute__((format(printf, 1, 2))) void messages__print(const char *format, ...);

/*
 * Whoever finds an error reports it, except for lack of memory.  Prints that if err is -ENOMEM and
 * no message but warnings of the library was printed since messages__begin_errors() or the start.
 */
void messages__report_no_memory(int err);
void messages__begin_errors(void);

/* Keeps messages until messages__release(), which prints them: the terminal is a screen. */
void messages__hold(void);
void messages__release(void);

/*
 * Prints the library's messages from now on.  0: errors and warnings; 1: also progress; 2 or more:
 * also debug messages.
 */
void messages__set_verbosity(int verbose);

#endif /* CLI_MESSAGES_H */
