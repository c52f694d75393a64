// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/place.c: a place in a text, for messages. */
#include "base/escape.h"
#include "base/place.h"

#define SHOWN_BEFORE 40 /* bytes of the text that are shown */
#define SHOWN_AFTER  30
#define INDENT	     "  "

static bool is_continued(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* The part of the text that is shown; characters are not cut. */
static uint32_t first_shown(const char *text, uint32_t at)
{
	uint32_t first = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;

	while (first < at && is_continued(text[first]))
		first++;
	return first;
}

static uint32_t end_of_shown(const char *text, uint32_t at)
{
	uint32_t left = (uint32_t)strlen(text + at);
	uint32_t end = at + (left > SHOWN_AFTER ? SHOWN_AFTER : left);

	while (end > at && is_continued(text[end]))
		end--;
	return end;
}

void place__append(struct strbuf *out, const char *text, uint32_t at)
{
	uint32_t first = first_shown(text, at), end = end_of_shown(text, at);
	size_t columns = strlen(INDENT);

	strbuf__text(out, "\n" INDENT);
	if (first) {
		strbuf__text(out, "...");
		columns += 3;
	}
	columns += escape__text(out, text + first, at - first, 0);
	escape__text(out, text + at, end - at, 0);
	if (text[end])
		strbuf__text(out, "...");
	strbuf__char(out, '\n');
	strbuf__fill(out, ' ', columns);
	strbuf__char(out, '^');
}
