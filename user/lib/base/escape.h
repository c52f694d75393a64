/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef ESCAPE_H
#define ESCAPE_H

#include "base/strbuf.h"

/*
 * Writes text that came from elsewhere so that it cannot act on a terminal: control characters
 * (C0, DEL, C1) and bytes that are not UTF-8 become \n, \t, \x1b and the like; a backslash and the
 * character `quote` (0: none) get a backslash.  Returns the columns written, one a character.
 */
size_t escape__text(struct out *out, const char *text, size_t bytes, char quote);

/*
 * Writes it as a string of JSON, with its quotes, which is as harmless.  False, and nothing is
 * written, when it is not UTF-8.
 */
bool escape__json(struct out *out, const char *text, size_t bytes);

#endif /* ESCAPE_H */
