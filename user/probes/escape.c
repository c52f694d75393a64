// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* escape.c: text from elsewhere, made harmless for a terminal. */
#include <stdint.h>
#include <string.h>

#include "escape.h"

/* How many bytes the UTF-8 character at `text` has; 0 if it is none, or one to be escaped. */
static size_t printable(const unsigned char *text, size_t bytes)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	uint32_t code = text[0];
	size_t length = code < 0x80    ? 1
			: code >= 0xf0 ? 4
			: code >= 0xe0 ? 3
			: code >= 0xc2 ? 2
				       : 0;

	if (length == 1)
		return code >= 0x20 && code != 0x7f;
	if (!length || code > 0xf4 || length > bytes)
		return 0;
	code &= 0x7fu >> length;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return code >= 0xa0 ? length : 0; /* below are the C1 controls */
}

static size_t print_escaped_byte(FILE *out, unsigned char byte)
{
	static const char names[] = "\aa\bb\tt\nn\vv\ff\rr";

	for (size_t i = 0; i + 1 < sizeof(names); i += 2) {
		if ((unsigned char)names[i] == byte) {
			fprintf(out, "\\%c", names[i + 1]);
			return 2;
		}
	}
	fprintf(out, "\\x%02x", byte);
	return 4;
}

size_t escape__print(FILE *out, const char *text, size_t bytes, char quote)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t columns = 0, length;

	for (size_t i = 0; i < bytes; i += length ? length : 1) {
		length = printable(p + i, bytes - i);
		if (!length) {
			columns += print_escaped_byte(out, p[i]);
			continue;
		}
		if (p[i] == '\\' || (quote && p[i] == (unsigned char)quote)) {
			fputc('\\', out);
			columns++;
		}
		fwrite(p + i, 1, length, out);
		columns++;
	}
	return columns;
}
