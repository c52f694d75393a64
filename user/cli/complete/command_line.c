// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* command_line.c: the words of a line that is being typed into a shell. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complete/command_line.h"

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t\n");
}

/* Copies a word without its quotes to *to, and its NUL.  Returns the place after the word. */
static const char *copy_word(const char *at, char **to)
{
	char quote = 0, *out = *to;

	for (; *at && (quote || !strchr(" \t\n", *at)); at++) {
		if (*at == quote) {
			quote = 0;
		} else if (!quote && (*at == '\'' || *at == '"')) {
			quote = *at;
		} else if (*at == '\\' && quote != '\'') {
			if (!at[1])
				break;
			if (quote && !strchr("\"\\$`", at[1]))
				*out++ = '\\';
			*out++ = *++at;
		} else {
			*out++ = *at;
		}
	}
	*out++ = 0;
	*to = out;
	return *at == '\\' ? at + 1 : at;
}

/* Each word but the last is followed by a blank: half of the bytes, and one, are enough. */
int command_line__split(struct command_line *line, const char *text)
{
	size_t bytes = strlen(text);
	char *to;

	*line = (struct command_line){ .text = malloc(bytes + 2),
				       .words = calloc(bytes / 2 + 2, sizeof(*line->words)) };
	if (!line->text || !line->words) {
		command_line__free(line);
		return -ENOMEM;
	}
	to = line->text;
	do {
		text = skip_blanks(text);
		line->words[line->count++] = to;
		text = copy_word(text, &to);
	} while (*text);
	return 0;
}

void command_line__free(struct command_line *line)
{
	free(line->text);
	free(line->words);
	*line = (struct command_line){ 0 };
}
