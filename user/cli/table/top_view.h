/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TOP_VIEW_H
#define CLI_TOP_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/rows.h>

/*
 * top_view.h: the rows of a table on a screen (screen.h), and the keys that change it: of peat top
 * and peat recv --top.
 */
struct top_view {
	struct peat_rows *rows;
	uint64_t row_count;   /* the most rows that are shown */
	const char *by;	      /* the column that sorts the rows, until a key chooses another */
	uint64_t interval_ms; /* a key may set it */
	bool quits;	      /* q was pressed */
	/* A key has ended the interval, at once or after ends_in_ms: the caller clears is_ended. */
	bool is_ended;
	uint64_t ends_in_ms;

	/* Private. */
	char *sort; /* the column that a key chose; NULL: `by` */
	bool reversed;
	bool is_asking; /* for a new interval: `answer` is being typed */
	char answer[16];
	const char *note; /* on the last line until the next key; NULL: the keys */
};

/* Draws the rows, below this status and the order of the rows.  0 or -ENOMEM. */
int top_view__draw(struct top_view *view, const char *status);

/* Obeys all keys that were pressed.  Whether there were any: draw again. */
bool top_view__press_keys(struct top_view *view);

void top_view__free(struct top_view *view);

#endif /* CLI_TOP_VIEW_H */
