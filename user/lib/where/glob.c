// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/glob.c: matches text with patterns, byte by byte, in any locale. */
#include <string.h>

#include "where/glob.h"

/* The ] of the set that begins with a [ here; NULL: it has none.  The first ] is a member. */
static const char *end_of_set(const char *set)
{
	const char *at = set + 1;

	at += *at == '!' || *at == '^';
	at += *at == ']';
	return strchr(at, ']');
}

/* The next element of the pattern: a set, an escaped character, or a character. */
static const char *after_element(const char *pattern)
{
	if (*pattern == '[')
		return end_of_set(pattern) + 1;
	return pattern + (*pattern == '\\') + 1;
}

bool where_glob__is_valid(const char *pattern)
{
	while (*pattern) {
		if (*pattern == '[' && !end_of_set(pattern))
			return false;
		if (*pattern == '\\' && !pattern[1])
			return false;
		pattern = after_element(pattern);
	}
	return true;
}

static void unescape(char *pattern)
{
	char *out = pattern;

	while (*pattern) {
		pattern += *pattern == '\\';
		*out++ = *pattern++;
	}
	*out = 0;
}

enum where_op where_glob__reduce(char *pattern)
{
	const char *at = pattern;

	while (*at && !strchr("*?[", *at))
		at = after_element(at);
	if (!*at) {
		unescape(pattern);
		return WHERE_TEXT_EQUAL;
	}
	if (*at != '*' || at[strspn(at, "*")])
		return WHERE_TEXT_GLOB;
	pattern[at - pattern] = 0;
	unescape(pattern);
	return WHERE_TEXT_BEGINS;
}

static bool is_in_set(const char *set, unsigned char c)
{
	const char *at = set + 1, *end = end_of_set(set);
	bool negated = *at == '!' || *at == '^', found = false;

	for (at += negated; at < end; at++) {
		unsigned char first = (unsigned char)*at, last = first;

		if (at[1] == '-' && at + 2 < end) {
			last = (unsigned char)at[2];
			at += 2;
		}
		found |= first <= c && c <= last;
	}
	return found != negated;
}

static bool matches_one(const char *pattern, char c)
{
	c = c ? c : ' ';
	if (*pattern == '?')
		return true;
	if (*pattern == '[')
		return is_in_set(pattern, (unsigned char)c);
	return pattern[*pattern == '\\'] == c;
}

/* Only the last * before a mismatch can take more text: earlier ones have found their match. */
bool where_glob__matches(const char *pattern, const char *text, uint32_t bytes)
{
	const char *after_star = NULL, *end = text + bytes, *tried = text;

	while (text < end || *pattern) {
		if (*pattern == '*') {
			after_star = ++pattern;
			tried = text;
		} else if (*pattern && text < end && matches_one(pattern, *text)) {
			pattern = after_element(pattern);
			text++;
		} else if (after_star && tried < end) {
			pattern = after_star;
			text = ++tried;
		} else {
			return false;
		}
	}
	return true;
}
