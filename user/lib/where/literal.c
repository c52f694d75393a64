// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/literal.c: quoted strings and words. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "where/glob.h"
#include "where/literal.h"
#include "where/message.h"

/* A literal while it is read. */
struct literal {
	const char *text;
	uint32_t at;
	bool is_pattern;
	char *out;
};

static uint32_t fail_at(const struct literal *literal, uint32_t at, const char *reason)
{
	where_message(literal->text, at, "%s", reason);
	return 0;
}

/* ---- quoted strings -------------------------------------------------------------------------- */

static void put(struct literal *literal, char c)
{
	if (literal->is_pattern && strchr(GLOB_SPECIAL, c))
		*literal->out++ = '\\';
	*literal->out++ = c;
}

static bool put_hex(struct literal *literal)
{
	const char *digits = literal->text + literal->at + 2;
	char two[3] = "";
	int c;

	if (!isxdigit((unsigned char)digits[0]) || !isxdigit((unsigned char)digits[1]))
		return fail_at(literal, literal->at, "\\x needs two hexadecimal digits");
	memcpy(two, digits, 2);
	c = (int)strtol(two, NULL, 16);
	if (!c)
		return fail_at(literal, literal->at, "text ends at its first NUL");
	put(literal, (char)c);
	literal->at += 4;
	return true;
}

static bool put_escape(struct literal *literal)
{
	static const char from[] = "ntr\\\"'", to[] = "\n\t\r\\\"'";
	char c = literal->text[literal->at + 1];
	const char *known = c ? strchr(from, c) : NULL;

	if (c == 'x')
		return put_hex(literal);
	if (known)
		put(literal, to[known - from]);
	else if (c && literal->is_pattern && strchr(GLOB_SPECIAL, c))
		put(literal, c);
	else
		return fail_at(literal, literal->at,
			       "no such escape: the escapes are \\\\ \\\" \\' \\n \\t \\r \\x1b");
	literal->at += 2;
	return true;
}

static uint32_t read_quoted(struct literal *literal)
{
	uint32_t begin = literal->at++;
	char quote = literal->text[begin];

	while (literal->text[literal->at] != quote) {
		if (!literal->text[literal->at])
			return fail_at(literal, begin, "the text has no closing quote");
		if (literal->text[literal->at] != '\\')
			*literal->out++ = literal->text[literal->at++];
		else if (!put_escape(literal))
			return 0;
	}
	return literal->at + 1;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_word(const struct literal *literal, char c)
{
	if (!c)
		return false;
	return isalnum((unsigned char)c) || strchr("_.:/+-%@$#", c) ||
	       (literal->is_pattern && strchr("*?[]^", c));
}

static uint32_t skip_blanks(const char *text, uint32_t at)
{
	return at + (uint32_t)strspn(text + at, " \t\n\r");
}

/* A | that joins flags, with blanks around it; 0: there is none. */
static uint32_t end_of_bar(const char *text, uint32_t at)
{
	at = skip_blanks(text, at);
	if (text[at] != '|' || text[at + 1] == '|')
		return 0;
	return skip_blanks(text, at + 1);
}

/* The address of an endpoint, "[2001:db8::1]" of "[2001:db8::1]:443"; else reads nothing. */
static void read_brackets(struct literal *literal)
{
	const char *text = literal->text + literal->at;
	size_t bytes = *text == '[' ? 1 + strspn(text + 1, "0123456789abcdefABCDEF:.") : 0;

	if (literal->is_pattern || !bytes || text[bytes] != ']')
		return;
	memcpy(literal->out, text, bytes + 1);
	literal->out += bytes + 1;
	literal->at += (uint32_t)bytes + 1;
}

static uint32_t read_word(struct literal *literal)
{
	const char *text = literal->text;
	uint32_t begin = literal->at, bar;

	read_brackets(literal);
	for (;;) {
		while (is_word(literal, text[literal->at]))
			*literal->out++ = text[literal->at++];
		bar = end_of_bar(text, literal->at);
		if (literal->at == begin || !bar)
			break;
		*literal->out++ = '|';
		if (!is_word(literal, text[bar]))
			return fail_at(literal, bar, "a value is missing after |");
		literal->at = bar;
	}
	if (literal->at == begin)
		return fail_at(literal, begin,
			       text[begin] ? "a value is expected here: a number, a name, or text "
					     "in quotes"
					   : "a value is missing at the end");
	return literal->at;
}

/* ---- all ------------------------------------------------------------------------------------- */

uint32_t where_literal__read(const char *text, uint32_t at, bool is_pattern, char *room,
			     struct where_value *value)
{
	struct literal literal = { text, at, is_pattern, room };
	uint32_t end;

	value->quoted = text[at] == '"' || text[at] == '\'';
	end = value->quoted ? read_quoted(&literal) : read_word(&literal);
	*literal.out = 0;
	value->text = room;
	value->begin = at;
	value->end = end;
	if (end && is_pattern && !where_glob__is_valid(room))
		return fail_at(&literal, at,
			       "the pattern has a [ without its ]: write \\[ for the "
			       "character");
	if (end && is_pattern)
		value->glob = where_glob__reduce(room);
	value->bytes = (uint32_t)strlen(room);
	return end;
}
