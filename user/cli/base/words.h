/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* words.h: words of the command line: several as one text; their ends. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* Joins the words, with `between` between two of them.  The caller frees the text; NULL: no memory,
 * or no words. */
char *words__join(const char *const *words, size_t count, const char *between);

/* Whether the text is longer than `end`, and ends with it: "x.o", but not ".o". */
bool words__end_with(const char *text, const char *end);

#endif /* CLI_WORDS_H */
