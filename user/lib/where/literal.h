/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/literal.h: reads a value of an expression as text. */
#ifndef PEAT_WHERE_LITERAL_H
#define PEAT_WHERE_LITERAL_H

#include "where/node.h"

/*
 * Reads the literal at text[at] into `value`: "text" or 'text' with escapes, or a word, such as
 * 10.0.0.0/8 or O_CREAT | O_EXCL.  Writes its text, with a NUL, to `room`, which has twice the
 * bytes that the literal has in the expression, and 1.  `is_pattern`: keeps escapes of
 * GLOB_SPECIAL.
 *
 * Returns the end of the literal; 0: there is none; the log has the reason.
 */
uint32_t where_literal__read(const char *text, uint32_t at, bool is_pattern, char *room,
			     struct where_value *value);

#endif /* PEAT_WHERE_LITERAL_H */
