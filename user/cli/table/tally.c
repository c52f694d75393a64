// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tally.c: counts events in a table and prints it at each interval, for peat count, hist and top.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/table/default_field.h"
#include "cli/run/event_filter.h"
#include "cli/run/frame_names.h"
#include "cli/base/json_text.h"
#include "cli/table/map_tally.h"
#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "cli/run/sources.h"
#include "cli/base/signals.h"
#include "cli/table/tally.h"
#include "cli/table/table_timeline.h"
#include "cli/table/tally_stacks.h"
#include "cli/base/terminal_text.h"
#include "cli/run/types.h"

/* ---- printing -------------------------------------------------------------------------------- */

/* Rows of tables that programs keep may be histograms, whatever the verb. */
static bool has_bars(const struct tally *tally)
{
	return tally->ops->prints_bars || ((tally->has_own || tally->options->sources.map_count) &&
					   peat_rows__have_bars(tally->rows));
}

/* The time of day at the end of the interval. */
static struct tm end_of_interval(const struct tally *tally, bool utc)
{
	time_t second = (time_t)(((int64_t)tally->to_ns + tally->wall_ns) / 1000000000);
	struct tm tm = { 0 };

	return *(utc ? gmtime_r(&second, &tm) : localtime_r(&second, &tm));
}

/* Without the time of day, prints seconds of the recording's clock. */
static void print_time(const struct tally *tally)
{
	struct tm tm = end_of_interval(tally, false);
	char text[16];

	strftime(text, sizeof(text), "%T", &tm);
	if (tally->wall_ns)
		puts(text);
	else
		printf("%llu.%06llu\n", (unsigned long long)(tally->to_ns / 1000000000),
		       (unsigned long long)(tally->to_ns / 1000 % 1000000));
}

/* "delays: how long requests took (us)" */
static void print_name(const struct tally *tally)
{
	const char *unit = peat_table__unit(tally->table);

	terminal_text__print(stdout, "%s%s%s", tally->name, tally->doc ? ": " : "",
			     tally->doc ? tally->doc : "");
	if (unit && strcmp(unit, "ns") && strcmp(unit, "bytes"))
		terminal_text__print(stdout, " (%s)", unit);
	putchar('\n');
}

static int print_rows(const struct tally *tally, bool bars)
{
	char *text = bars ? peat_rows__bars(tally->rows, tally->options->table.row_count)
			  : peat_rows__text(tally->rows, tally->options->table.row_count);
	const char *from = text;

	if (!text)
		return -ENOMEM;
	if (!bars && tally->options->output.quiet)
		from += strcspn(text, "\n") + (*text != 0); /* the heading */
	fputs(from, stdout);
	free(text);
	return 0;
}

static int print_text(const struct tally *tally)
{
	if (tally->tables && (!tally->options->output.quiet || tally->ops->prints_bars))
		putchar('\n');
	if (tally->options->output.timestamps)
		print_time(tally);
	if (tally->name && !tally->options->output.quiet)
		print_name(tally);
	return print_rows(tally, has_bars(tally));
}

/* Runs that the kernel skipped are left out if they are not known. */
static void print_losses(const struct tally *tally)
{
	const struct peat_reader *reader =
		tally->run.reader ? tally->run.reader : tally->recorded.reader;
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (!reader || peat_reader__stats(reader, &stats))
		stats.lost = stats.skipped_is_known = 0;
	printf(",\"lost\":%llu", (unsigned long long)stats.lost);
	if (stats.skipped_is_known)
		printf(",\"skipped\":%llu", (unsigned long long)stats.skipped);
}

static void print_json_head(const struct tally *tally)
{
	struct tm tm = end_of_interval(tally, true);
	char text[32];

	printf("{\"type\":\"%s\"", tally->ops->type);
	if (tally->name)
		json_text__member(",", "table", tally->name);
	strftime(text, sizeof(text), "%FT%TZ", &tm);
	if (tally->options->output.timestamps && tally->wall_ns)
		printf(",\"time\":\"%s\"", text);
	printf(",\"time_ns\":%llu,\"seconds\":%.9f", (unsigned long long)tally->to_ns,
	       (double)tally->length_ns / 1e9);
	print_losses(tally);
	fputs(",\"rows\":[", stdout);
}

static int print_json(const struct tally *tally)
{
	size_t count = peat_rows__count(tally->rows);
	bool bars = has_bars(tally);

	print_json_head(tally);
	for (size_t i = 0; i < count && i < tally->options->table.row_count; i++) {
		char *json = peat_rows__json(tally->rows, i, bars);

		if (!json)
			return -ENOMEM;
		printf("%s%s", i ? "," : "", json);
		free(json);
	}
	puts("]}");
	return 0;
}

/* ---- intervals ------------------------------------------------------------------------------- */

static void flush(struct output *output)
{
	int err = fflush(stdout) ? -errno : 0;

	if (!err && ferror(stdout)) { /* an earlier write, for an unknown reason */
		output__check_closed_pipe(output);
		err = -EIO;
	}
	if (!output->err)
		output->err = err;
}

/* stdio would lose what a signal keeps it from writing. */
static int print(struct tally *tally, struct output *output)
{
	int err;

	progress__erase();
	signals__begin_print(STDOUT_FILENO);
	err = tally->options->output.json ? print_json(tally) : print_text(tally);
	tally->tables++;
	flush(output);
	signals__end_print();
	return err;
}

/* Once, on stderr. */
static void warn_of_others(struct tally *tally)
{
	size_t count = peat_rows__count(tally->rows);

	if (tally->warned || tally->is_shown || !count ||
	    !peat_rows__is_others(tally->rows, count - 1))
		return;
	tally->warned = true;
	messages__print("more than %llu keys: the row \"others\" has the rest: use a larger "
			"--max-rows",
			(unsigned long long)tally->options->table.max_rows);
}

int tally__make_rows(struct tally *tally)
{
	struct peat_rows_opts opts = PEAT_ROWS_OPTS_INIT;

	opts.symbols = tally->run.symbols;
	opts.stack = tally->options->table.by_stack ? tally_stacks__frames : NULL;
	opts.stack_arg = tally;
	if (!tally->rows)
		tally->rows = peat_rows__new(&opts);
	return tally->rows ? 0 : -errno;
}

int tally__read(struct tally *tally)
{
	int err = tally__make_rows(tally);

	return err ? err : peat_rows__read(tally->rows, tally->table);
}

/* Events of the last interval. */
static uint64_t last_events(const struct tally *tally)
{
	return tally->rows ? peat_rows__events(tally->rows) : 0;
}

static int end_table(struct tally *tally, struct output *output)
{
	int err = tally__read(tally);

	if (!err)
		err = peat_table__clear(tally->table);
	kept_stacks__end_interval(&tally->stacks);
	if (!err && tally->has_own && tally->options->table.sort)
		peat_rows__sort(tally->rows,
				peat_rows__find(tally->rows, tally->options->table.sort), false);
	if (!err)
		err = tally->timeline	? table_timeline__add(tally)
		      : tally->is_shown ? tally->ops->show(tally)
					: print(tally, output);
	if (!err)
		warn_of_others(tally);
	return err;
}

/* A screen has one of them: the first, or that of --table. */
static int end_own_tables(struct tally *tally, struct output *output)
{
	struct peat_session_table own = { .sz = sizeof(own) };
	int more, err = 0;

	for (uint32_t i = 0; !err && (more = peat_session__table(tally->run.session, i, &own)) > 0;
	     i++) {
		if (!own.table ||
		    (tally->options->table.name && strcmp(tally->options->table.name, own.name)))
			continue;
		tally->table = own.table;
		tally->name = own.name;
		tally->doc = own.doc;
		err = end_table(tally, output);
		if (tally->is_shown)
			break;
	}
	tally->table = NULL;
	return err ? err : more < 0 ? more : 0;
}

bool tally__is_full(const struct tally *tally)
{
	return tally->intervals >= tally->options->limits.count;
}

int tally__end_interval(struct tally *tally, struct output *output)
{
	int err;

	if (tally__is_full(tally))
		return 0;
	tally->intervals++;
	tally->events += last_events(tally);
	tally->length_ns = tally->to_ns - tally->from_ns;
	err = tally->has_own ? end_own_tables(tally, output) : end_table(tally, output);
	tally->from_ns = tally->to_ns;
	return err;
}

/* ---- types ----------------------------------------------------------------------------------- */

/* The library adds the types to the table in which it counts. */
static int add_type(void *arg, const struct peat_schema *type)
{
	struct tally *tally = arg;

	return tally->run.table || tally->has_own ? 0 : peat_table__add_type(tally->table, type);
}

static int add_selected_type(void *arg, const struct peat_schema *type)
{
	struct tally *tally = arg;

	return recording_run__selects(&tally->recorded, type) ? add_type(tally, type) : 0;
}

/* A pipe that ends before its first event has no types. */
static int add_types(struct tally *tally, struct peat_reader *reader, types_fn add, uint32_t kinds)
{
	int events = types__of_events(reader, add, tally);
	int records = events < 0 ? 0 : types__of_kinds(kinds, add_type, tally);

	if (events < 0 || records < 0)
		return events < 0 ? events : records;
	return events + records && !tally->run.table && !tally->has_own
		       ? peat_table__check(tally->table)
		       : 0;
}

/* ---- live ------------------------------------------------------------------------------------ */

/* Counts an event that the library did not count.  Losses, and types without the fields, are not
 * counted.
 */
static int count_event(struct peat_sink *sink, const struct peat_event *event)
{
	struct tally *tally = (struct tally *)((char *)sink - offsetof(struct tally, sink));
	int counted = 0;

	if (!tally->run.table && !tally->has_own && event->kind != PEAT_EVENT_LOST)
		counted = peat_table__add(tally->table, event);
	if (counted < 0 && !tally->err)
		tally->err = counted;
	return 0;
}

static uint64_t now_ns(void)
{
	return (uint64_t)run__now_ns();
}

static int open_live(struct run *run, uint32_t kinds)
{
	struct tally *tally = (struct tally *)run;
	int err = add_types(tally, run->reader, add_type, kinds);

	if (err)
		return err;
	tally->sink = (struct peat_sink){ .sz = sizeof(tally->sink), .write = count_event };
	run->output.sink = &tally->sink;
	peat_reader__wall_clock(run->reader, &tally->wall_ns); /* never fails for rings */
	tally->from_ns = now_ns();
	if (tally->interval_ms)
		run->wake_ns = run->started_ns + (int64_t)tally->interval_ms * 1000000;
	err = table_timeline__open(tally, &run->output, run->reader);
	if (err)
		return err;
	return tally->ops->open ? tally->ops->open(tally) : 0;
}

/* Intervals that passed while peat was stopped are left out. */
static int print_when_due(struct run *run)
{
	struct tally *tally = (struct tally *)run;
	int64_t interval_ns = (int64_t)tally->interval_ms * 1000000, now = run__now_ns();

	if (tally->err || !interval_ns || now < run->wake_ns)
		return tally->err;
	run->wake_ns += ((now - run->wake_ns) / interval_ns + 1) * interval_ns;
	tally->to_ns = (uint64_t)now;
	run->is_full |=
		tally->intervals + 1 >= tally->options->limits.count; /* a key may have set it */
	return tally__end_interval(tally, &run->output);
}

static int wait_live(struct run *run, int timeout_ms)
{
	struct tally *tally = (struct tally *)run;

	return tally->is_shown ? tally->ops->wait(tally, timeout_ms)
			       : peat_reader__wait(run->reader, timeout_ms);
}

static int finish_live(struct run *run)
{
	struct tally *tally = (struct tally *)run;
	int err;

	tally->to_ns = now_ns();
	err = tally__end_interval(tally, &run->output);
	err = err ? err : table_timeline__finish(tally, &run->output);
	if (tally->is_shown)
		tally->ops->close(tally);
	run->printed = tally->events + last_events(tally);
	return tally->err ? tally->err : err;
}

/* Else only of user stacks in tables that the sources keep. */
static bool has_names(const struct options *options)
{
	return options->table.by_stack;
}

static const struct run_ops live_ops = {
	.progress = "counting",
	.has_names = has_names,
	.open_sink = open_live,
	.pause = print_when_due,
	.finish = finish_live,
	.wait = wait_live,
};

/*
 * Filters of tasks are tested here for events that no program of peat emits, so the library must
 * not count them.
 */
static bool filters_here(const struct options *options)
{
	bool is_foreign = options->sources.map_count;

	for (size_t i = 0; i < options->sources.name_count; i++)
		is_foreign = is_foreign || *options->sources.names[i] == '@';
	return is_foreign &&
	       (options->filter.by_pid || options->filter.by_tid || options->filter.comm);
}

static int count_live(struct tally *tally, char **command)
{
	if (tally->options->filter.by_time) {
		messages__print("--time is for recordings: use -d");
		return EXIT_USAGE;
	}
	tally->run.ops = &live_ops;
	if (tally->has_own || tally->options->table.by_stack || filters_here(tally->options))
		tally->run.table = NULL;
	else
		tally->run.table = tally->table;
	return run__session(&tally->run, tally->options, command);
}

/* ---- recordings ------------------------------------------------------------------------------ */

static int begin_recording(struct tally *tally)
{
	int err;

	tally->is_checked = true;
	peat_reader__wall_clock(tally->recorded.reader, &tally->wall_ns); /* or it is unknown */
	err = add_types(tally, tally->recorded.reader, add_selected_type,
			tally->recorded.side_band);
	err = err ? err : recording_run__open_output(&tally->recorded);
	if (err)
		return err;
	return table_timeline__open(tally, &tally->recorded.output, tally->recorded.reader);
}

/* Intervals of the events' clock, from the first event that has a time. */
static int end_intervals(struct tally *tally, uint64_t time_ns)
{
	uint64_t interval_ns = tally->interval_ms * 1000000;
	int err = 0;

	if (!tally->from_ns)
		tally->from_ns = time_ns;
	while (!err && interval_ns && time_ns >= tally->from_ns + interval_ns &&
	       !tally__is_full(tally) && !signals__is_stopping()) {
		tally->to_ns = tally->from_ns + interval_ns;
		err = tally__end_interval(tally, &tally->recorded.output);
	}
	if (time_ns > tally->to_ns)
		tally->to_ns = time_ns;
	return err;
}

static int count_recorded(struct recording_run *recorded, const struct peat_event *event)
{
	struct tally *tally = recorded->arg;
	int counted = 0;

	if (!tally->is_checked)
		tally->err = begin_recording(tally);
	if (!tally->err)
		tally->err = end_intervals(tally, event->time_ns);
	if (!tally->err && event->kind != PEAT_EVENT_LOST)
		counted = peat_table__add(tally->table, event);
	if (counted < 0)
		tally->err = counted;
	return tally->err;
}

/* An error was returned with the event. */
static int finish_recording(struct recording_run *recorded)
{
	struct tally *tally = recorded->arg;
	int err = tally->is_checked ? 0 : begin_recording(tally);

	if (!err && !tally->err)
		err = tally__end_interval(tally, &recorded->output);
	if (!err)
		err = table_timeline__finish(tally, &recorded->output);
	if (!err)
		tally_stacks__check(tally);
	recorded->used = tally->events + last_events(tally);
	return err;
}

static int count_recording(struct tally *tally, const struct options *options, char **command)
{
	if (command || options->sampling.all_tasks || options->limits.run_ms != UINT64_MAX ||
	    options->filter.by_uid || options->filter.cgroup || options->sources.map_count) {
		messages__print("-a, -d, -u, --cgroup, --map and COMMAND cannot be used with "
				"the recording %s: they are for live events",
				options->sources.names[0]);
		return EXIT_USAGE;
	}
	messages__set_verbosity(options->output.verbose);
	tally->recorded = (struct recording_run){
		.options = options,
		.use = count_recorded,
		.finish = finish_recording,
		.arg = tally,
		.prints_rarely = true,
	};
	if (options->table.by_stack) {
		tally->recorded.symbols = frame_names__new(options, FRAME_NAMES_RECORDED);
		if (!tally->recorded.symbols)
			return EXIT_FAILED;
	}
	return recording_run__read(&tally->recorded);
}

/* ---- the verbs ------------------------------------------------------------------------------- */

static struct peat_table *new_table(struct tally *tally)
{
	const struct options *options = tally->options;
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;

	opts.stack_id = tally_stacks__number;
	opts.stack_arg = tally;
	opts.by = options->table.by;
	opts.field = options->table.field;
	opts.values = PEAT_TABLE_COUNT | options->table.values;
	opts.linear_first = options->table.linear_first;
	opts.linear_width =
		options->table.values & PEAT_TABLE_LINEAR ? options->table.linear_width : 0;
	opts.sort = options->table.sort;
	opts.max_rows = options->table.max_rows;
	tally->stacks.max = options->table.max_rows;
	return peat_table__new(&opts);
}

char **tally__parse(struct options *options, enum verb_bit verb, const char *doc, int argc,
		    char **argv)
{
	char **command = options__cut_command(&argc, argv);
	const char *arguments =
		verb == VERB_HIST ? "SOURCE... FIELD [-- COMMAND...]\nSOURCE [-- COMMAND...]\n"
				    "RECORDING [EVENT|@KIND...] FIELD\n"
				    "--map=MAP FIELD [-- COMMAND...]"
				  : "SOURCE... [-- COMMAND...]\nRECORDING [EVENT|@KIND...]\n"
				    "--map=MAP [-- COMMAND...]";

	options__parse(options, verb, arguments, doc, argc, argv);
	return command;
}

/* Whether the user asks for events, not for the tables that the sources keep. */
static bool asks_for_events(const struct options *options)
{
	return options->table.by || options->table.field || options->table.values ||
	       options->filter.where || event_filter__has_identity(options) ||
	       options->verb == VERB_HIST;
}

/* The table --table, or any if the option is not given. */
static bool keeps_table(const struct peat_object *object, const void *name)
{
	struct peat_object_table table = { .sz = sizeof(table) };
	bool found = false;

	for (uint32_t i = 0; !found && peat_object__table(object, i, &table) > 0; i++)
		found = !name || !strcmp(name, table.name);
	return found;
}

/* As sources__any(). */
static int any_keeps_table(const struct options *options)
{
	if (options->sources.name_count && recording_run__is_recording(options->sources.names[0]))
		return 0;
	return sources__any(options->sources.names, options->sources.name_count, keeps_table,
			    options->table.name);
}

static int count_events(struct tally *tally, char **command)
{
	struct peat_table *events = new_table(tally);
	int status;

	if (!events)
		return errno == ENOMEM ? EXIT_FAILED : EXIT_USAGE;
	tally->table = events;
	if (tally->options->sources.name_count &&
	    recording_run__is_recording(tally->options->sources.names[0]))
		status = count_recording(tally, tally->options, command);
	else
		status = count_live(tally, command);
	peat_table__free(events);
	return status;
}

/* Whether the sources keep tables, and these are wanted.  0 or an exit status. */
static int choose_tables(struct tally *tally)
{
	const struct options *options = tally->options;
	int keeps = 0;

	if (options->table.name || !asks_for_events(options))
		keeps = any_keeps_table(options);
	if (keeps < 0)
		return -keeps;
	tally->has_own = keeps;
	if (!options->table.name || tally->has_own)
		return 0;
	messages__print("no source keeps a table '%s': peat list -v shows the tables",
			options->table.name);
	return EXIT_USAGE;
}

/* 0 or an exit status. */
static int choose_field(struct tally *tally, struct options *options)
{
	int status;

	if (options->verb != VERB_HIST || options->table.field)
		return 0;
	status = default_field__find(options, tally->default_field, sizeof(tally->default_field));
	options->table.field = tally->default_field;
	return status;
}

/* Only a map that is a histogram needs no field. */
static int check_field(const struct options *options)
{
	if (options->verb != VERB_HIST || options->table.field || options->sources.name_count)
		return 0;
	messages__print("no field: the map %s has events: use peat hist --map MAP FIELD",
			options->sources.maps[0]);
	return EXIT_USAGE;
}

int tally__main(struct tally *tally, struct options *options, char **command)
{
	int status, is_map;

	messages__set_verbosity(options->output.verbose);
	tally->options = options;
	tally->interval_ms = options->output.interval_ms;
	if (options->limits.count != UINT64_MAX && !options->output.interval_ms) {
		messages__print("-n is the number of tables and needs -i; -r limits the rows");
		return EXIT_USAGE;
	}
	status = table_timeline__check(options);
	if (status)
		return status;
	is_map = map_tally__finds(options);
	if (is_map)
		return is_map < 0 ? EXIT_FAILED : map_tally__main(tally, command);
	status = check_field(options) ?: choose_field(tally, options);
	if (!status)
		status = tally_stacks__choose(options) ?: table_timeline__check_key(options);
	if (!status)
		status = choose_tables(tally);
	if (!status)
		status = tally->has_own ? count_live(tally, command) : count_events(tally, command);
	peat_sink__free(tally->timeline);
	peat_rows__free(tally->rows);
	kept_stacks__free(&tally->stacks);
	return status;
}
