/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/word.h: a word in a larger text, without a NUL, and the words of a line.  Pure. */
#ifndef PEAT_FUNCTIONS_WORD_H
#define PEAT_FUNCTIONS_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct word {
	const char *at;
	size_t bytes;
};

/* Negative, 0 or positive, as strcmp(). */
static inline int word__compare(struct word a, struct word b)
{
	int order = memcmp(a.at, b.at, a.bytes < b.bytes ? a.bytes : b.bytes);

	return order ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

static inline bool word__equal(struct word a, struct word b)
{
	return a.bytes == b.bytes && !memcmp(a.at, b.at, a.bytes);
}

/* The text of "[nf_tables]" within the brackets; other words have no bytes. */
static inline struct word word__in_brackets(struct word word)
{
	if (word.bytes < 2 || word.at[0] != '[' || word.at[word.bytes - 1] != ']')
		return (struct word){ word.at, 0 };
	return (struct word){ word.at + 1, word.bytes - 2 };
}

/* Cuts the next line off a text, without its newline.  False: the text is empty. */
static inline bool word__next_line(const char **text, struct word *line)
{
	line->at = *text;
	line->bytes = strcspn(*text, "\n");
	*text += line->bytes + (line->at[line->bytes] == '\n');
	return *text > line->at;
}

/* Cuts the next word off a line; blanks and tabs separate.  No bytes: no more. */
static inline struct word word__next(struct word *line)
{
	struct word word;

	while (line->bytes && (*line->at == ' ' || *line->at == '\t')) {
		line->at++;
		line->bytes--;
	}
	word = (struct word){ line->at, 0 };
	while (word.bytes < line->bytes && word.at[word.bytes] != ' ' &&
	       word.at[word.bytes] != '\t')
		word.bytes++;
	line->at += word.bytes;
	line->bytes -= word.bytes;
	return word;
}

#endif /* PEAT_FUNCTIONS_WORD_H */
