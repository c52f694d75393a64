/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <stdio.h>

/* json_text.h: JSON strings, on stdout unless stated. */

/*
 * Prints a JSON string, or null for NULL.  Bytes that are not UTF-8 become \u00xx, and characters
 * that act on a terminal (peat/text.h) \uxxxx.
 */
void json_text__print(const char *text);
void json_text__print_to(FILE *out, const char *text);

/* Prints `before`, then "name":"text". */
void json_text__member(const char *before, const char *name, const char *text);

#endif /* JSON_TEXT_H */
