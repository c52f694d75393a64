// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder.c: peat record: events into a perf.data, or several. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"
#include "run.h"

#define DEFAULT_PATH "perf.data"

/* Beside what is asked for: by which perf knows whose an event is. */
#define SIDE (PEAT_KIND_TASK | PEAT_KIND_COMM | PEAT_KIND_MMAP)

/* How often a person is told how it goes. */
#define PROGRESS_MS 1000

struct recorder {
	struct run run; /* the first member */
	const char *const *args;
	const char *path; /* what -o says; NULL: standard output */
	char *current;	  /* the file's */
	uint32_t number;  /* of it, of several */
	uint64_t begun_ms, flushed_ms, told_ms;
	uint64_t told_events, told_bytes; /* when progress was told last */
	uint64_t past_bytes, past_lost;	  /* of recordings before this one */
	bool has_progress;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static struct peat_perf_stats stats_of(const struct recorder *recorder)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };

	if (recorder->run.output.sink && peat_perf__stats(recorder->run.output.sink, &stats))
		memset(&stats, 0, sizeof(stats));
	return stats;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* As perf does: what was recorded before is not lost by mistake, but for the one before that. */
static int keep_old(const char *path)
{
	struct stat status;
	char *old;
	int err = 0;

	if (stat(path, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return 0;
	if (asprintf(&old, "%s.old", path) < 0)
		return -ENOMEM;
	if (rename(path, old)) {
		err = -errno;
		cli__complain("cannot rename %s to %s: %m", path, old);
	}
	free(old);
	return err;
}

static bool is_split(const struct options *options)
{
	return options->switch_bytes != UINT64_MAX || options->switch_ms != UINT64_MAX;
}

static int open_file(struct recorder *recorder)
{
	struct output *output = &recorder->run.output;

	free(recorder->current);
	recorder->current = NULL;
	output->name = NULL;
	if (!recorder->path)
		return 0;
	output->fd = -1;
	if (!is_split(recorder->run.options))
		recorder->current = strdup(recorder->path);
	else if (asprintf(&recorder->current, "%s.%u", recorder->path, ++recorder->number) < 0)
		recorder->current = NULL;
	if (!recorder->current)
		return -ENOMEM;
	output->name = recorder->current;
	if (keep_old(recorder->current))
		return -EEXIST;
	output->fd = open(recorder->current, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (output->fd >= 0)
		return 0;
	cli__complain("cannot write to %s: %m", recorder->current);
	return -errno;
}

/* ---- one recording --------------------------------------------------------------------------- */

static int open_sink(struct run *run, uint32_t kinds)
{
	struct recorder *recorder = (struct recorder *)run;
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;
	int err = open_file(recorder);

	(void)kinds;
	if (err)
		return err;
	opts.level = run->options->level;
	opts.args = recorder->args;
	run->output.sink = peat_sink__new_perf(run->reader, run->output.fd, &opts);
	recorder->begun_ms = recorder->flushed_ms = now_ms();
	if (run->output.sink)
		return 0;
	if (errno != EPIPE)
		return -errno;
	run->output.err = -EPIPE; /* which ends the run, quietly */
	return 0;
}

static void close_file(struct recorder *recorder)
{
	struct output *output = &recorder->run.output;
	struct peat_perf_stats stats;

	output__finish(output);
	stats = stats_of(recorder);
	recorder->past_bytes += stats.bytes;
	recorder->past_lost += stats.lost;
	peat_sink__free(output->sink);
	output->sink = NULL;
	if (!recorder->path || output->fd < 0)
		return;
	if (close(output->fd) && !output->err)
		output->err = -errno;
	output->fd = STDOUT_FILENO;
}

/* ---- while it grows -------------------------------------------------------------------------- */

/* Sizes as people read them. */
static void append_size(char *text, size_t room, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	double size = (double)bytes;
	size_t unit = 0;

	for (; size >= 1024 && unit < 4; unit++)
		size /= 1024;
	snprintf(text, room, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

static void tell_progress(struct recorder *recorder, const struct peat_perf_stats *stats,
			  uint64_t passed_ms)
{
	uint64_t events = recorder->run.printed, bytes = recorder->past_bytes + stats->bytes;
	struct peat_reader_stats reader = { .sz = sizeof(reader) };
	char rate[32], size[32];

	if (peat_reader__stats(recorder->run.reader, &reader))
		return;
	append_size(rate, sizeof(rate), (bytes - recorder->told_bytes) * 1000 / passed_ms);
	append_size(size, sizeof(size), bytes);
	fprintf(stderr, "\r\033[K%llu events/s, %s/s, %s, %llu lost",
		(unsigned long long)((events - recorder->told_events) * 1000 / passed_ms), rate,
		size, (unsigned long long)(reader.lost + recorder->past_lost + stats->lost));
	recorder->has_progress = true;
	recorder->told_events = events;
	recorder->told_bytes = bytes;
}

static void show_progress(struct recorder *recorder, const struct peat_perf_stats *stats)
{
	uint64_t passed_ms = now_ms() - recorder->told_ms;

	if (recorder->run.options->quiet || !isatty(STDERR_FILENO) || passed_ms < PROGRESS_MS)
		return;
	if (recorder->told_ms)
		tell_progress(recorder, stats, passed_ms);
	recorder->told_ms = now_ms();
}

static bool is_time_for_another(const struct recorder *recorder,
				const struct peat_perf_stats *stats)
{
	const struct options *options = recorder->run.options;

	return stats->bytes >= options->switch_bytes ||
	       (options->switch_ms != UINT64_MAX &&
		now_ms() - recorder->begun_ms >= options->switch_ms);
}

/* What waits for a file to be written is in the rings meanwhile. */
static int pause_run(struct run *run)
{
	struct recorder *recorder = (struct recorder *)run;
	struct peat_perf_stats stats;

	if (now_ms() - recorder->flushed_ms < run->options->latency_ms)
		return 0;
	output__flush(&run->output);
	recorder->flushed_ms = now_ms();
	stats = stats_of(recorder);
	show_progress(recorder, &stats);
	if (recorder->past_bytes + stats.bytes >= run->options->max_bytes)
		run->is_full = true;
	if (run->is_full || run->output.err || run->is_ending ||
	    !is_time_for_another(recorder, &stats))
		return 0;
	close_file(recorder);
	return open_sink(run, 0);
}

static int finish(struct run *run)
{
	struct recorder *recorder = (struct recorder *)run;
	char size[32];

	close_file(recorder);
	if (recorder->has_progress)
		fputs("\r\033[K", stderr);
	if (run->options->quiet)
		return 0;
	append_size(size, sizeof(size), recorder->past_bytes);
	if (recorder->past_lost)
		cli__complain("%llu more lost: they came faster than they could be written",
			      (unsigned long long)recorder->past_lost);
	if (recorder->number > 1)
		cli__complain("%s in %s.1 to %s.%u", size, recorder->path, recorder->path,
			      recorder->number);
	else
		cli__complain("%s in %s", size,
			      recorder->current ? recorder->current : "standard output");
	return 0;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static const struct run_ops ops = {
	.open_sink = open_sink,
	.pause = pause_run,
	.finish = finish,
	.kinds = SIDE,
	.ordered = true,
};

static const char doc[] =
	"Records the events of each SOURCE, as for peat trace, into a perf.data that stock perf "
	"decodes: perf script, perf report -s FIELD, peat replay.  It is one at every moment, "
	"whatever happens to peat.\v"
	"Ends with SIGINT (Ctrl-C), SIGTERM, -d or -n, or with COMMAND, which is run meanwhile and "
	"whose status is peat's then.";

/* -o is where recordings go, not what run.c opens. */
static int take_output(struct recorder *recorder, struct options *options)
{
	const char *path = options->output ? options->output : DEFAULT_PATH;

	options->output = NULL;
	recorder->path = strcmp(path, "-") ? path : NULL;
	recorder->run.owns_stdout = !recorder->path;
	if (recorder->path)
		return 0;
	if (isatty(STDOUT_FILENO)) {
		cli__complain(
			"a recording is nothing for a terminal: -o FILE, or | perf script -i -");
		return EXIT_USAGE;
	}
	if (!is_split(options))
		return 0;
	cli__complain("--switch-output needs a FILE");
	return EXIT_USAGE;
}

int record_main(int argc, char **argv)
{
	struct options options;
	struct recorder recorder = { .run.ops = &ops };
	char **args = calloc((size_t)argc + 1, sizeof(*args)), **command;
	int status;

	if (!args)
		return EXIT_FAILED;
	memcpy(args, argv, (size_t)argc * sizeof(*args));
	recorder.args = (const char *const *)args;
	command = options__cut_command(&argc, argv);
	options__parse(&options, VERB_RECORD,
		       "SOURCE... [-- COMMAND...]\n--map=MAP [-- COMMAND...]", doc, argc, argv);
	status = take_output(&recorder, &options);
	if (!status)
		status = run__all(&recorder.run, &options, command);
	free(recorder.current);
	free(args);
	return status;
}
