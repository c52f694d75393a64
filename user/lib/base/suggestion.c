// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/suggestion.c: the name most like a misspelt one. */
#include <stdio.h>
#include <string.h>

#include <peat/text.h>

#include "base/suggestion.h"

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

const char *peat_text__closest(const char *word, const char *const *names)
{
	struct suggestion suggestion = { .wanted = word };

	for (const char *const *name = names; *name; name++)
		suggestion__try(&suggestion, *name);
	while (*names && strcmp(*names, suggestion.best) != 0)
		names++;
	return *names;
}
