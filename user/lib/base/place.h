/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/place.h: a place in a text, for messages. */
#ifndef PEAT_BASE_PLACE_H
#define PEAT_BASE_PLACE_H

#include "base/strbuf.h"

/*
 * Appends two lines: the text, or the part of a long text around byte `at`, and a caret below it:
 *
 *	  dleay > 5ms
 *	  ^
 *
 * The first line begins with a newline; the second does not end in one.
 */
void place__append(struct strbuf *out, const char *text, uint32_t at);

#endif /* PEAT_BASE_PLACE_H */
