// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* top.c: peat top: counts events by their fields, on a screen that is redrawn. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/options/parse_unit.h"
#include "cli/table/screen.h"
#include "cli/run/summary.h"
#include "cli/table/tally.h"

#define ESCAPE	    0x1b
#define INTERVAL_MS 1000
#define LINE_BYTES  256

struct top {
	struct tally tally; /* the first member */
	const char *names;  /* of the sources */
	char *sort;	    /* the column's name; NULL: by options */
	bool reversed;
	bool is_asking; /* for a new interval: `answer` is being typed */
	char answer[16];
	const char *note; /* on the last line until the next key; NULL: the keys */
};

/* ---- drawing --------------------------------------------------------------------------------- */

/* -ENOENT: there is none. */
static int sort_column(const struct top *top)
{
	const struct options *options = top->tally.options;
	const char *name = top->sort ? top->sort : options->table.sort;

	if (!name && options->table.values & PEAT_TABLE_SUM)
		name = "sum";
	return peat_rows__find(top->tally.rows, name ? name : "count");
}

/* Without a reader, of a map: nothing is transported. */
static void read_stats(const struct top *top, struct peat_reader_stats *stats)
{
	*stats = (struct peat_reader_stats){ .sz = sizeof(*stats) };
	if (top->tally.run.reader && peat_reader__stats(top->tally.run.reader, stats))
		stats->lost = stats->skipped = 0;
}

/* "14:03:21  exec  every 1.0s  1234 events  0 lost  57 rows by COUNT" */
static void print_status(const struct top *top, char *line)
{
	const struct peat_rows *rows = top->tally.rows;
	const struct peat_field *column = peat_rows__column(rows, (uint32_t)sort_column(top));
	struct peat_reader_stats stats;
	time_t now = time(NULL);
	struct tm tm;
	char clock[16];

	read_stats(top, &stats);
	strftime(clock, sizeof(clock), "%T", localtime_r(&now, &tm));
	snprintf(line, LINE_BYTES, "%s  %s  %llu events in %.1f s  %llu lost%s  %zu rows by %s%s",
		 clock, top->names, (unsigned long long)peat_rows__events(rows),
		 (double)top->tally.length_ns / 1e9, (unsigned long long)stats.lost,
		 summary__skipped(&stats), peat_rows__count(rows), column ? column->name : "-",
		 top->reversed ? ", reversed" : "");
}

static void print_bottom(const struct top *top, char *line)
{
	if (top->is_asking)
		snprintf(line, LINE_BYTES, "interval (1, 500ms): %s_", top->answer);
	else
		snprintf(line, LINE_BYTES, "%s",
			 top->note ? top->note
				   : "q quit  s interval  space now  < > column  R reverse");
}

static int draw(struct top *top)
{
	struct tally *tally = &top->tally;
	uint64_t shown = tally->options->table.row_count, fitting = screen__rows();
	char status[LINE_BYTES], bottom[LINE_BYTES], *lines;

	peat_rows__sort(tally->rows, sort_column(top), top->reversed);
	peat_rows__set_width(tally->rows, screen__columns());
	lines = peat_rows__text(tally->rows, shown < fitting ? shown : fitting);
	if (!lines)
		return -ENOMEM;
	print_status(top, status);
	print_bottom(top, bottom);
	screen__draw(status, lines, bottom);
	free(lines);
	return 0;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void wake_in(struct top *top, uint64_t ms)
{
	top->tally.run.wake_ns = run__now_ns() + (int64_t)ms * 1000000;
}

static void set_interval(struct top *top)
{
	uint64_t ms;

	top->is_asking = false;
	if (!*top->answer)
		return;
	if (!parse_unit__time_ms(top->answer, 1000, &ms) || !ms || ms > 24 * 3600 * 1000) {
		top->note = "not a time such as 1, 500ms or 2m";
		return;
	}
	top->tally.interval_ms = ms;
	wake_in(top, ms);
}

static void edit_answer(struct top *top, int key)
{
	size_t count = strlen(top->answer);

	if (key == '\n' || key == '\r')
		set_interval(top);
	else if (key == ESCAPE)
		top->is_asking = false;
	else if (key == SCREEN_BACKSPACE && count)
		top->answer[count - 1] = 0;
	else if (key > ' ' && key < 0x7f && count + 1 < sizeof(top->answer))
		top->answer[count] = (char)key; /* the rest is 0 */
}

static void ask(struct top *top)
{
	memset(top->answer, 0, sizeof(top->answer));
	top->is_asking = true;
}

/* Sorts by the column on the left or right. */
static void move_column(struct top *top, int step)
{
	const struct peat_rows *rows = top->tally.rows;
	int column = sort_column(top), count = 0;
	char *name;

	while (peat_rows__column(rows, (uint32_t)count))
		count++;
	if (column < 0)
		return;
	column = (column + count + step) % count;
	name = strdup(peat_rows__column(rows, (uint32_t)column)->name);
	free(top->sort);
	top->sort = name; /* NULL, without memory: the first order */
}

static void press(struct top *top, int key)
{
	if (key == SCREEN_RESIZED)
		return;
	top->note = NULL;
	if (top->is_asking) {
		edit_answer(top, key);
		return;
	}
	if (key == 'q' || key == 'Q')
		top->tally.run.is_full = true;
	else if (key == 's')
		ask(top);
	else if (key == ' ')
		wake_in(top, 0);
	else if (key == '<' || key == SCREEN_LEFT)
		move_column(top, -1);
	else if (key == '>' || key == SCREEN_RIGHT)
		move_column(top, 1);
	else if (key == 'R')
		top->reversed = !top->reversed;
}

static int press_all(struct top *top)
{
	bool pressed = false;
	int key;

	while ((key = screen__key()) != SCREEN_NO_KEY) {
		press(top, key);
		pressed = true;
	}
	return pressed ? draw(top) : 0;
}

/* ---- the screen ------------------------------------------------------------------------------ */

/* A command would print to the same terminal. */
static int open(struct tally *tally)
{
	int err;

	if (tally->options->output.json || tally->run.command.pid)
		return 0;
	tally->is_shown = screen__open();
	if (!tally->is_shown)
		return 0;
	tally->run.is_screen = true;
	messages__hold();
	err = tally__make_rows(tally);
	if (err)
		return err;
	peat_rows__hide_arrays(tally->rows);
	return draw((struct top *)tally);
}

static int show(struct tally *tally)
{
	return draw((struct top *)tally);
}

/* Waits for keys as well.  A terminal that is gone ends the run. */
static int wait(struct tally *tally, int timeout_ms)
{
	struct peat_reader *reader = tally->run.reader; /* NULL: a map */
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				{ .fd = reader ? peat_reader__fd(reader) : -1, .events = POLLIN } };
	int ready = poll(fds, 2, timeout_ms), failed = -errno, err;

	err = press_all((struct top *)tally); /* also after the signal of a new size */
	if (err)
		return err;
	if (ready < 0)
		return failed;
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		tally->run.is_full = true;
	return reader ? peat_reader__wait(reader, 0) : 0;
}

static void close_screen(struct tally *tally)
{
	screen__close();
	tally->is_shown = false;
	messages__release();
}

/* ---- the verb -------------------------------------------------------------------------------- */

static const struct tally_ops ops = {
	.type = "top",
	.open = open,
	.show = show,
	.wait = wait,
	.close = close_screen,
};

static const char doc[] =
	"Counts the events of each SOURCE, as peat count does, and shows the counts of each "
	"interval, sorted, until q or Ctrl-C.\v"
	"Keys: q quit, s set the interval, space show the counts so far, < and > sort by another "
	"column, R reverse the order.  If standard output is no terminal, with -j, and with "
	"COMMAND, "
	"it prints a table for each interval.";

int top_main(int argc, char **argv)
{
	struct options options;
	struct top top = { .tally.ops = &ops };
	char **command = tally__parse(&options, VERB_TOP, doc, argc, argv);
	int status;

	if (!options.output.interval_ms)
		options.output.interval_ms = INTERVAL_MS;
	if (!options.table.sort && options.table.values & PEAT_TABLE_SUM)
		options.table.sort = "sum";
	top.names = options.sources.name_count ? options.sources.names[0] : options.sources.maps[0];
	status = tally__main(&top.tally, &options, command);
	free(top.sort);
	return status;
}
