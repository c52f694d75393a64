// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* json_text.c: JSON strings. */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <peat/text.h>

#include "cli/base/json_text.h"

/* The length of the UTF-8 character at `text`, and its code; 0: not UTF-8. */
static size_t decode(const char *text, wchar_t *code)
{
	mbstate_t state = { 0 };
	static locale_t utf8;
	locale_t old;
	size_t bytes;

	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	if (!utf8)
		return 0;
	old = uselocale(utf8);
	bytes = mbrtowc(code, text, strlen(text), &state);
	uselocale(old);
	return bytes > 4 ? 0 : bytes;
}

/* Returns the bytes that it printed of the text. */
static size_t print_character(FILE *out, const char *text)
{
	unsigned char c = (unsigned char)*text;
	wchar_t code = c;
	size_t bytes = c < 0x80 ? 1 : decode(text, &code); /* not every system has a UTF-8 locale */

	if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (!bytes || peat_text__escape(NULL, 0, text, bytes) != bytes)
		fprintf(out, "\\u%04x", bytes ? (unsigned)code : c);
	else
		fwrite(text, 1, bytes, out);
	return bytes ? bytes : 1;
}

/* Descriptions in BPF objects can contain any bytes. */
void json_text__print_to(FILE *out, const char *text)
{
	if (!text) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	while (*text)
		text += print_character(out, text);
	fputc('"', out);
}

void json_text__print(const char *text)
{
	json_text__print_to(stdout, text);
}

void json_text__member(const char *before, const char *name, const char *text)
{
	printf("%s\"%s\":", before, name);
	json_text__print(text);
}
