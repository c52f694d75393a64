/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/glob.h: names that match a pattern.
 *
 *	*	any characters, also none
 *	?	any character
 *	[a-z_]	one of these; [!a-z] or [^a-z]: none of these
 *	\c	the character itself
 *
 * The results are those of fnmatch(3) without flags in the C locale; classes such as [[:alpha:]]
 * are not known.  Unlike fnmatch(), it never takes longer than pattern times name, and the name
 * needs no NUL: files of other users have names of any length.
 */
#ifndef PEAT_BASE_GLOB_H
#define PEAT_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text has *, ? or [ */
bool glob__is(const char *text);

/* Whether the name, `bytes` bytes, matches. */
bool glob__match(const char *pattern, const char *name, size_t bytes);

#endif /* PEAT_BASE_GLOB_H */
