// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* progress_text.c: the text of a line of progress. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/base/progress_text.h"
#include "cli/base/size_text.h"
#include "cli/base/terminal_text.h"

/* Room for a time, and for a part of the text without the name. */
#define TIME_BYTES 48
#define PART_BYTES 64

/* "12 s", "3 min 20 s", "2 h 5 min" */
static void format_time(char *text, size_t room, uint64_t ms)
{
	unsigned long long s = ms / 1000;

	if (s < 60)
		snprintf(text, room, "%llu s", s);
	else if (s < 3600)
		snprintf(text, room, "%llu min %llu s", s / 60, s % 60);
	else
		snprintf(text, room, "%llu h %llu min", s / 3600, s / 60 % 60);
}

static bool knows_all(const struct progress *progress)
{
	return progress->all && progress->done <= progress->all;
}

/* ", 12 s left"; "" before anything is done. */
static void format_rest(char *text, size_t room, const struct progress *progress)
{
	double left_ms;
	char time[TIME_BYTES];

	*text = '\0';
	if (!progress->done)
		return;
	left_ms = (double)progress->elapsed_ms * (double)(progress->all - progress->done) /
		  (double)progress->done;
	if (left_ms >= (double)INT64_MAX)
		return;
	format_time(time, sizeof(time), (uint64_t)left_ms + 999);
	snprintf(text, room, ", %s left", time);
}

static void format_bytes(char *text, size_t room, const struct progress *progress)
{
	char size[16], rest[PART_BYTES];
	double percent;

	if (!knows_all(progress)) {
		size_text__format(size, sizeof(size), progress->done);
		format_time(rest, sizeof(rest), progress->elapsed_ms);
		snprintf(text, room, "%s in %s", size, rest);
		return;
	}
	percent = (double)progress->done / (double)progress->all * 100;
	size_text__format(size, sizeof(size), progress->all);
	format_rest(rest, sizeof(rest), progress);
	snprintf(text, room, "%.0f%% of %s%s", percent, size, rest);
}

static void format_steps(char *text, size_t room, const struct progress *progress)
{
	uint64_t current = progress->done < progress->all ? progress->done + 1 : progress->done;
	char rest[PART_BYTES] = "";

	if (knows_all(progress))
		format_rest(rest, sizeof(rest), progress);
	snprintf(text, room, "%llu of %llu%s", (unsigned long long)current,
		 (unsigned long long)progress->all, rest);
}

static void format_time_left(char *text, size_t room, const struct progress *progress)
{
	uint64_t left_ms = knows_all(progress) ? progress->all - progress->done : 0;
	char time[TIME_BYTES];

	format_time(time, sizeof(time), left_ms < UINT64_MAX - 999 ? left_ms + 999 : left_ms);
	snprintf(text, room, "%s left", time);
}

static void format_amount(char *text, size_t room, const struct progress *progress)
{
	switch (progress->unit) {
	case PROGRESS_BYTES:
		format_bytes(text, room, progress);
		return;
	case PROGRESS_STEPS:
		format_steps(text, room, progress);
		return;
	case PROGRESS_MS:
		format_time_left(text, room, progress);
		return;
	default:
		format_time(text, room, progress->elapsed_ms);
	}
}

/* Between two characters of UTF-8. */
void progress_text__cut(char *text, uint32_t columns)
{
	for (; *text; text++) {
		if ((*text & 0xc0) == 0x80)
			continue;
		if (!columns--) {
			*text = '\0';
			return;
		}
	}
}

/* A name that does not fit into the room is left out. */
void progress_text__format(char *text, size_t room, uint32_t columns,
			   const struct progress *progress)
{
	const char *notes = progress->notes;
	char *name = progress->name ? terminal_text__escape(progress->name) : NULL;
	char amount[2 * PART_BYTES];
	int bytes;

	format_amount(amount, sizeof(amount), progress);
	bytes = snprintf(text, room, "%s%s%s: %s%s%s", progress->verb, name ? " " : "",
			 name ? name : "", amount, notes ? ", " : "", notes ? notes : "");
	if (bytes >= (int)room)
		snprintf(text, room, "%s: %s", progress->verb, amount);
	free(name);
	progress_text__cut(text, columns);
}
