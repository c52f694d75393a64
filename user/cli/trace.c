// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* trace.c: peat trace: a probe's events, a line each, while they happen. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"
#include "probe.h"
#include "report.h"

struct run {
	const struct options *options;
	const struct probe *probe;
	struct peat_session *session;
	struct peat_reader *reader;
	FILE *out;
	int write_error;       /* an errno, once writing failed */
	uint64_t printed;      /* events */
	int64_t wall_clock_ns; /* what to add to CLOCK_MONOTONIC for the time of day */
	int64_t started_ns;
};

/* ---- signals --------------------------------------------------------------------------------- */

static volatile sig_atomic_t stop_asked;
static struct peat_reader *volatile reader_to_break;

static void on_signal(int number)
{
	(void)number;
	stop_asked = 1;
	if (reader_to_break)
		peat_reader__break(reader_to_break);
}

static void catch_signals(void)
{
	struct sigaction stop = { .sa_handler = on_signal }, ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

/* ---- time ------------------------------------------------------------------------------------ */

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void print_time(FILE *out, int64_t wall_ns)
{
	time_t seconds = wall_ns / 1000000000;
	struct tm tm;
	char text[16];

	strftime(text, sizeof(text), "%T", localtime_r(&seconds, &tm));
	fprintf(out, "%s.%06d ", text, (int)(wall_ns % 1000000000 / 1000));
}

/* ---- output ---------------------------------------------------------------------------------- */

static void note_write_error(struct run *run)
{
	if (ferror(run->out) && !run->write_error)
		run->write_error = errno ? errno : EIO;
}

static void flush(struct run *run)
{
	if (!run->write_error && fflush(run->out))
		run->write_error = errno;
}

static void print_head(struct run *run)
{
	if (run->options->timestamps)
		fprintf(run->out, "%-15s ", "TIME");
	run->probe->view->print_head(run->out);
	fputc('\n', run->out);
	flush(run);
}

static void print_event(struct run *run, const struct peat_event *event)
{
	if (run->options->timestamps)
		print_time(run->out, (int64_t)event->time_ns + run->wall_clock_ns);
	run->probe->view->print(run->out, event);
	fputc('\n', run->out);
	note_write_error(run);
	run->printed++;
}

/* A pipe whose other end was closed says so at the next write, which may be long in coming. */
static void look_for_closed_pipe(struct run *run)
{
	struct pollfd fd = { .fd = fileno(run->out) };

	if (poll(&fd, 1, 0) > 0 && (fd.revents & POLLERR))
		run->write_error = EPIPE;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool is_over(const struct run *run)
{
	return stop_asked || run->write_error || run->printed >= run->options->count;
}

/* Prints what is in the rings: 0, or a negative errno. */
static int pump(struct run *run)
{
	const struct peat_event *event;
	int more = 1;

	while (more > 0 && !run->write_error && run->printed < run->options->count) {
		more = peat_reader__next(run->reader, &event);
		if (more > 0 && event->kind == PEAT_EVENT_DATA)
			print_event(run, event);
	}
	flush(run);
	return more < 0 ? more : 0;
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
		look_for_closed_pipe(run);
	}
	return err;
}

static int start(struct run *run)
{
	const struct options *options = run->options;
	struct peat_channel_opts channel_opts = PEAT_CHANNEL_OPTS_INIT;
	struct peat_session_opts session_opts = {
		.sz = sizeof(session_opts),
		.object = run->probe->object,
		.object_bytes = run->probe->object_bytes,
		.name = run->probe->name,
		.pid = options->pid,
		.comm = options->comm,
		.cpus = options->cpus,
		.channel = &channel_opts,
		.measure = options->verbose,
	};
	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;

	channel_opts.max_rate = options->max_rate;
	if (!options->latency_ms)
		channel_opts.batch_bytes = 0;
	reader_opts.latency_ms = options->latency_ms;
	reader_opts.memory_bytes = options->memory_bytes;
	reader_opts.cpus = options->cpus;
	run->session = peat_session__new(&session_opts);
	if (!run->session || peat_session__start(run->session, &reader_opts))
		return -errno;
	run->reader = peat_session__reader(run->session);
	reader_to_break = run->reader;
	run->started_ns = now_ns(CLOCK_MONOTONIC);
	run->wall_clock_ns = now_ns(CLOCK_REALTIME) - run->started_ns;
	return 0;
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

static int trace(struct run *run)
{
	double seconds;
	int err = start(run);

	if (err)
		return err;
	if (!run->options->quiet)
		print_head(run);
	err = follow(run);
	seconds = (double)(now_ns(CLOCK_MONOTONIC) - run->started_ns) / 1e9;
	peat_session__stop(run->session);
	if (!err)
		err = pump(run);
	if (!run->options->quiet)
		summarize(run, seconds);
	return err;
}

static void end(struct run *run)
{
	reader_to_break = NULL;
	peat_session__free(run->session);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static const struct probe *find_probe(const char *name)
{
	const struct probe *probe = probe__find(name);

	if (probe)
		return probe;
	cli__complain("there is no probe '%s'; there are:", name);
	for (size_t i = 0; (probe = probe__at(i)); i++)
		fprintf(stderr, "  %-10s %s\n", probe->name, probe->view->summary);
	return NULL;
}

static FILE *open_output(const char *path)
{
	FILE *out = path ? fopen(path, "we") : stdout;

	if (!out)
		cli__complain("cannot write to %s: %m", path);
	return out;
}

/* A reader that went away is no failure; what could not be written is. */
static int report_output(struct run *run, const char *path)
{
	if (run->out != stdout && fclose(run->out) && !run->write_error)
		run->write_error = errno;
	if (!run->write_error || run->write_error == EPIPE)
		return 0;
	cli__complain("cannot write to %s: %s", path ? path : "stdout", strerror(run->write_error));
	return EXIT_FAILED;
}

int trace_main(int argc, char **argv)
{
	struct options options;
	struct run run = { .options = &options };
	int err, failed;

	options__parse(
		&options, "trace",
		"Prints the events of PROBE as they happen.\v"
		"Ends with SIGINT (Ctrl-C), SIGTERM, -d or -n, or when the output is closed. "
		"Events go to standard output, everything else to standard error.",
		argc, argv);
	cli__show_messages(options.verbose);
	run.probe = find_probe(options.name);
	if (!run.probe)
		return EXIT_USAGE;
	run.out = open_output(options.output);
	if (!run.out)
		return EXIT_FAILED;
	catch_signals();
	err = trace(&run);
	end(&run);
	failed = report_output(&run, options.output);
	return err ? EXIT_FAILED : failed;
}
