/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include <stddef.h>

/* command_line.h: the words of a line that is being typed into a shell. */

struct command_line {
	char *text;   /* all words, each with its NUL */
	char **words; /* without their quotes */
	size_t count; /* at least 1: the last word is the one at the cursor, "" after a blank */
};

/*
 * Splits the line, which ends at the cursor, as a shell does: at blanks, with '', "" and \.  A
 * quote without its end extends to the cursor.  0 or -ENOMEM.
 */
int command_line__split(struct command_line *line, const char *text);

void command_line__free(struct command_line *line);

#endif /* CLI_COMMAND_LINE_H */
