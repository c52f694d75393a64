/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * where/glob.h: patterns of text: * any text, ? any byte, [a-z] [!a-z] [^a-z] one byte, \* the
 * character itself.  A pattern is as long as the text.
 */
#ifndef PEAT_WHERE_GLOB_H
#define PEAT_WHERE_GLOB_H

#include <stdbool.h>
#include <stdint.h>

#include "where/tree.h"

/* The characters that need a backslash. */
#define GLOB_SPECIAL "*?[]\\"

/* Whether each [ has its ], and the pattern does not end in a backslash. */
bool where_glob__is_valid(const char *pattern);

/*
 * Simplifies a valid pattern in place: TEXT_EQUAL or TEXT_BEGINS, and the pattern becomes plain
 * text; or TEXT_GLOB.
 */
enum where_op where_glob__reduce(char *pattern);

/*
 * Whether the text matches a valid pattern.  A NUL in the text is a blank.  Takes at most the
 * product of both lengths.
 */
bool where_glob__matches(const char *pattern, const char *text, uint32_t bytes);

#endif /* PEAT_WHERE_GLOB_H */
