// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay.c: peat replay: the events of a perf.data, and what is in it. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"
#include "output.h"
#include "replay.h"
#include "stop.h"

struct replay_run {
	const struct options *options;
	struct peat_reader *reader;
	struct output output;
	uint64_t printed, lost;
	uint32_t kinds;			/* of records */
	bool samples;			/* those whose event is not named, too */
	bool matched[OPTIONS_NAMES];	/* by argument */
	bool has_begun;			/* the sink is there */
	const struct peat_schema *last; /* the event of the last sample, and whether it is wanted */
	bool last_is_wanted;
};

/* ---- what is wanted -------------------------------------------------------------------------- */

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

/* Behind the file: records, @KIND, and events by name. */
static int parse_arguments(struct replay_run *run)
{
	const struct options *options = run->options;

	run->samples = options->name_count == 1;
	for (size_t i = 1; i < options->name_count; i++) {
		const char *name = options->names[i];

		if (*name != '@' || parse_record(run, name + 1))
			continue;
		cli__complain("there are no records %s: @sample, @task, @comm, @mmap, @switch, "
			      "@namespaces, @cgroup, @ksymbol, @bpf, @textpoke, @other, @tool, or "
			      "@all",
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

/* Samples of one event come in rows. */
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

	if (event->kind == PEAT_EVENT_LOST || event->kind == PEAT_EVENT_TOOL)
		return true;
	if ((options->pid && event->pid != options->pid) ||
	    (options->tid && event->tid != options->tid) ||
	    (options->comm && (!event->comm || strcmp(event->comm, options->comm))))
		return false;
	return event->kind != PEAT_EVENT_DATA || is_wanted_sample(run, event);
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Beyond what each line says anyway. */
#define HEAD (PEAT_SAMPLE_IDS | PEAT_SAMPLE_PERIOD | PEAT_SAMPLE_RAW | PEAT_SAMPLE_IP)

/* perf adds it, for the records that come with it: it has no samples. */
static bool is_dummy(const struct peat_schema *type)
{
	return !strncmp(peat_schema__name(type), "dummy", strlen("dummy"));
}

/* The one event that will be printed, in columns; NULL: several, or what columns cannot show. */
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

/* With the first event: what it is decides on the columns, and by then the clock is known. */
static int begin(struct replay_run *run, const struct peat_event *event)
{
	struct peat_sink_opts opts = {
		.sz = sizeof(opts),
		.columns = only_type(run, event),
		.no_heading = run->options->quiet,
		.seconds = true,
	};

	if (run->options->timestamps && peat_reader__wall_clock(run->reader, &opts.wall_clock_ns)) {
		cli__complain(
			"-T: this recording does not say what time of day it was; perf record "
			"-k CLOCK_MONOTONIC would have");
		return -EOPNOTSUPP;
	}
	run->has_begun = true;
	return output__begin(&run->output, run->options->json, &opts);
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
	return stop__is_asked() || has_enough(run);
}

/* What there is at once: 0 or a negative errno. */
static int pump(struct replay_run *run)
{
	const struct peat_event *event;
	int more, err = 0;

	while (!err && !is_over(run) && (more = peat_reader__next(run->reader, &event)))
		err = more < 0 ? more : print_event(run, event);
	return err;
}

/* What was read of a pipe cannot be read again: it is printed, though somebody wants it to end. */
static int print_held(struct replay_run *run)
{
	const struct peat_event *event;
	int more, err = 0;

	peat_reader__flush(run->reader);
	while (!err && !has_enough(run) && (more = peat_reader__next(run->reader, &event)))
		err = more < 0 ? more : print_event(run, event);
	return err;
}

/* To the end, which is no error. */
static int replay(struct replay_run *run)
{
	int err = 0;

	while (!err && !is_over(run)) {
		err = peat_reader__wait(run->reader, 0);
		if (!err) { /* a pipe's writer takes its time */
			output__flush(&run->output);
			output__look_for_closed_pipe(&run->output);
			err = run->output.err ? 0 : peat_reader__wait(run->reader, -1);
		}
		if (err >= 0)
			err = pump(run);
		else if (err == -EINTR || err == -ECANCELED)
			err = 0;
	}
	if (!err && stop__is_asked())
		err = print_held(run);
	output__flush(&run->output);
	return err == -ENODATA ? 0 : err;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static void complain_of_names(const struct replay_run *run)
{
	const struct options *options = run->options;

	for (size_t i = 1; i < options->name_count; i++)
		if (*options->names[i] != '@' && !run->matched[i])
			cli__complain(
				"no sample is of an event '%s'; peat replay --stats has those "
				"there are",
				options->names[i]);
}

static void summarize(const struct replay_run *run)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (peat_reader__stats(run->reader, &stats))
		return;
	cli__complain("%llu events, %llu lost", (unsigned long long)run->printed,
		      (unsigned long long)stats.lost);
	if (stats.late)
		cli__complain("%llu late: younger events were printed before them%s",
			      (unsigned long long)stats.late,
			      stats.hurried ? ", as more had to wait than --memory has room for"
					    : "");
	if (stats.corrupt)
		cli__complain("%llu records made no sense", (unsigned long long)stats.corrupt);
	if (stats.unknown)
		cli__complain(
			"%llu records were skipped: nobody knows their type, or whose they are",
			(unsigned long long)stats.unknown);
	complain_of_names(run);
}

static int print_events(struct replay_run *run)
{
	const struct options *options = run->options;
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
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
	stop__catch(); /* not before: a pipe's header may be long in coming */
	stop__breaks(run->reader);
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
	failed = output__close(&run.output);
	stop__breaks(NULL);
	peat_reader__free(run.reader);
	return status ? status : failed;
}

/* A reader that closes the pipe has seen enough. */
static int status_of(int err)
{
	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

static const char doc[] =
	"Prints the events of a perf.data, whichever program wrote it: a file, the directory that "
	"perf record --threads makes, or - for standard input.  Of one that is cut or damaged all "
	"is printed that is whole, and the exit status is 1.\v"
	"EVENT: samples of this event alone (a pattern will do: 'sched:*').  @KIND: other records "
	"too: @task @comm @mmap @switch @namespaces @cgroup @ksymbol @bpf @textpoke @other, @tool "
	"of perf itself, @sample all samples, or @all.";

/* A directory may have a file for each CPU, and by itself a process may open 1024. */
static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit); /* if not, the reader says what it lacks */
}

int replay_main(int argc, char **argv)
{
	struct options options;

	options__parse(&options, VERB_REPLAY, "FILE [EVENT|@KIND...]", doc, argc, argv);
	cli__show_messages(options.verbose);
	allow_many_files();
	if (!options.stats && !options.header)
		return replay__events(&options);
	if (options.name_count > 1) {
		cli__complain("--stats and --header are of a whole recording, and of one");
		return EXIT_USAGE;
	}
	if (options.stats)
		return status_of(
			peat_recording__write_stats(options.names[0], STDOUT_FILENO, options.json));
	return status_of(
		peat_recording__write_header(options.names[0], STDOUT_FILENO, options.json));
}
