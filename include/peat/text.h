/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * text.h: makes names safe for a terminal, and finds the one that was meant.
 *
 * Names of files, functions and tasks are chosen by any user, and can contain any bytes: escape
 * sequences, which a terminal obeys, and characters that change the order in which text is shown.
 * libpeat's own output has them escaped.  Names in structs, such as peat_stack_frame, and messages
 * (log.h) have them as they are.
 */
#ifndef PEAT_TEXT_H
#define PEAT_TEXT_H

#include <stddef.h>

#include <peat/common.h>

PEAT_BEGIN_DECLS

/*
 * Copies `bytes` bytes of a text, and appends a NUL.  Each byte of these becomes an escape such as
 * \n or \x1b:
 *
 *	control characters: U+0000 to U+001F, U+007F to U+009F
 *	characters that change direction: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069
 *	bytes that are not UTF-8
 *
 * Backslashes stay as they are, so a text that was escaped before does not change.
 *
 * Returns the bytes that the whole result needs, without the NUL.  If `room` is not greater, the
 * result is cut before the first character or escape that does not fit; with 0, `to` may be NULL.
 */
PEAT_API size_t peat_text__escape(char *to, size_t room, const char *text, size_t bytes);

/*
 * The name that is most like a word: "open", if "opne" was typed.  `names` ends with NULL.  Returns
 * one of them; NULL: more than about a third of the letters would differ.
 */
PEAT_API const char *peat_text__closest(const char *word, const char *const *names);

PEAT_END_DECLS

#endif /* PEAT_TEXT_H */
