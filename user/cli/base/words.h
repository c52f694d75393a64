/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* words.h: words of the command line as one text. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stddef.h>

/* Joins the words, with `between` between two of them.  The caller frees the text; NULL: no memory,
 * or no words. */
char *words__join(const char *const *words, size_t count, const char *between);

#endif /* CLI_WORDS_H */
