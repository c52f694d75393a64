/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TERMINAL_TEXT_H
#define CLI_TERMINAL_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/*
 * terminal_text.h: prints names that any user may have chosen, escaped so that they cannot act on a
 * terminal: see peat/text.h.
 */

/* The escaped text, to be freed; NULL: no memory. */
char *terminal_text__escape(const char *text);

/* The columns of the escaped text: one per character. */
size_t terminal_text__columns(const char *text);

/* Prints the escaped text, and blanks up to `width` columns. */
void terminal_text__put(FILE *to, const char *text, size_t width);

/* Like fprintf(); escapes the result, except for a newline at the end of the format. */
__attribute__((format(printf, 2, 3))) void terminal_text__print(FILE *to, const char *format, ...);

/*
 * Prints a message, which can have several lines.  All but the first are indented, so that a name
 * with a newline in it cannot look like another message.  No newline is appended.
 */
__attribute__((format(printf, 2, 0))) void terminal_text__message(FILE *to, const char *format,
								  va_list args);

#endif /* CLI_TERMINAL_TEXT_H */
