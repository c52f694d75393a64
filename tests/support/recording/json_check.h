/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* json_check.h: is this JSON (RFC 8259), and harmless on a terminal? */
#ifndef TESTS_SUPPORT_RECORDING_JSON_CHECK_H
#define TESTS_SUPPORT_RECORDING_JSON_CHECK_H

#include <stdbool.h>
#include <string.h>

static bool json_value(const char **p);

static inline bool json_take(const char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

static inline bool json_digits(const char **p)
{
	const char *start = *p;

	*p += strspn(*p, "0123456789");
	return *p > start;
}

static inline bool json_number(const char **p)
{
	json_take(p, '-');
	if (!json_take(p, '0') && !json_digits(p))
		return false;
	if (json_take(p, '.') && !json_digits(p))
		return false;
	if (json_take(p, 'e') || json_take(p, 'E')) {
		if (!json_take(p, '+'))
			json_take(p, '-');
		return json_digits(p);
	}
	return true;
}

static inline bool json_escape(const char **p)
{
	if (**p && strchr("\"\\/bfnrt", **p)) {
		++*p;
		return true;
	}
	if (!json_take(p, 'u') || strspn(*p, "0123456789abcdefABCDEF") < 4)
		return false;
	*p += 4;
	return true;
}

/* Bytes that resemble UTF-8 pass; control characters do not. */
static inline bool json_string(const char **p)
{
	if (!json_take(p, '"'))
		return false;
	while (**p != '"') {
		unsigned char c = (unsigned char)*(*p)++;

		if (c < 0x20 || c == 0x7f || c > 0xf4 || c == 0xc0 || c == 0xc1)
			return false;
		if (c == 0xc2 && (unsigned char)**p < 0xa0)
			return false;
		if (c == '\\' && !json_escape(p))
			return false;
	}
	return json_take(p, '"');
}

static inline bool json_list(const char **p, char end, bool named)
{
	if (json_take(p, end))
		return true;
	do {
		if (named && (!json_string(p) || !json_take(p, ':')))
			return false;
		if (!json_value(p))
			return false;
	} while (json_take(p, ','));
	return json_take(p, end);
}

static inline bool json_word(const char **p, const char *word)
{
	if (strncmp(*p, word, strlen(word)))
		return false;
	*p += strlen(word);
	return true;
}

static bool json_value(const char **p)
{
	if (json_take(p, '{'))
		return json_list(p, '}', true);
	if (json_take(p, '['))
		return json_list(p, ']', false);
	if (**p == '"')
		return json_string(p);
	return json_word(p, "null") || json_word(p, "true") || json_word(p, "false") ||
	       json_number(p);
}

/* Lines, each of them an object without blanks around it. */
static inline bool json_lines(const char *text)
{
	while (*text)
		if (*text != '{' || !json_value(&text) || !json_take(&text, '\n'))
			return false;
	return true;
}

#endif /* TESTS_SUPPORT_RECORDING_JSON_CHECK_H */
