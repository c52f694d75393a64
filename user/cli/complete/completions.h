/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_COMPLETIONS_H
#define CLI_COMPLETIONS_H

#include <stdbool.h>
#include <stddef.h>

/* completions.h: the words that can complete a word. */

struct completions {
	const char *word; /* the word so far; its first `kept` bytes are not completed */
	size_t kept;	  /* "exec," of "exec,fa" */
	char **at;	  /* whole words */
	size_t count;
	bool failed; /* no memory */
};

/* The part of the word that is completed. */
const char *completions__part(const struct completions *completions);

/* Completes only what follows the last of these characters, after the first `kept` bytes. */
void completions__keep_to(struct completions *completions, const char *characters);

/* Adds `text` and `ending` if it begins with the part that is completed. */
void completions__add(struct completions *completions, const char *text, const char *ending);

/* Adds words that are separated by blanks. */
void completions__add_words(struct completions *completions, const char *words);

/* Prints each completion once, in order, a line each. */
void completions__print(struct completions *completions);

void completions__free(struct completions *completions);

#endif /* CLI_COMPLETIONS_H */
