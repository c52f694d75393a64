// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* run.c: a session from its start to its end: what trace and record have in common. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli.h"
#include "others.h"
#include "options.h"
#include "output.h"
#include "report.h"
#include "run.h"
#include "sources.h"
#include "stop.h"

/* ---- time ------------------------------------------------------------------------------------ */

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void note_loss(struct run *run, const struct peat_event *event)
{
	if (event->cpu < run->cpus)
		run->told[event->cpu] += event->lost;
}

/*
 * Probes filter by themselves; the kernel's records are of all tasks, and so are the events of
 * others' programs.  Records that come unasked, such as those of throttling, are not shown.
 */
static bool is_wanted(const struct options *options, const struct peat_event *event)
{
	bool is_record = event->kind == PEAT_EVENT_RECORD;

	if (event->kind == PEAT_EVENT_LOST || (!is_record && !options->map_count))
		return true;
	if ((is_record && !event->schema) || (options->pid && event->pid != options->pid) ||
	    (options->tid && event->tid != options->tid))
		return false;
	return !options->comm || (event->comm && !strcmp(event->comm, options->comm));
}

/* A record of the kinds that were asked for, not one that the sink wants to have. */
static bool is_asked_for(const struct run *run, const struct peat_event *event)
{
	const struct peat_schema *schema;

	for (uint32_t kind = 1; event->schema && kind <= run->kinds; kind <<= 1)
		for (uint32_t i = 0;
		     kind & run->kinds && (schema = peat_kind__schema((enum peat_kind)kind, i));
		     i++)
			if (schema == event->schema)
				return true;
	return false;
}

static void print_event(struct run *run, const struct peat_event *event)
{
	bool wanted = is_wanted(run->options, event);

	if (run->ops->kinds && event->kind == PEAT_EVENT_RECORD)
		wanted = wanted && is_asked_for(run, event);
	if (!wanted && !(run->ops->kinds && event->kind == PEAT_EVENT_RECORD))
		return;
	if (event->kind == PEAT_EVENT_LOST)
		note_loss(run, event);
	else
		run->printed += wanted;
	output__write(&run->output, event);
}

/*
 * A gap tells of what was lost before an event that came.  What was lost after the last one, or
 * never got a number, only the ledger knows.
 */
static void print_other_losses(struct run *run)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	for (uint32_t cpu = 0; cpu < run->cpus && run->output.sink && !run->output.err; cpu++) {
		struct peat_event event = { .kind = PEAT_EVENT_LOST, .cpu = cpu };
		uint64_t lost;

		if (peat_reader__ledger(run->reader, cpu, &ledger))
			return;
		lost = peat_ledger__lost(&ledger);
		if (lost <= run->told[cpu])
			continue;
		event.time_ns = (uint64_t)now_ns(CLOCK_MONOTONIC);
		event.lost = lost - run->told[cpu];
		print_event(run, &event);
	}
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool is_over(const struct run *run)
{
	return stop__is_asked() || run->is_full || run->output.err ||
	       run->printed >= run->options->count;
}

/* Prints what is in the rings: 0, or a negative errno. */
static int pump(struct run *run)
{
	const struct peat_event *event;
	int more = 1;

	while (more > 0 && !run->output.err && run->printed < run->options->count) {
		more = peat_reader__next(run->reader, &event);
		if (more > 0)
			print_event(run, event);
	}
	if (more >= 0)
		more = run->ops->pause(run);
	return more;
}

/* What is left of --duration, for peat_reader__wait(): -1 when there is no end. */
static int timeout_ms(const struct run *run)
{
	uint64_t passed_ms = (uint64_t)(now_ns(CLOCK_MONOTONIC) - run->started_ns) / 1000000;
	uint64_t left_ms;

	if (run->options->run_ms == UINT64_MAX)
		return -1;
	left_ms = passed_ms < run->options->run_ms ? run->options->run_ms - passed_ms : 0;
	return left_ms < 3600 * 1000 ? (int)left_ms : 3600 * 1000;
}

static int follow(struct run *run)
{
	int err = 0, left_ms;

	while (!err && !is_over(run) && (left_ms = timeout_ms(run))) {
		err = peat_reader__wait(run->reader, left_ms);
		if (err >= 0)
			err = pump(run);
		else if (err == -EINTR || err == -ECANCELED)
			err = 0;
		output__look_for_closed_pipe(&run->output);
	}
	return err;
}

/* One list of all that --if says; NULL: it says nothing, or there is no memory. */
static char *join_interfaces(const struct options *options)
{
	char *list = NULL, *longer;

	for (size_t i = 0; i < options->interface_count; i++) {
		if (asprintf(&longer, "%s%s%s", list ? list : "", list ? "," : "",
			     options->interfaces[i]) < 0)
			longer = NULL;
		free(list);
		if (!longer)
			return NULL;
		list = longer;
	}
	return list;
}

static struct peat_session *new_session(const struct options *options)
{
	struct peat_channel_opts channel_opts = PEAT_CHANNEL_OPTS_INIT;
	char *interfaces = join_interfaces(options);
	struct peat_session *session;
	struct peat_session_opts opts = {
		.sz = sizeof(opts),
		.pid = options->pid,
		.tid = options->tid,
		.uid = options->uid,
		.by_uid = options->by_uid,
		.measure = options->verbose,
		.best_effort = options->best_effort,
		.comm = options->comm,
		.cpus = options->cpus,
		.cgroup = options->cgroup,
		.interfaces = interfaces,
		.channel = &channel_opts,
	};

	channel_opts.max_rate = options->max_rate;
	if (!options->latency_ms)
		channel_opts.batch_bytes = 0;
	session = interfaces || !options->interface_count ? peat_session__new(&opts) : NULL;
	free(interfaces);
	return session;
}

/* The session, with all that was named; 0 or an exit status. */
static int prepare(struct run *run, uint32_t *kinds)
{
	const struct options *options = run->options;
	int status;

	run->session = new_session(options);
	if (!run->session)
		return EXIT_FAILED;
	status = sources__add(run->session, options->names, options->name_count, kinds);
	if (!status)
		status = sources__set(run->session, options->sets, options->set_count);
	if (!status)
		status = sources__name_events(run->session, options->types, options->type_count);
	if (!status)
		status = sources__leave_out(run->session, options->left_out,
					    options->left_out_count);
	if (!status)
		status = others__add(run->session, options);
	if (!status && options->pin && peat_session__pin(run->session, options->pin))
		status = EXIT_FAILED;
	if (status || !*kinds || (!options->by_uid && !options->cgroup))
		return status;
	cli__complain("the kernel's records tell of no user and no cgroup: -u and --cgroup are for "
		      "probes only");
	return EXIT_USAGE;
}

/* CPU numbers have holes, so the reader says where they end.  0: there is no ledger. */
static uint32_t count_ledgers(const struct peat_reader *reader)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	uint32_t count = 0;

	while (!peat_reader__ledger(reader, count, &ledger))
		count++;
	return count;
}

static int start(struct run *run, uint32_t kinds)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	int err;

	run->kinds = kinds;
	opts.latency_ms = run->options->latency_ms;
	opts.memory_bytes = run->options->memory_bytes;
	opts.cpus = run->options->cpus;
	opts.kinds = kinds | run->ops->kinds;
	opts.names = true;
	opts.ordered = run->options->ordered || run->ops->ordered;
	opts.sample = run->options->sample;
	err = peat_session__start(run->session, &opts);
	if (err)
		return err;
	run->reader = peat_session__reader(run->session);
	run->cpus = count_ledgers(run->reader);
	run->told = calloc(run->cpus + 1, sizeof(*run->told));
	if (!run->told)
		return -ENOMEM;
	stop__breaks(run->reader);
	if (!run->options->quiet)
		report__arrays(run->session);
	run->started_ns = now_ns(CLOCK_MONOTONIC);
	return run->ops->open_sink(run, kinds);
}

static void summarize(const struct run *run, double seconds)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (peat_reader__stats(run->reader, &stats)) {
		cli__complain("%llu events in %.2f s; what was lost cannot be read: %m",
			      (unsigned long long)run->printed, seconds);
		return;
	}
	cli__complain("%llu events in %.2f s, %llu lost", (unsigned long long)run->printed, seconds,
		      (unsigned long long)stats.lost);
	if (stats.late)
		cli__complain("%llu late: younger events were printed before them%s",
			      (unsigned long long)stats.late,
			      stats.hurried ? ", as more had to wait than --memory has room for"
					    : "");
	if (stats.corrupt)
		cli__complain("%llu records made no sense", (unsigned long long)stats.corrupt);
	if (stats.lost || run->options->verbose)
		report__ledger(run->reader);
	if (!run->options->verbose)
		return;
	report__programs(run->session);
	cli__complain("%llu records in %llu rounds from %u rings of %llu bytes",
		      (unsigned long long)stats.records, (unsigned long long)stats.rounds,
		      stats.rings, (unsigned long long)stats.ring_bytes);
}

/* Until something happens a person sees nothing else; the heading comes with the first events. */
static void say_hello(const struct run *run)
{
	if (!run->options->quiet && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO))
		cli__complain("tracing; Ctrl-C ends it");
}

static int trace(struct run *run, uint32_t kinds)
{
	double seconds;
	int err = start(run, kinds), finished;

	if (err)
		return err;
	say_hello(run);
	child__go(&run->child);
	err = follow(run);
	seconds = (double)(now_ns(CLOCK_MONOTONIC) - run->started_ns) / 1e9;
	peat_session__stop(run->session);
	run->is_ending = true;
	if (!err)
		err = pump(run);
	print_other_losses(run);
	finished = run->ops->finish(run);
	if (!err)
		err = finished;
	if (!run->options->quiet)
		summarize(run, seconds);
	return err;
}

static void end(struct run *run)
{
	stop__breaks(NULL);
	peat_session__free(run->session);
	free(run->told);
}

static int prepare_command(struct run *run, char **command)
{
	int err;

	if (command && !*command) {
		cli__complain("-- is for a command that is to be run: there is none behind it");
		return EXIT_USAGE;
	}
	err = child__prepare(&run->child, command, run->owns_stdout);
	if (err)
		cli__complain("cannot make a process: %s", strerror(-err));
	return err ? EXIT_FAILED : 0;
}

int run__all(struct run *run, const struct options *options, char **command)
{
	int status, failed, commands;
	uint32_t kinds;

	run->options = options;
	cli__show_messages(options->verbose);
	if (output__open(&run->output, options->output))
		return EXIT_FAILED;
	stop__catch();
	status = others__check_options(options) ?: prepare(run, &kinds);
	if (!status)
		status = prepare_command(run, command);
	if (!status && trace(run, kinds))
		status = EXIT_FAILED;
	commands = child__end(&run->child);
	failed = output__close(&run->output);
	end(run);
	return status ? status : failed ? failed : commands;
}
