/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * screen.h: the terminal as a screen that is redrawn, by ncurses.  It is restored however the
 * process ends, except by SIGKILL.
 */

/* Keys that are no characters. */
enum { SCREEN_NO_KEY = -1, SCREEN_RESIZED = 0x10000, SCREEN_LEFT, SCREEN_RIGHT, SCREEN_BACKSPACE };

/* False: this terminal cannot be redrawn, or standard input and output are no terminal. */
bool screen__open(void);
void screen__close(void);

/* Rows of a table that fit. */
size_t screen__rows(void);

/* Characters of a line. */
unsigned screen__columns(void);

/* Draws a line on top, lines: the heading and the rows, and a line at the bottom. */
void screen__draw(const char *top, const char *lines, const char *bottom);

/* A key that was pressed; SCREEN_NO_KEY: none so far.  SCREEN_RESIZED also after Ctrl-L. */
int screen__key(void);

#endif /* CLI_SCREEN_H */
