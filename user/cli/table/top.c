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
#include "cli/table/screen.h"
#include "cli/run/summary.h"
#include "cli/table/tally.h"
#include "cli/table/top_view.h"

#define INTERVAL_MS 1000
#define LINE_BYTES  256

struct top {
	struct tally tally; /* the first member */
	const char *names;  /* of the sources */
	struct top_view view;
};

/* ---- drawing --------------------------------------------------------------------------------- */

/* Without a reader, of a map: nothing is transported. */
static void read_stats(const struct top *top, struct peat_reader_stats *stats)
{
	*stats = (struct peat_reader_stats){ .sz = sizeof(*stats) };
	if (top->tally.run.reader && peat_reader__stats(top->tally.run.reader, stats))
		stats->lost = stats->skipped = 0;
}

/* "14:03:21  exec  1234 events in 1.0 s  0 lost" */
static void print_status(const struct top *top, char *line)
{
	struct peat_reader_stats stats;
	time_t now = time(NULL);
	struct tm tm;
	char clock[16];

	read_stats(top, &stats);
	strftime(clock, sizeof(clock), "%T", localtime_r(&now, &tm));
	snprintf(line, LINE_BYTES, "%s  %s  %llu events in %.1f s  %llu lost%s", clock, top->names,
		 (unsigned long long)peat_rows__events(top->tally.rows),
		 (double)top->tally.length_ns / 1e9, (unsigned long long)stats.lost,
		 summary__skipped(&stats));
}

static int draw(struct top *top)
{
	char status[LINE_BYTES];

	top->view.rows = top->tally.rows;
	print_status(top, status);
	return top_view__draw(&top->view, status);
}

static int press_keys(struct top *top)
{
	struct tally *tally = &top->tally;
	struct top_view *view = &top->view;
	bool pressed = top_view__press_keys(view);

	tally->run.is_full |= view->quits;
	if (view->is_ended) {
		view->is_ended = false;
		tally->interval_ms = view->interval_ms;
		tally->run.wake_ns = run__now_ns() + (int64_t)view->ends_in_ms * 1000000;
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

	err = press_keys((struct top *)tally); /* also after the signal of a new size */
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
	top.view = (struct top_view){ .row_count = options.table.row_count,
				      .by = options.table.sort ? options.table.sort : "count",
				      .interval_ms = options.output.interval_ms };
	top.names = options.sources.name_count ? options.sources.names[0] : options.sources.maps[0];
	status = tally__main(&top.tally, &options, command);
	top_view__free(&top.view);
	return status;
}
