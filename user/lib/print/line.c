// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/line.c: lines for a terminal: their characters, their ends, their colours. */
#include "print/line.h"

#define ELLIPSIS "\xe2\x80\xa6"

/* The end of the character, or of the colour, that begins at `at`. */
static size_t next_character(const char *text, size_t bytes, size_t at)
{
	if (text[at] == '\x1b') {
		while (at < bytes && text[at] != 'm')
			at++;
		return at < bytes ? at + 1 : bytes;
	}
	for (at++; at < bytes && (text[at] & 0xc0) == 0x80;)
		at++;
	return at;
}

uint32_t line__characters(const char *text, size_t bytes)
{
	uint32_t count = 0;

	for (size_t at = 0; at < bytes; at = next_character(text, bytes, at))
		count += text[at] != '\x1b';
	return count;
}

/* The number of bytes in the first `characters` characters. */
static size_t bytes_of_characters(const char *text, size_t bytes, uint32_t characters)
{
	size_t at = 0;

	for (; at < bytes; at = next_character(text, bytes, at))
		if (text[at] != '\x1b' && !characters--)
			break;
	return at;
}

void line__append_cut(struct strbuf *out, const char *text, size_t bytes, uint32_t width,
		      bool keep_end)
{
	uint32_t characters = line__characters(text, bytes);
	size_t at;

	if (characters <= width) {
		strbuf__bytes(out, text, bytes);
		return;
	}
	if (!width)
		return;
	if (!keep_end) {
		strbuf__bytes(out, text, bytes_of_characters(text, bytes, width - 1));
		strbuf__text(out, ELLIPSIS);
		return;
	}
	at = bytes_of_characters(text, bytes, characters - (width - 1));
	strbuf__text(out, ELLIPSIS);
	strbuf__bytes(out, text + at, bytes - at);
}

static void cut(struct strbuf *out, size_t start, uint32_t width)
{
	const char *line = out->bytes + start;
	size_t bytes = out->count - start;
	size_t fitting = bytes_of_characters(line, bytes, width);

	if (fitting == bytes)
		return;
	bytes = bytes_of_characters(line, bytes, width - 1);
	strbuf__cut(out, start + bytes);
	strbuf__text(out, ELLIPSIS);
	if (!out->failed && memchr(out->bytes + start, '\x1b', bytes))
		strbuf__text(out, LINE_PLAIN);
}

void line__end(struct strbuf *out, size_t start, uint32_t width)
{
	if (out->failed)
		return;
	while (out->count > start && out->bytes[out->count - 1] == ' ')
		out->count--;
	if (width && out->count - start > width)
		cut(out, start, width);
	strbuf__char(out, '\n');
}
