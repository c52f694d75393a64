/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Writes text that came from elsewhere so that it cannot act on a terminal: control characters
 * (C0, DEL, C1) and bytes that are not UTF-8 become \n, \t, \x1b and the like; a backslash and the
 * character `quote` (0: none) get a backslash.  Returns the columns written.
 */
size_t escape__print(FILE *out, const char *text, size_t bytes, char quote);

#endif /* ESCAPE_H */
