/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stack_format_words.h: the formats of stacks that the library writes, in options and messages. */
#ifndef CLI_STACK_FORMAT_WORDS_H
#define CLI_STACK_FORMAT_WORDS_H

#include <stdbool.h>

#include <peat/stacks.h>

/* False: there is no format of this name. */
bool stack_format_words__find(const char *name, enum peat_stacks_format *format);

/* The longest end wins.  False: the path ends like no format's files. */
bool stack_format_words__of_file(const char *path, enum peat_stacks_format *format);

struct format_words {
	char text[256];
};

/* "folded, flamegraph or pprof"; `last` is before the last name: " or ". */
struct format_words stack_format_words__names(const char *last);

/* ".folded, .svg, .pb.gz" */
struct format_words stack_format_words__suffixes(void);

/* Stand in texts of the help for the names and the ends, which the library has. */
#define STACK_FORMATS  "%FORMATS"
#define STACK_SUFFIXES "%SUFFIXES"

/* Replaces these, for struct argp: returns the text itself without them; NULL: no memory. */
char *stack_format_words__filter_help(int key, const char *text, void *input);

#endif /* CLI_STACK_FORMAT_WORDS_H */
