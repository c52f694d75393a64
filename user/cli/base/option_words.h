/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* option_words.h: the command's options in messages of the library. */
#ifndef CLI_OPTION_WORDS_H
#define CLI_OPTION_WORDS_H

/*
 * The text with options in place of the members and functions of the library's API that they set.
 * free() it; NULL without memory.
 */
char *option_words__exchange(const char *text);

#endif /* CLI_OPTION_WORDS_H */
