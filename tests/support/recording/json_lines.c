// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* json_lines.c: checks JSON and finds values in it. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <check.h>

#include "json_lines.h"

#define DEPTH 64
#define NAMES 256 /* of one object */

struct parser {
	const char *start, *at, *end;
	const char *wrong; /* first error; NULL: none */
	int depth;
};

struct span {
	const char *at;
	size_t bytes;
};

static bool is_wrong(struct parser *parser, const char *wrong)
{
	if (!parser->wrong)
		parser->wrong = wrong;
	return false;
}

static int peek(const struct parser *parser)
{
	return parser->at < parser->end ? (unsigned char)*parser->at : -1;
}

static bool take(struct parser *parser, char c)
{
	if (peek(parser) != c)
		return false;
	parser->at++;
	return true;
}

static void skip_blanks(struct parser *parser)
{
	while (peek(parser) == ' ' || peek(parser) == '\t' || peek(parser) == '\n' ||
	       peek(parser) == '\r')
		parser->at++;
}

/* ---- literals and numbers -------------------------------------------------------------------- */

static bool parse_word(struct parser *parser, const char *word)
{
	size_t bytes = strlen(word);

	if ((size_t)(parser->end - parser->at) < bytes || memcmp(parser->at, word, bytes))
		return is_wrong(parser, "no such word");
	parser->at += bytes;
	return true;
}

static bool parse_digits(struct parser *parser)
{
	const char *start = parser->at;

	while (peek(parser) >= '0' && peek(parser) <= '9')
		parser->at++;
	return parser->at > start || is_wrong(parser, "a digit is missing");
}

static bool parse_number(struct parser *parser)
{
	take(parser, '-');
	if (!take(parser, '0') && !parse_digits(parser))
		return false;
	if (take(parser, '.') && !parse_digits(parser))
		return false;
	if (take(parser, 'e') || take(parser, 'E')) {
		if (!take(parser, '+'))
			take(parser, '-');
		return parse_digits(parser);
	}
	return true;
}

/* ---- strings --------------------------------------------------------------------------------- */

static bool parse_hex(struct parser *parser, unsigned *unit)
{
	*unit = 0;
	for (int i = 0; i < 4; i++) {
		int c = peek(parser);
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			return is_wrong(parser, "no four hexadecimal digits");
		*unit = *unit << 4 | (unsigned)digit;
		parser->at++;
	}
	return true;
}

static bool parse_escape(struct parser *parser)
{
	int c = peek(parser);
	unsigned unit, low;

	if (c > 0 && strchr("\"\\/bfnrt", c)) {
		parser->at++;
		return true;
	}
	if (!take(parser, 'u'))
		return is_wrong(parser, "no such escape");
	if (!parse_hex(parser, &unit))
		return false;
	if (unit < 0xd800 || unit > 0xdfff)
		return true;
	if (unit > 0xdbff || !take(parser, '\\') || !take(parser, 'u') || !parse_hex(parser, &low))
		return is_wrong(parser, "half a surrogate pair");
	return (low >= 0xdc00 && low <= 0xdfff) || is_wrong(parser, "half a surrogate pair");
}

/* A character beyond ASCII, by the table of well-formed byte sequences, Unicode 3.9. */
static bool parse_utf8(struct parser *parser)
{
	static const struct {
		unsigned char first, last, second_first, second_last;
		int more;
	} forms[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 1 }, { 0xe0, 0xe0, 0xa0, 0xbf, 2 },
		{ 0xe1, 0xec, 0x80, 0xbf, 2 }, { 0xed, 0xed, 0x80, 0x9f, 2 },
		{ 0xee, 0xef, 0x80, 0xbf, 2 }, { 0xf0, 0xf0, 0x90, 0xbf, 3 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 3 }, { 0xf4, 0xf4, 0x80, 0x8f, 3 },
	};
	int c = peek(parser);

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (c < forms[i].first || c > forms[i].last)
			continue;
		parser->at++;
		if (peek(parser) < forms[i].second_first || peek(parser) > forms[i].second_last)
			break;
		for (int more = forms[i].more; more; more--, parser->at++)
			if (peek(parser) < 0x80 || peek(parser) > 0xbf)
				return is_wrong(parser, "not UTF-8");
		return true;
	}
	return is_wrong(parser, "not UTF-8");
}

static bool parse_string(struct parser *parser, struct span *span)
{
	if (!take(parser, '"'))
		return is_wrong(parser, "a string is missing");
	span->at = parser->at;
	while (peek(parser) != '"') {
		int c = peek(parser);

		if (c < 0)
			return is_wrong(parser, "a string does not end");
		if (c < 0x20)
			return is_wrong(parser, "a control character in a string");
		if (c >= 0x80) {
			if (!parse_utf8(parser))
				return false;
			continue;
		}
		parser->at++;
		if (c == '\\' && !parse_escape(parser))
			return false;
	}
	span->bytes = (size_t)(parser->at - span->at);
	return take(parser, '"');
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool parse_value(struct parser *parser);

static bool parse_name(struct parser *parser, struct span *names, int *count)
{
	struct span *name = &names[*count];

	skip_blanks(parser);
	if (*count == NAMES)
		return is_wrong(parser, "too many names for this parser");
	if (!parse_string(parser, name))
		return false;
	for (int i = 0; i < *count; i++)
		if (names[i].bytes == name->bytes && !memcmp(names[i].at, name->at, name->bytes))
			return is_wrong(parser, "a name is there twice");
	++*count;
	skip_blanks(parser);
	return take(parser, ':') || is_wrong(parser, "a colon is missing");
}

static bool parse_object(struct parser *parser)
{
	struct span names[NAMES];
	int count = 0;

	skip_blanks(parser);
	if (take(parser, '}'))
		return true;
	do {
		if (!parse_name(parser, names, &count) || !parse_value(parser))
			return false;
	} while (take(parser, ','));
	return take(parser, '}') || is_wrong(parser, "an object does not end");
}

static bool parse_array(struct parser *parser)
{
	skip_blanks(parser);
	if (take(parser, ']'))
		return true;
	do {
		if (!parse_value(parser))
			return false;
	} while (take(parser, ','));
	return take(parser, ']') || is_wrong(parser, "an array does not end");
}

static bool parse_bare_value(struct parser *parser)
{
	struct span span;

	switch (peek(parser)) {
	case '{':
		parser->at++;
		return parse_object(parser);
	case '[':
		parser->at++;
		return parse_array(parser);
	case '"':
		return parse_string(parser, &span);
	case 'n':
		return parse_word(parser, "null");
	case 't':
		return parse_word(parser, "true");
	case 'f':
		return parse_word(parser, "false");
	default:
		return parse_number(parser);
	}
}

/* A value with surrounding white space. */
static bool parse_value(struct parser *parser)
{
	bool good;

	if (parser->depth == DEPTH)
		return is_wrong(parser, "too deep for this parser");
	parser->depth++;
	skip_blanks(parser);
	good = parse_bare_value(parser);
	skip_blanks(parser);
	parser->depth--;
	return good;
}

const char *json_lines__check(const char *text, size_t bytes, size_t *at)
{
	struct parser parser = { .start = text, .at = text, .end = text + bytes };

	if (parse_value(&parser) && parser.at < parser.end)
		is_wrong(&parser, "more behind the value");
	*at = (size_t)(parser.at - parser.start);
	return parser.wrong;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void check_line(const char *line)
{
	size_t at;
	const char *wrong = json_lines__check(line, strlen(line), &at);

	ck_assert_msg(!wrong, "%s at byte %zu of: %s", wrong, at, line);
	ck_assert_msg(*line == '{', "no object: %s", line);
}

struct json_lines json_lines__split(char *text)
{
	struct json_lines lines = { 0 };
	size_t room = 1;

	for (const char *p = text; *p; p++)
		room += *p == '\n';
	lines.lines = calloc(room, sizeof(*lines.lines));
	ck_assert_ptr_nonnull(lines.lines);
	while (*text) {
		char *end = strchr(text, '\n');

		ck_assert_msg(end, "no newline behind: %s", text);
		*end = '\0';
		check_line(text);
		lines.lines[lines.count++] = text;
		text = end + 1;
	}
	return lines;
}

void json_lines__free(struct json_lines *lines)
{
	free(lines->lines);
	*lines = (struct json_lines){ 0 };
}

/* ---- finding members ------------------------------------------------------------------------- */

static bool find_name(struct parser *parser, struct span wanted)
{
	struct span name;

	if (!take(parser, '{'))
		return false;
	do {
		skip_blanks(parser);
		if (!parse_string(parser, &name))
			return false;
		skip_blanks(parser);
		take(parser, ':');
		skip_blanks(parser);
		if (name.bytes == wanted.bytes && !memcmp(name.at, wanted.at, wanted.bytes))
			return true;
	} while (parse_value(parser) && take(parser, ','));
	return false;
}

static bool find_index(struct parser *parser, unsigned long index)
{
	if (!take(parser, '['))
		return false;
	skip_blanks(parser);
	for (; index; index--) {
		if (peek(parser) == ']' || !parse_value(parser) || !take(parser, ','))
			return false;
		skip_blanks(parser);
	}
	return peek(parser) != ']';
}

static bool follow(struct parser *parser, const char *path)
{
	while (*path) {
		size_t bytes = strcspn(path, ".[");
		char *end;

		if (*path == '[') {
			if (!find_index(parser, strtoul(path + 1, &end, 10)))
				return false;
			path = end + 1;
		} else {
			if (!find_name(parser, (struct span){ path, bytes }))
				return false;
			path += bytes;
		}
		path += *path == '.';
	}
	return true;
}

static struct span find(const char *line, const char *path)
{
	struct parser parser = { .start = line, .at = line, .end = line + strlen(line) };
	struct span span = { 0 };

	skip_blanks(&parser);
	if (!follow(&parser, path))
		return span;
	span.at = parser.at;
	if (parse_bare_value(&parser))
		span.bytes = (size_t)(parser.at - span.at);
	return span;
}

enum json_kind json_lines__kind(const char *line, const char *path)
{
	struct span span = find(line, path);

	if (!span.bytes)
		return JSON_NOTHING;
	switch (*span.at) {
	case '{':
		return JSON_OBJECT;
	case '[':
		return JSON_ARRAY;
	case '"':
		return JSON_STRING;
	case 'n':
		return JSON_NULL;
	case 't':
	case 'f':
		return JSON_BOOL;
	default:
		return JSON_NUMBER;
	}
}

/* ---- as text --------------------------------------------------------------------------------- */

static char *lend(size_t bytes)
{
	static char *lent[8];
	static unsigned next;
	char **text = &lent[next++ % 8];

	free(*text);
	*text = malloc(bytes + 1);
	ck_assert_ptr_nonnull(*text);
	return *text;
}

const char *json_lines__raw(const char *line, const char *path)
{
	struct span span = find(line, path);
	char *raw = lend(span.bytes);

	if (span.bytes)
		memcpy(raw, span.at, span.bytes);
	raw[span.bytes] = '\0';
	return raw;
}

static char *put_utf8(char *to, uint32_t code)
{
	if (code < 0x80) {
		*to++ = (char)code;
	} else if (code < 0x800) {
		*to++ = (char)(0xc0 | code >> 6);
		*to++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*to++ = (char)(0xe0 | code >> 12);
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	} else {
		*to++ = (char)(0xf0 | code >> 18);
		*to++ = (char)(0x80 | (code >> 12 & 0x3f));
		*to++ = (char)(0x80 | (code >> 6 & 0x3f));
		*to++ = (char)(0x80 | (code & 0x3f));
	}
	return to;
}

/* The character after \u, which may be a surrogate pair. */
static uint32_t read_code(struct parser *parser)
{
	unsigned unit, low;

	parse_hex(parser, &unit);
	if (unit < 0xd800 || unit > 0xdbff)
		return unit;
	parser->at += 2;
	parse_hex(parser, &low);
	return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

static char *put_escape(char *to, struct parser *parser)
{
	static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
	char c = *parser->at++;
	const char *letter = strchr(letters, c);

	if (c == 'u')
		return put_utf8(to, read_code(parser));
	*to++ = letter ? meant[letter - letters] : c;
	return to;
}

const char *json_lines__text(const char *line, const char *path)
{
	struct span span = find(line, path);
	struct parser parser;
	char *text, *to;

	if (!span.bytes || *span.at != '"')
		return NULL;
	parser = (struct parser){ .at = span.at + 1, .end = span.at + span.bytes - 1 };
	text = to = lend(span.bytes);
	while (parser.at < parser.end) {
		char c = *parser.at++;

		if (c == '\\')
			to = put_escape(to, &parser);
		else
			*to++ = c;
	}
	*to = '\0';
	return text;
}

long long json_lines__number(const char *line, const char *path)
{
	const char *raw = json_lines__raw(line, path);
	long long number;
	char *end;

	errno = 0;
	number = strtoll(raw, &end, 10);
	ck_assert_msg(*raw && !*end && !errno, "%s is '%s', no whole number, in: %s", path, raw,
		      line);
	return number;
}

bool json_lines__is(const char *line, const char *path, const char *raw)
{
	return !strcmp(json_lines__raw(line, path), raw);
}
