// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shell_word.c: quotes a word for a shell. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <peat/text.h>

#include "cli/base/shell_word.h"
#include "cli/base/terminal_text.h"

static bool acts_on_terminal(const char *word)
{
	size_t bytes = strlen(word);

	return peat_text__escape(NULL, 0, word, bytes) != bytes;
}

static void print_quoted(FILE *to, const char *word)
{
	fputc('\'', to);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	fputc('\'', to);
}

/* The escapes of a terminal's text are those of the shell. */
static void print_escaped(FILE *to, const char *word)
{
	char *text = malloc(2 * strlen(word) + 1), *end = text;

	for (; text && *word; word++) {
		if (*word == '\'' || *word == '\\')
			*end++ = '\\';
		*end++ = *word;
	}
	fputs("$'", to);
	if (text) {
		*end = '\0';
		terminal_text__put(to, text, 0);
	}
	fputc('\'', to);
	free(text);
}

void shell_word__print(FILE *to, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_@%+=:,./-";

	if (*word && !word[strspn(word, plain)])
		fputs(word, to);
	else if (acts_on_terminal(word))
		print_escaped(to, word);
	else
		print_quoted(to, word);
}
