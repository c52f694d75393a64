// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peat-recv/counts.c: prints tables of events, or shows them on a screen. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <peat/peat.h>

#include "cli/base/signals.h"
#include "cli/table/screen.h"
#include "cli/table/top_view.h"
#include "program.h"

/* Keys and signals take effect after at most this time. */
#define STEP_MS 100

#define LINE_BYTES 256

/* The receiver's table at each interval. */
struct counts {
	const struct recv_options *options;
	struct peat_receiver *receiver;
	struct peat_table *table; /* the receiver's */
	struct peat_rows *rows;
	uint64_t interval_ms; /* 0: one table, at the end */
	uint64_t from_ns, wake_ns;
	double seconds; /* of the last interval */
	uint64_t tables;
	bool is_shown, warned, is_checked;
	struct top_view view;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- printing -------------------------------------------------------------------------------- */

static int print_text(const struct counts *counts)
{
	const struct recv_options *options = counts->options;
	char *text = peat_rows__text(counts->rows, options->counts.rows);
	const char *from = text;
	time_t now = time(NULL);
	char clock[16];
	struct tm tm;

	if (!text)
		return -ENOMEM;
	if (counts->tables && !options->quiet)
		putchar('\n');
	strftime(clock, sizeof(clock), "%T", localtime_r(&now, &tm));
	if (options->counts.timestamps)
		puts(clock);
	if (options->quiet)
		from += strcspn(text, "\n") + (*text != 0); /* the heading */
	fputs(from, stdout);
	free(text);
	return 0;
}

static void print_json_head(const struct counts *counts)
{
	time_t now = time(NULL);
	char date[32];
	struct tm tm;

	strftime(date, sizeof(date), "%FT%TZ", gmtime_r(&now, &tm));
	printf("{\"type\":\"%s\"", counts->options->counts.top ? "top" : "count");
	if (counts->options->counts.timestamps)
		printf(",\"time\":\"%s\"", date);
	if (counts->interval_ms)
		printf(",\"seconds\":%.9f", counts->seconds);
	printf(",\"events\":%llu,\"rows\":[", (unsigned long long)peat_rows__events(counts->rows));
}

static int print_json(const struct counts *counts)
{
	size_t count = peat_rows__count(counts->rows);

	print_json_head(counts);
	for (size_t i = 0; i < count && i < counts->options->counts.rows; i++) {
		char *row = peat_rows__json(counts->rows, i, false);

		if (!row)
			return -ENOMEM;
		printf("%s%s", i ? "," : "", row);
		free(row);
	}
	puts("]}");
	return 0;
}

static int print_table(struct counts *counts)
{
	int err = counts->options->json ? print_json(counts) : print_text(counts);

	if (!err && (fflush(stdout) || ferror(stdout)))
		err = errno ? -errno : -EIO;
	if (err && err != -EPIPE)
		messages__print("cannot print the table: %s", strerror(-err));
	return err;
}

/* ---- the screen ------------------------------------------------------------------------------ */

/* "14:03:21  exec  1234 events in 1.0 s" */
static int draw(struct counts *counts)
{
	time_t now = time(NULL);
	char clock[16], status[LINE_BYTES];
	struct tm tm;

	strftime(clock, sizeof(clock), "%T", localtime_r(&now, &tm));
	snprintf(status, sizeof(status), "%s  %s  %llu events in %.1f s", clock,
		 counts->options->receiver.count,
		 (unsigned long long)peat_rows__events(counts->rows), counts->seconds);
	return top_view__draw(&counts->view, status);
}

static void open_screen(struct counts *counts)
{
	const struct recv_options *options = counts->options;

	if (!options->counts.top || options->json || !screen__open())
		return;
	counts->is_shown = true;
	messages__hold();
	counts->view = (struct top_view){ .rows = counts->rows,
					  .row_count = options->counts.rows,
					  .by = options->receiver.sort ?: "count",
					  .interval_ms = counts->interval_ms };
}

static void close_screen(struct counts *counts)
{
	if (!counts->is_shown)
		return;
	screen__close();
	messages__release();
	top_view__free(&counts->view);
}

static int obey_keys(struct counts *counts)
{
	struct top_view *view = &counts->view;

	if (!counts->is_shown || !top_view__press_keys(view))
		return 0;
	if (view->is_ended) {
		counts->interval_ms = view->interval_ms;
		counts->wake_ns = now_ns() + view->ends_in_ms * 1000000;
		view->is_ended = false;
	}
	return draw(counts);
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* Rows that are missing may have a reason: it is logged once. */
static int check_fields(struct counts *counts)
{
	if (counts->is_checked || peat_rows__count(counts->rows))
		return 0;
	return peat_receiver__check_counts(counts->receiver);
}

static void warn_of_others(struct counts *counts)
{
	size_t count = peat_rows__count(counts->rows);

	if (counts->warned || !count || !peat_rows__is_others(counts->rows, count - 1))
		return;
	counts->warned = true;
	messages__print("too many keys: the row \"others\" has the rest");
}

static int end_interval(struct counts *counts)
{
	const uint64_t now = now_ns();
	int err = peat_rows__read(counts->rows, counts->table), misfit;

	if (err < 0)
		return err;
	misfit = check_fields(counts);
	if (misfit && !counts->interval_ms)
		return misfit;
	counts->is_checked = counts->is_checked || misfit;
	counts->seconds = (double)(now - counts->from_ns) / 1e9;
	counts->from_ns = now;
	err = counts->is_shown ? draw(counts) : print_table(counts);
	counts->tables++;
	warn_of_others(counts);
	return err ?: peat_table__clear(counts->table);
}

/* Intervals that passed while the process was stopped are left out. */
static int end_when_due(struct counts *counts)
{
	const uint64_t interval_ns = counts->interval_ms * 1000000, now = now_ns();

	if (!interval_ns || now < counts->wake_ns)
		return 0;
	counts->wake_ns += ((now - counts->wake_ns) / interval_ns + 1) * interval_ns;
	return end_interval(counts);
}

static bool is_over(const struct counts *counts)
{
	return receive__is_stopped() || signals__stop_requested() || counts->view.quits ||
	       counts->tables >= counts->options->counts.tables;
}

static uint64_t wait_ms(const struct counts *counts)
{
	const uint64_t now = now_ns();

	if (!counts->interval_ms || counts->wake_ns > now + STEP_MS * 1000000)
		return STEP_MS;
	return counts->wake_ns > now ? (counts->wake_ns - now) / 1000000 + 1 : 0;
}

/* -ENODATA: the end of the stream. */
static int count_events(struct counts *counts)
{
	int err = 0;

	while (!err && !is_over(counts)) {
		err = peat_receiver__step(counts->receiver, wait_ms(counts));
		if (err >= 0)
			err = obey_keys(counts) ?: end_when_due(counts);
	}
	return err;
}

int counts__run(const struct recv_options *options, struct peat_receiver *receiver)
{
	struct counts counts = { .options = options,
				 .receiver = receiver,
				 .table = peat_receiver__counts(receiver),
				 .rows = peat_rows__new(NULL),
				 .interval_ms = options->counts.interval_ms,
				 .from_ns = now_ns() };
	int err;

	if (!counts.rows)
		return -ENOMEM;
	counts.wake_ns = counts.from_ns + counts.interval_ms * 1000000;
	open_screen(&counts);
	err = counts.is_shown ? draw(&counts) : 0;
	err = err ?: count_events(&counts);
	if ((!err || err == -ENODATA) && !counts.is_shown && counts.tables < options->counts.tables)
		err = end_interval(&counts);
	close_screen(&counts);
	peat_rows__free(counts.rows);
	return err;
}
