// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* screen.c: redraws the terminal, by ncurses. */
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termcap.h>
#include <unistd.h>

#include "cli/table/screen.h"
#include "cli/base/signals.h"

#define OTHER_LINES 3	 /* on top, the heading, at the bottom */
#define REPAINT	    0x0c /* Ctrl-L */

static SCREEN *screen;

/* At an exit(), too. */
void screen__close(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
}

/* Without its description, newterm() would leak.  A terminal such as "dumb" has no moving cursor.
 */
static bool can_be_drawn(void)
{
	const char *type = getenv("TERM");

	return type && *type && tgetent(NULL, type) == 1 && tgetstr("cm", NULL);
}

/* newterm() returns failures; initscr() would exit. */
bool screen__open(void)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	if (!can_be_drawn())
		return false;
	setlocale(LC_CTYPE, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return false;
	atexit(screen__close);
	signals__catch_quit();
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	return true;
}

size_t screen__rows(void)
{
	return LINES > OTHER_LINES ? (size_t)(LINES - OTHER_LINES) : 0;
}

unsigned screen__columns(void)
{
	return (unsigned)COLS;
}

/* Bytes of the first characters of UTF-8 that fit. */
static int fitting_bytes(const char *text)
{
	int characters = 0, bytes = 0;

	for (; text[bytes] && text[bytes] != '\n'; bytes++) {
		characters += (text[bytes] & 0xc0) != 0x80;
		if (characters > COLS)
			break;
	}
	return bytes;
}

static void draw_line(int line, const char *text)
{
	if (line >= 0 && line < LINES)
		mvaddnstr(line, 0, text, fitting_bytes(text));
}

/* Fills the line with reversed blanks. */
static void draw_heading(const char *text)
{
	attron(A_REVERSE);
	if (LINES > 1)
		mvhline(1, 0, ' ', COLS);
	draw_line(1, text);
	attroff(A_REVERSE);
}

void screen__draw(const char *top, const char *lines, const char *bottom)
{
	const char *row = lines;

	erase();
	draw_line(0, top);
	for (int i = 1; (row = strchr(row, '\n')) && *++row && i <= (int)screen__rows(); i++)
		draw_line(i + 1, row);
	draw_heading(lines);
	if (LINES > OTHER_LINES)
		draw_line(LINES - 1, bottom);
	refresh();
}

int screen__key(void)
{
	int key = getch();

	switch (key) {
	case ERR:
		return SCREEN_NO_KEY;
	case REPAINT:
		clearok(curscr, TRUE);
		return SCREEN_RESIZED;
	case KEY_RESIZE:
		return SCREEN_RESIZED;
	case KEY_LEFT:
		return SCREEN_LEFT;
	case KEY_RIGHT:
		return SCREEN_RIGHT;
	case KEY_BACKSPACE:
	case '\b':
	case 0x7f:
		return SCREEN_BACKSPACE;
	case KEY_ENTER:
		return '\n';
	default:
		return key;
	}
}
