/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_BASE_ESCAPE_H
#define PEAT_BASE_ESCAPE_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * Appends foreign text so that it cannot act on a terminal: control characters (C0, DEL, C1),
 * characters that change the direction of text, and bytes that are not UTF-8 become \n, \t, \x1b
 * and the like; a backslash and the character `quote` (0: none) get a backslash.  Returns the
 * columns appended, one per character.
 */
size_t escape__text(struct strbuf *out, const char *text, size_t bytes, char quote);

/*
 * The length of the first character in bytes.  Sets whether a terminal shows it as it is: else it
 * is one of those above, or no character of UTF-8, and then its length is 1.
 */
size_t escape__character(const char *text, size_t bytes, bool *is_shown);

/*
 * Appends it as a JSON string with quotes, which is as safe for a terminal.  False: not UTF-8, and
 * nothing was appended.
 */
bool escape__json(struct strbuf *out, const char *text, size_t bytes);

/*
 * Appends it as text of an XML document, or as an attribute's value.  Control characters, bytes
 * that are not UTF-8, characters that XML does not allow, and those that change the direction of
 * text become U+FFFD.
 */
void escape__xml(struct strbuf *out, const char *text, size_t bytes);

/* Appends it with U+FFFD for each byte that is not UTF-8. */
void escape__utf8(struct strbuf *out, const char *text, size_t bytes);

#endif /* PEAT_BASE_ESCAPE_H */
