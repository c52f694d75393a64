/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/line.h: lines for a terminal: their characters, their ends, their colours. */
#ifndef PEAT_PRINT_LINE_H
#define PEAT_PRINT_LINE_H

#include "base/strbuf.h"

/* Colours begin with ESC and end with m.  Texts of events have no ESC: see base/escape.h. */
#define LINE_RED   "\x1b[31m" /* errors and losses */
#define LINE_PLAIN "\x1b[0m"

/* The number of characters of UTF-8, without colours. */
uint32_t line__characters(const char *text, size_t bytes);

/*
 * Appends the text, cut to `width` characters: "/usr/lib…", or with `keep_end` "…/libc.so.6".  The
 * mark counts.
 */
void line__append_cut(struct strbuf *out, const char *text, size_t bytes, uint32_t width,
		      bool keep_end);

/*
 * Ends the line that begins at offset `start` of `out`: removes trailing blanks, cuts it to `width`
 * characters (0: unlimited), and appends a newline.
 */
void line__end(struct strbuf *out, size_t start, uint32_t width);

#endif /* PEAT_PRINT_LINE_H */
