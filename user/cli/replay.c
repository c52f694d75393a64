// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay.c: peat replay: prints the events, the header or the statistics of a perf.data. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli.h"
#include "event_filter.h"
#include "messages.h"
#include "options.h"
#include "output.h"
#include "replay.h"
#include "signals.h"
#include "summary.h"

struct replay_run {
	const struct options *options;
	struct peat_reader *reader;
	struct output output;
	uint64_t printed, lost;
	uint32_t kinds;			/* of records */
	bool samples;			/* all samples, also of events that are not named */
	bool matched[OPTIONS_NAMES];	/* by argument */
	bool has_begun;			/* the sink is open */
	const struct peat_schema *last; /* the event of the last sample, and whether it is wanted */
	bool last_is_wanted;
};

/* ---- arguments and filters ------------------------------------------------------------------- */

static uint32_t all_kinds(void)
{
	uint32_t kinds = 0;

	for (uint32_t kind = 1; peat_kind__name((enum peat_kind)kind); kind <<= 1)
		kinds |= kind;
	return kinds;
}

static bool parse_record(struct replay_run *run, const char *name)
{
	bool all = !strcmp(name, "all"), samples = all || !strcmp(name, "sample");
	uint32_t kinds = all ? all_kinds() : peat_kind__find(name);

	run->samples |= samples;
	run->kinds |= kinds;
	return samples || kinds;
}

/* Arguments after the file: @KIND, and names of events. */
static int parse_arguments(struct replay_run *run)
{
	const struct options *options = run->options;

	run->samples = options->name_count == 1;
	for (size_t i = 1; i < options->name_count; i++) {
		const char *name = options->names[i];

		if (*name != '@' || parse_record(run, name + 1))
			continue;
		messages__print("unknown kind of records '%s': use @sample, @task, @comm, @mmap, "
				"@switch, @namespaces, @cgroup, @ksymbol, @bpf, @textpoke, @other, "
				"@tool or @all",
				name);
		return EXIT_USAGE;
	}
	return 0;
}

static bool is_named(struct replay_run *run, const struct peat_schema *schema)
{
	bool named = false;

	for (size_t i = 1; i < run->options->name_count; i++)
		if (!fnmatch(run->options->names[i], peat_schema__name(schema), 0))
			named = run->matched[i] = true;
	return named;
}

/* Caches the answer, since consecutive samples often have the same event. */
static bool is_wanted_sample(struct replay_run *run, const struct peat_event *event)
{
	if (event->schema != run->last) {
		run->last = event->schema;
		run->last_is_wanted = is_named(run, event->schema) || run->samples;
	}
	return run->last_is_wanted;
}

static bool is_wanted(struct replay_run *run, const struct peat_event *event)
{
	const struct options *options = run->options;

	if (!event_filter__wants_time(options, event))
		return false;
	if (event->kind == PEAT_EVENT_LOST || event->kind == PEAT_EVENT_TOOL)
		return true;
	if (!event_filter__wants_task(options, event))
		return false;
	return event->kind != PEAT_EVENT_DATA || is_wanted_sample(run, event);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Sample fields that every line has, or that columns do not need. */
#define HEAD (PEAT_SAMPLE_IDS | PEAT_SAMPLE_PERIOD | PEAT_SAMPLE_RAW | PEAT_SAMPLE_IP)

/* perf adds a dummy event for its side-band records.  It has no samples. */
static bool is_dummy(const struct peat_schema *type)
{
	return !strncmp(peat_schema__name(type), "dummy", strlen("dummy"));
}

/* The only event that will be printed; NULL: several, or they have parts that columns cannot show.
 */
static const struct peat_schema *only_type(struct replay_run *run, const struct peat_event *event)
{
	const struct peat_schema *only = NULL, *type;
	uint32_t fields;

	if (run->kinds || event->kind != PEAT_EVENT_DATA || event->record->has & ~HEAD)
		return NULL;
	for (uint32_t i = 0; (type = peat_reader__type(run->reader, i)); i++) {
		if ((!run->samples && !is_named(run, type)) || is_dummy(type))
			continue;
		if (only)
			return NULL;
		only = type;
	}
	if (only)
		peat_schema__fields(only, &fields);
	return only && fields ? only : NULL;
}

/* Opens the sink at the first event, which determines the columns; the clock is known by then. */
static int begin(struct replay_run *run, const struct peat_event *event)
{
	struct peat_sink_opts opts = {
		.sz = sizeof(opts),
		.columns = only_type(run, event),
		.no_heading = run->options->quiet,
		.seconds = true,
		.no_symbols = run->options->no_symbols,
	};

	if (run->options->timestamps && peat_reader__wall_clock(run->reader, &opts.wall_clock_ns)) {
		messages__print(
			"-T: the recording has no time of day: record it with perf record -k "
			"CLOCK_MONOTONIC");
		return -EOPNOTSUPP;
	}
	run->has_begun = true;
	return output__open_sink(&run->output, run->options->json, &opts);
}

static int print_event(struct replay_run *run, const struct peat_event *event)
{
	int err = 0;

	if (!is_wanted(run, event))
		return 0;
	if (!run->has_begun)
		err = begin(run, event);
	if (err)
		return err;
	if (event->kind == PEAT_EVENT_LOST)
		run->lost += event->lost;
	else
		run->printed++;
	output__write(&run->output, event);
	return 0;
}

static bool has_enough(const struct replay_run *run)
{
	return run->output.err || run->printed >= run->options->count;
}

static bool is_over(const struct replay_run *run)
{
	return signals__stop_requested() || has_enough(run);
}

/* Prints all available events.  0 or a negative errno. */
static int print_available(struct replay_run *run)
{
	const struct peat_event *event;
	int more, err = 0;

	while (!err && !is_over(run) && (more = peat_reader__next(run->reader, &event)))
		err = more < 0 ? more : print_event(run, event);
	return err;
}

/* Prints the events already read, even after a signal: they cannot be read from a pipe again. */
static int print_held(struct replay_run *run)
{
	const struct peat_event *event;
	int more, err = 0;

	peat_reader__flush(run->reader);
	while (!err && !has_enough(run) && (more = peat_reader__next(run->reader, &event)))
		err = more < 0 ? more : print_event(run, event);
	return err;
}

/* Prints all events.  The end of the recording is no error. */
static int replay(struct replay_run *run)
{
	int err = 0;

	while (!err && !is_over(run)) {
		err = peat_reader__wait(run->reader, 0);
		if (!err) { /* the writer of a pipe is slower */
			output__flush(&run->output);
			output__check_closed_pipe(&run->output);
			err = run->output.err ? 0 : peat_reader__wait(run->reader, -1);
		}
		if (err >= 0)
			err = print_available(run);
		else if (err == -EINTR || err == -ECANCELED)
			err = 0;
	}
	if (!err && signals__stop_requested())
		err = print_held(run);
	output__flush(&run->output);
	return err == -ENODATA ? 0 : err;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static bool is_event(const struct replay_run *run, const char *name)
{
	const struct peat_schema *type;
	bool found = false;

	for (uint32_t i = 0; !found && (type = peat_reader__type(run->reader, i)); i++)
		found = !fnmatch(name, peat_schema__name(type), 0);
	return found;
}

/* The first argument, if it is neither a file nor an event of perf.data; NULL: it is one. */
static const char *misspelt(const struct replay_run *run)
{
	const char *name = run->options->is_default ? run->options->names[1] : NULL;

	return name && *name != '@' && !is_event(run, name) ? name : NULL;
}

static void report_unmatched(const struct replay_run *run)
{
	const struct options *options = run->options;

	for (size_t i = 1; i < options->name_count; i++)
		if (*options->names[i] != '@' && !run->matched[i] &&
		    options->names[i] != misspelt(run))
			messages__print("no sample of event '%s': peat replay --stats lists the "
					"events",
					options->names[i]);
}

static void summarize(const struct replay_run *run)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (peat_reader__stats(run->reader, &stats))
		return;
	messages__print("%llu event%s, %llu lost", (unsigned long long)run->printed,
			run->printed == 1 ? "" : "s", (unsigned long long)stats.lost);
	summary__print_stats(&stats);
	if (stats.unknown)
		messages__print("%llu records skipped: unknown type or unknown event",
				(unsigned long long)stats.unknown);
	report_unmatched(run);
}

static int print_events(struct replay_run *run)
{
	const struct options *options = run->options;
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	int err;

	opts.kinds = run->kinds;
	opts.names = true;
	opts.ordered = !options->unordered;
	opts.cpus = options->cpus;
	opts.memory_bytes = options->memory_bytes;
	opts.as = options->types;
	opts.btf = options->btf;
	run->reader = peat_reader__open(options->names[0], &opts);
	if (!run->reader)
		return -errno;
	err = output__open_beside(&run->output, options->output, options->names[0]);
	if (err)
		return -EINVAL;
	signals__catch(); /* only now: signals have to end a wait for a pipe's header */
	signals__set_reader(run->reader);
	err = replay(run);
	if (!options->quiet)
		summarize(run);
	return err;
}

int replay__events(const struct options *options)
{
	struct replay_run run = { .options = options, .output.fd = STDOUT_FILENO };
	int status = parse_arguments(&run), failed;

	if (status)
		return status;
	status = print_events(&run) ? EXIT_FAILED : 0;
	if (!status && misspelt(&run)) {
		messages__print("'%s' is neither a file nor an event of perf.data: "
				"peat replay --stats lists the events",
				misspelt(&run));
		status = EXIT_FAILED;
	}
	failed = output__close(&run.output);
	signals__set_reader(NULL);
	peat_reader__free(run.reader);
	return status ? status : failed;
}

/* A closed pipe is no failure. */
static int status_of(int err)
{
	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

static const char doc[] =
	"Prints the events of a perf.data written by any program: a file, a directory made by perf "
	"record --threads, or - for standard input.  If it is cut or damaged, all intact events "
	"are printed, and the exit status is 1.  Without FILE: perf.data.\v"
	"EVENT: print only samples of this event; may be a pattern: 'sched:*'.  @KIND: also print "
	"other records: @task @comm @mmap @switch @namespaces @cgroup @ksymbol @bpf @textpoke "
	"@other; @tool: records of perf itself; @sample: all samples; @all: everything.";

/* A directory may have a file for each CPU, but the default limit is 1024. */
static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit); /* the reader reports a limit that is too low */
}

int replay_main(int argc, char **argv)
{
	struct options options;

	options__parse(&options, VERB_REPLAY, "[FILE] [EVENT|@KIND...]", doc, argc, argv);
	messages__set_verbosity(options.verbose);
	allow_many_files();
	if (!options.stats && !options.header)
		return replay__events(&options);
	if (options.name_count > 1) {
		messages__print(
			"--stats and --header print a whole recording: give one FILE and no "
			"EVENT");
		return EXIT_USAGE;
	}
	if (options.stats)
		return status_of(
			peat_recording__write_stats(options.names[0], STDOUT_FILENO, options.json));
	return status_of(
		peat_recording__write_header(options.names[0], STDOUT_FILENO, options.json));
}
