// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/escape.c: escapes foreign text for terminals, for JSON and for XML. */
#include <stdint.h>
#include <string.h>

#include <peat/text.h>

#include "base/escape.h"

#define EACH_BYTE (UINT64_MAX / 255)
#define HIGH_BITS (EACH_BYTE << 7)

static uint64_t has_zero(uint64_t word)
{
	return (word - EACH_BYTE) & ~word & HIGH_BITS;
}

/* True if all eight bytes are plain. */
static bool plain_word(const unsigned char *text, unsigned char quote)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
	return !((word & HIGH_BITS) | ((word - EACH_BYTE * 0x20) & ~word & HIGH_BITS) |
		 has_zero(word ^ EACH_BYTE * 0x7f) | has_zero(word ^ EACH_BYTE * '\\') |
		 has_zero(word ^ EACH_BYTE * quote));
}

static bool plain_byte(unsigned char byte, unsigned char quote)
{
	return byte >= 0x20 && byte < 0x7f && byte != '\\' && byte != quote;
}

/* The number of bytes, from the start, that need no escape: plain ASCII. */
static size_t plain(const unsigned char *text, size_t bytes, unsigned char quote)
{
	size_t i = 0;

	while (bytes - i >= 8 && plain_word(text + i, quote))
		i += 8;
	while (i < bytes && plain_byte(text[i], quote))
		i++;
	return i;
}

/* The length of the UTF-8 character at `text` in bytes; 0: not UTF-8. */
static size_t decode(const unsigned char *text, size_t bytes, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = text[0] < 0x80	  ? 1
			: text[0] >= 0xf0 ? 4
			: text[0] >= 0xe0 ? 3
			: text[0] >= 0xc2 ? 2
					  : 0;

	*code = text[0];
	if (length == 1)
		return 1;
	if (!length || *code > 0xf4 || length > bytes)
		return 0;
	*code &= 0x7fu >> length;
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (text[i] & 0x3f);
	}
	if (*code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return length;
}

/* C0, DEL and C1 */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Changes the order in which the text after it is shown: U+061C, U+200E, U+2066 and others. */
static bool changes_direction(uint32_t code)
{
	return code == 0x061c || code == 0x200e || code == 0x200f ||
	       (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Acts on a terminal, instead of being shown. */
static bool is_active(uint32_t code)
{
	return is_control(code) || changes_direction(code);
}

/* The escape of a byte, such as \n or \x1b.  Returns its length. */
static size_t escape_byte(unsigned char byte, char text[static 4])
{
	static const char names[] = "\aa\bb\tt\nn\vv\ff\rr", digits[] = "0123456789abcdef";

	text[0] = '\\';
	for (const char *name = names; *name; name += 2)
		if ((unsigned char)name[0] == byte) {
			text[1] = name[1];
			return 2;
		}
	text[1] = 'x';
	text[2] = digits[byte >> 4];
	text[3] = digits[byte & 15];
	return 4;
}

static size_t append_escaped(struct strbuf *out, unsigned char byte)
{
	char text[4];
	size_t bytes = escape_byte(byte, text);

	strbuf__bytes(out, text, bytes);
	return bytes;
}

size_t escape__character(const char *text, size_t bytes, bool *is_shown)
{
	uint32_t code;
	size_t length = decode((const unsigned char *)text, bytes, &code);

	*is_shown = length && !is_active(code);
	return length ? length : 1;
}

size_t escape__text(struct strbuf *out, const char *text, size_t bytes, char quote)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t columns = 0, length;
	uint32_t code;

	for (size_t i = 0; i < bytes; i += length) {
		length = plain(p + i, bytes - i, (unsigned char)quote);
		if (length) {
			strbuf__bytes(out, p + i, length);
			columns += length;
			continue;
		}
		length = decode(p + i, bytes - i, &code);
		if (!length || is_active(code)) {
			columns += append_escaped(out, p[i]);
			length = 1; /* its other bytes are no characters, and are escaped, too */
			continue;
		}
		if (length == 1) {
			strbuf__char(out, '\\');
			columns++;
		}
		strbuf__bytes(out, p + i, length);
		columns++;
	}
	return columns;
}

/* ---- into memory of the caller --------------------------------------------------------------- */

size_t peat_text__escape(char *to, size_t room, const char *text, size_t bytes)
{
	size_t needed = 0, used = 0, length;
	char escaped[4];

	for (size_t i = 0; i < bytes; i += length) {
		const char *piece = text + i;
		size_t count;
		bool is_shown;

		length = count = escape__character(piece, bytes - i, &is_shown);
		if (!is_shown) {
			count = escape_byte((unsigned char)text[i], escaped);
			piece = escaped;
			length = 1; /* as in escape__text() */
		}
		if (needed == used && used + count < room) {
			memcpy(to + used, piece, count);
			used += count;
		}
		needed += count;
	}
	if (room)
		to[used] = '\0';
	return needed;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Escapes like "\n"; `names` has pairs of a byte and its letter. */
static bool append_named(struct strbuf *out, unsigned char byte, const char *names)
{
	for (; *names; names += 2) {
		if ((unsigned char)names[0] == byte) {
			strbuf__char(out, '\\');
			strbuf__char(out, names[1]);
			return true;
		}
	}
	return false;
}

/* All these characters have four digits. */
static void append_json_escape(struct strbuf *out, uint32_t code)
{
	const unsigned char digits[] = { (unsigned char)(code >> 8), (unsigned char)code };

	if (code < 0x80 && append_named(out, (unsigned char)code, "\"\"\\\\\bb\tt\nn\ff\rr"))
		return;
	strbuf__bytes(out, "\\u", 2);
	strbuf__hex_bytes(out, digits, sizeof(digits));
}

bool escape__json(struct strbuf *out, const char *text, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t start = out->count, length;
	uint32_t code;

	strbuf__char(out, '"');
	for (size_t i = 0; i < bytes; i += length) {
		length = plain(p + i, bytes - i, '"');
		if (length) {
			strbuf__bytes(out, p + i, length);
			continue;
		}
		length = decode(p + i, bytes - i, &code);
		if (!length) {
			strbuf__cut(out, start);
			return false;
		}
		if (code < 0x80 || is_active(code))
			append_json_escape(out, code);
		else
			strbuf__bytes(out, p + i, length);
	}
	strbuf__char(out, '"');
	return true;
}

/* ---- XML ------------------------------------------------------------------------------------- */

static const char *xml_entity(unsigned char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	default:
		return NULL;
	}
}

/* U+FFFE and U+FFFF are not allowed in XML. */
static bool is_bad_in_xml(uint32_t code)
{
	return is_active(code) || code == 0xfffe || code == 0xffff;
}

void escape__xml(struct strbuf *out, const char *text, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t length;
	uint32_t code;

	for (size_t i = 0; i < bytes; i += length) {
		const char *entity = xml_entity(p[i]);

		length = decode(p + i, bytes - i, &code);
		if (entity)
			strbuf__text(out, entity);
		else if (!length || is_bad_in_xml(code))
			strbuf__text(out, "\xef\xbf\xbd");
		else
			strbuf__bytes(out, p + i, length);
		length = length ? length : 1;
	}
}

void escape__utf8(struct strbuf *out, const char *text, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t length;
	uint32_t code;

	for (size_t i = 0; i < bytes; i += length) {
		length = decode(p + i, bytes - i, &code);
		if (length)
			strbuf__bytes(out, p + i, length);
		else
			strbuf__text(out, "\xef\xbf\xbd");
		length = length ? length : 1;
	}
}
