// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* json_text.c: JSON strings. */
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "json_text.h"

/* Length of the UTF-8 character at `text`; 0: not UTF-8. */
static size_t utf8_bytes(const char *text)
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
	bytes = mbrlen(text, strlen(text), &state);
	uselocale(old);
	return bytes > 4 ? 0 : bytes;
}

/* Descriptions in BPF objects can contain any bytes. */
void json_text__print_to(FILE *out, const char *text)
{
	size_t bytes;

	if (!text) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	for (; *text; text += bytes ? bytes : 1) {
		unsigned char c = (unsigned char)*text;

		bytes = c < 0x80 ? 1 : utf8_bytes(text); /* not every system has a UTF-8 locale */
		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20 || c == 0x7f || !bytes)
			fprintf(out, "\\u%04x", c);
		else
			fwrite(text, 1, bytes, out);
	}
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
