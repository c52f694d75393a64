// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/message.c: errors in an expression: a caret below the place, and names that are alike. */
#include <stdarg.h>
#include <stdio.h>

#include "base/escape.h"
#include "base/internal.h"
#include "where/message.h"

#define REASON_BYTES 700 /* a message has 1023 bytes at most */
#define SHOWN_BEFORE 40	 /* bytes of the expression that are shown */
#define SHOWN_AFTER  30
#define INDENT	     "  "

/* ---- places ---------------------------------------------------------------------------------- */

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

static void append_place(struct strbuf *out, const char *text, uint32_t at)
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

void where_message(const char *text, uint32_t at, const char *format, ...)
{
	char reason[REASON_BYTES];
	struct strbuf out = { 0 };
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	strbuf__text(&out, "where: ");
	strbuf__text(&out, reason);
	append_place(&out, text, at);
	if (out.failed)
		log__error("where: %s", reason);
	else
		log__error("%.*s", (int)out.count, out.bytes);
	strbuf__free(&out);
}

/* ---- names that are alike -------------------------------------------------------------------- */

#define NAME_MAX_BYTES 64

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t smaller = a < b ? a : b;

	return smaller < c ? smaller : c;
}

/* Letters that are inserted, deleted, replaced or swapped with the next. */
static uint32_t distance(const char *a, uint32_t a_bytes, const char *b, uint32_t b_bytes)
{
	uint32_t rows[3][NAME_MAX_BYTES + 1];

	for (uint32_t j = 0; j <= b_bytes; j++)
		rows[0][j] = j;
	for (uint32_t i = 1; i <= a_bytes; i++) {
		uint32_t *row = rows[i % 3], *above = rows[(i - 1) % 3];

		row[0] = i;
		for (uint32_t j = 1; j <= b_bytes; j++) {
			uint32_t swapped;

			row[j] = least(row[j - 1] + 1, above[j] + 1,
				       above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i < 2 || j < 2 || a[i - 1] != b[j - 2] || a[i - 2] != b[j - 1])
				continue;
			swapped = rows[(i - 2) % 3][j - 2] + 1;
			row[j] = row[j] < swapped ? row[j] : swapped;
		}
	}
	return rows[a_bytes % 3][b_bytes];
}

/* About a third of the letters may differ. */
void suggestion__try(struct suggestion *suggestion, const char *name)
{
	size_t wanted = strlen(suggestion->wanted), bytes = strlen(name);
	uint32_t most = (uint32_t)(wanted + 2) / 3, found;

	if (!bytes || wanted > NAME_MAX_BYTES || bytes > NAME_MAX_BYTES)
		return;
	found = distance(suggestion->wanted, (uint32_t)wanted, name, (uint32_t)bytes);
	if (found > most || found >= bytes || (*suggestion->best && found >= suggestion->distance))
		return;
	suggestion->distance = found;
	memcpy(suggestion->best, name, bytes + 1);
}

const char *suggestion__text(const struct suggestion *suggestion, char text[192])
{
	if (*suggestion->best)
		snprintf(text, 192, ": did you mean \"%s\"? ", suggestion->best);
	else
		strcpy(text, ": ");
	return text;
}
