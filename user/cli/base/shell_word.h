/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_SHELL_WORD_H
#define CLI_SHELL_WORD_H

#include <stdio.h>

/*
 * shell_word.h: quotes a word for a shell.  One that could act on a terminal is printed as
 * $'\x1b', which bash, zsh and ksh read.
 */
void shell_word__print(FILE *to, const char *word);

#endif /* CLI_SHELL_WORD_H */
