// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* top_view.c: shows rows of a table on a screen, and obeys its keys. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/parse_unit.h"
#include "cli/table/screen.h"
#include "cli/table/top_view.h"

#define ESCAPE	   0x1b
#define LINE_BYTES 512

/* ---- drawing --------------------------------------------------------------------------------- */

/* -ENOENT: there is none. */
static int sort_column(const struct top_view *view)
{
	return peat_rows__find(view->rows, view->sort ? view->sort : view->by);
}

/* The status, and "57 rows by COUNT". */
static void print_top(const struct top_view *view, const char *status, char *line)
{
	const struct peat_field *column =
		peat_rows__column(view->rows, (uint32_t)sort_column(view));

	snprintf(line, LINE_BYTES, "%s  %zu rows by %s%s", status, peat_rows__count(view->rows),
		 column ? column->name : "-", view->reversed ? ", reversed" : "");
}

static void print_bottom(const struct top_view *view, char *line)
{
	if (view->is_asking)
		snprintf(line, LINE_BYTES, "interval (1, 500ms): %s_", view->answer);
	else
		snprintf(line, LINE_BYTES, "%s",
			 view->note ? view->note
				    : "q quit  s interval  space now  < > column  R reverse");
}

int top_view__draw(struct top_view *view, const char *status)
{
	uint64_t shown = view->row_count, fitting = screen__rows();
	char top[LINE_BYTES], bottom[LINE_BYTES], *lines;

	peat_rows__sort(view->rows, sort_column(view), view->reversed);
	peat_rows__set_width(view->rows, screen__columns());
	lines = peat_rows__text(view->rows, shown < fitting ? shown : fitting);
	if (!lines)
		return -ENOMEM;
	print_top(view, status, top);
	print_bottom(view, bottom);
	screen__draw(top, lines, bottom);
	free(lines);
	return 0;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void end_in(struct top_view *view, uint64_t ms)
{
	view->is_ended = true;
	view->ends_in_ms = ms;
}

static void set_interval(struct top_view *view)
{
	uint64_t ms;

	view->is_asking = false;
	if (!*view->answer)
		return;
	if (!parse_unit__time_ms(view->answer, 1000, &ms) || !ms || ms > 24 * 3600 * 1000) {
		view->note = "not a time such as 1, 500ms or 2m";
		return;
	}
	view->interval_ms = ms;
	end_in(view, ms);
}

static void edit_answer(struct top_view *view, int key)
{
	size_t count = strlen(view->answer);

	if (key == '\n' || key == '\r')
		set_interval(view);
	else if (key == ESCAPE)
		view->is_asking = false;
	else if (key == SCREEN_BACKSPACE && count)
		view->answer[count - 1] = 0;
	else if (key > ' ' && key < 0x7f && count + 1 < sizeof(view->answer))
		view->answer[count] = (char)key; /* the rest is 0 */
}

static void ask(struct top_view *view)
{
	memset(view->answer, 0, sizeof(view->answer));
	view->is_asking = true;
}

/* Sorts by the column on the left or right. */
static void move_column(struct top_view *view, int step)
{
	int column = sort_column(view), count = 0;
	char *name;

	while (peat_rows__column(view->rows, (uint32_t)count))
		count++;
	if (column < 0)
		return;
	column = (column + count + step) % count;
	name = strdup(peat_rows__column(view->rows, (uint32_t)column)->name);
	free(view->sort);
	view->sort = name; /* NULL, without memory: the first order */
}

static void press(struct top_view *view, int key)
{
	if (key == SCREEN_RESIZED)
		return;
	view->note = NULL;
	if (view->is_asking) {
		edit_answer(view, key);
		return;
	}
	if (key == 'q' || key == 'Q')
		view->quits = true;
	else if (key == 's')
		ask(view);
	else if (key == ' ')
		end_in(view, 0);
	else if (key == '<' || key == SCREEN_LEFT)
		move_column(view, -1);
	else if (key == '>' || key == SCREEN_RIGHT)
		move_column(view, 1);
	else if (key == 'R')
		view->reversed = !view->reversed;
}

bool top_view__press_keys(struct top_view *view)
{
	bool pressed = false;
	int key;

	while ((key = screen__key()) != SCREEN_NO_KEY) {
		press(view, key);
		pressed = true;
	}
	return pressed;
}

void top_view__free(struct top_view *view)
{
	free(view->sort);
	view->sort = NULL;
}
