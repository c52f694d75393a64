/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* option_words.h: the values of an option that may be repeated. */
#ifndef CLI_OPTION_WORDS_H
#define CLI_OPTION_WORDS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;

#define OPTIONS_NAMES 64

struct option_words {
	const char *at[OPTIONS_NAMES + 1]; /* NULL after the last */
	size_t count;
};

#endif /* CLI_OPTION_WORDS_H */
