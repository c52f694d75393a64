// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* terminal_text.c: prints names that any user may have chosen. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <peat/text.h>

#include "cli/base/terminal_text.h"

#define NO_MEMORY "(no memory)"

static char *escape(const char *text, size_t bytes)
{
	size_t room = peat_text__escape(NULL, 0, text, bytes) + 1;
	char *escaped = malloc(room);

	if (escaped)
		peat_text__escape(escaped, room, text, bytes);
	return escaped;
}

char *terminal_text__escape(const char *text)
{
	return escape(text, strlen(text));
}

static size_t put(FILE *to, const char *text, size_t bytes)
{
	char *escaped = escape(text, bytes);
	const char *printed = escaped ? escaped : NO_MEMORY;
	size_t columns = 0;

	for (const char *at = printed; *at; at++)
		columns += (*at & 0xc0) != 0x80;
	if (to)
		fputs(printed, to);
	free(escaped);
	return columns;
}

size_t terminal_text__columns(const char *text)
{
	return put(NULL, text, strlen(text));
}

void terminal_text__put(FILE *to, const char *text, size_t width)
{
	size_t columns = put(to, text, strlen(text));

	fprintf(to, "%*s", columns < width ? (int)(width - columns) : 0, "");
}

static bool ends_line(const char *text, size_t bytes)
{
	return bytes && text[bytes - 1] == '\n';
}

void terminal_text__print(FILE *to, const char *format, ...)
{
	bool is_line = ends_line(format, strlen(format));
	va_list args;
	char *text;
	int bytes;

	va_start(args, format);
	bytes = vasprintf(&text, format, args);
	va_end(args);
	if (bytes < 0) {
		fputs(NO_MEMORY, to);
	} else {
		put(to, text, (size_t)bytes - is_line);
		free(text);
	}
	if (is_line)
		fputc('\n', to);
}

/* Tabs, which libbpf and the verifier print, stay. */
static void put_lines(FILE *to, const char *text)
{
	size_t bytes;

	for (; *text; text += bytes) {
		bytes = strcspn(text, "\n\t");
		put(to, text, bytes);
		if (!text[bytes])
			return;
		fputc(text[bytes], to);
		bytes++;
		if (text[bytes - 1] == '\n' && !strchr(" \t", text[bytes])) /* or the end */
			fputs("  ", to);
	}
}

void terminal_text__message(FILE *to, const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0) {
		fputs(NO_MEMORY, to);
		return;
	}
	put_lines(to, text);
	free(text);
}
