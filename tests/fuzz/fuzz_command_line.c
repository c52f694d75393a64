// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_command_line.c: any line that is being typed.
 *
 * The words with their NULs have at most two bytes more than the line, and their number is at most
 * half of its bytes, and one.  Words without special characters, joined by blanks, are split into
 * the same words.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../user/cli/complete/command_line.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_plain(const struct command_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (strpbrk(line->words[i], " \t\n'\"\\") ||
		    (!*line->words[i] && i + 1 < line->count))
			return false;
	return true;
}

static void check_again(const struct command_line *line, size_t bytes)
{
	char *joined = calloc(1, bytes + 2), *to = joined;
	struct command_line again;

	if (!joined)
		abort();
	for (size_t i = 0; i < line->count; i++) {
		if (i)
			*to++ = ' ';
		to = stpcpy(to, line->words[i]);
	}
	if (command_line__split(&again, joined) || again.count != line->count)
		abort();
	for (size_t i = 0; i < line->count; i++)
		if (strcmp(again.words[i], line->words[i]))
			abort();
	command_line__free(&again);
	free(joined);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct command_line line;
	size_t bytes = 0;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	if (command_line__split(&line, text) || !line.count || line.count > strlen(text) / 2 + 1)
		abort();
	for (size_t i = 0; i < line.count; i++)
		bytes += strlen(line.words[i]) + 1;
	if (bytes > strlen(text) + 2)
		abort();
	if (is_plain(&line))
		check_again(&line, bytes);
	command_line__free(&line);
	free(text);
	return 0;
}
