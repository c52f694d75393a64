// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/glob.c: names that match a pattern. */
#include <string.h>

#include "base/glob.h"

bool glob__is(const char *text)
{
	return strpbrk(text, "*?[");
}

/* The first character after "[", "[!" or "[^". */
static const char *set_start(const char *bracket)
{
	return bracket + (bracket[1] == '!' || bracket[1] == '^' ? 2 : 1);
}

/* The "]" of a set; NULL: it has no end, so that its "[" is an ordinary character. */
static const char *set_end(const char *bracket)
{
	const char *at = set_start(bracket);

	if (*at == ']')
		at++;
	for (; *at && *at != ']'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at : NULL;
}

static unsigned char next_character(const char **at, const char *end)
{
	if (**at == '\\' && *at + 1 < end)
		(*at)++;
	return (unsigned char)*(*at)++;
}

static bool is_in_set(const char *bracket, const char *end, unsigned char c)
{
	const char *at = set_start(bracket);
	bool is_negated = at == bracket + 2, found = false;

	while (at < end) {
		unsigned char low = next_character(&at, end), high = low;

		if (*at == '-' && at + 1 < end) {
			at++;
			high = next_character(&at, end);
		}
		found |= low <= c && c <= high;
	}
	return found != is_negated;
}

/* Compares a character with the part of the pattern that begins at `at`, and stores its end. */
static bool matches_character(const char *at, unsigned char c, const char **end)
{
	const char *bracket_end = *at == '[' ? set_end(at) : NULL;

	if (bracket_end) {
		*end = bracket_end + 1;
		return is_in_set(at, bracket_end, c);
	}
	*end = at + 1;
	if (*at == '?')
		return true;
	if (*at != '\\')
		return (unsigned char)*at == c;
	*end = at[1] ? at + 2 : at + 1;
	return at[1] && (unsigned char)at[1] == c;
}

/* After a mismatch only the last star gets one character more: earlier ones need not. */
bool glob__match(const char *pattern, const char *name, size_t bytes)
{
	const char *end = name + bytes, *star = NULL, *star_end = NULL, *next;

	while (name < end) {
		if (*pattern == '*') {
			star = ++pattern;
			star_end = name;
		} else if (*pattern && matches_character(pattern, (unsigned char)*name, &next)) {
			pattern = next;
			name++;
		} else if (star) {
			pattern = star;
			name = ++star_end;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
