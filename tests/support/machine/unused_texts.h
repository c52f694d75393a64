/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * unused_texts.h: texts in pages that this process has not used, so that they are not in its page
 * table.
 */
#ifndef TESTS_SUPPORT_MACHINE_UNUSED_TEXTS_H
#define TESTS_SUPPORT_MACHINE_UNUSED_TEXTS_H

#include <stdbool.h>

/* With its NUL, at most. */
#define UNUSED_TEXT_BYTES 64

/* Makes so many texts.  False: not possible. */
bool unused_texts__make(int count);

/* The address of text `i`, which begins in one page and ends in the next. */
const char *unused_texts__at(int i);

/* Writes text `i`, "the text 12", elsewhere. */
void unused_texts__write(char text[UNUSED_TEXT_BYTES], int i);

#endif /* TESTS_SUPPORT_MACHINE_UNUSED_TEXTS_H */
