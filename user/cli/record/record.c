// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record.c: peat record: records events to one perf.data or several. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/record/dump_request.h"
#include "cli/record/flight.h"
#include "cli/base/messages.h"
#include "cli/options/options.h"
#include "cli/base/new_file.h"
#include "cli/base/progress.h"
#include "cli/base/size_text.h"
#include "cli/run/run.h"
#include "cli/run/summary.h"
#include "cli/run/timeline.h"
#include "cli/record/written_files.h"

/* Records added to the requested ones: perf needs them to name the task of an event. */
#define SIDE (PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM | PEAT_SIDE_BAND_MMAP)

/* Bytes of a sample beside its event, at least: its header, type, time and ids. */
#define SAMPLE_LEAST 32

/* Interval of the progress line. */
#define PROGRESS_MS 1000

struct recorder {
	struct run run; /* the first member */
	const char *const *args;
	const char *path;	      /* of -o; NULL: standard output */
	char *current;		      /* path of the current file */
	struct written_files written; /* of --switch-max-files */
	uint32_t number;	      /* of the current file, with --switch-output */
	uint64_t begun_bytes;	      /* of the current file, before its first event */
	uint64_t begun_records;	      /* of the kernel, likewise */
	uint64_t opened_ms, flushed_ms, progress_ms;
	uint64_t progress_events, progress_bytes;	   /* at the last progress line */
	uint64_t past_bytes, past_lost, past_lost_records; /* of the files before the current one */
	uint64_t unwritten;				   /* events that were written to no file */
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

	if (recorder->run.output.sink && peat_sink__perf_stats(recorder->run.output.sink, &stats))
		memset(&stats, 0, sizeof(stats));
	return stats;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_split(const struct options *options)
{
	return options->recording.switch_bytes != UINT64_MAX ||
	       options->recording.switch_ms != UINT64_MAX;
}

static bool removes_files(const struct recorder *recorder)
{
	return recorder->run.options->recording.switch_files != UINT64_MAX;
}

static int open_file(struct recorder *recorder)
{
	struct output *output = &recorder->run.output;
	struct stat status;

	free(recorder->current);
	recorder->current = NULL;
	output->name = NULL;
	if (!recorder->path)
		return 0;
	if (is_split(recorder->run.options))
		recorder->number++;
	output->fd = new_file__open(recorder->path, recorder->number, &recorder->current);
	output->name = recorder->current;
	if (output->fd < 0)
		return output->fd;
	output->is_file = !fstat(output->fd, &status) && S_ISREG(status.st_mode);
	return removes_files(recorder) ? written_files__add(&recorder->written, output->fd) : 0;
}

/* The number of the oldest file that --switch-max-files keeps. */
static uint32_t oldest_kept(const struct recorder *recorder)
{
	uint64_t files = recorder->run.options->recording.switch_files;

	return recorder->number > files ? recorder->number - (uint32_t)files + 1 : 1;
}

/* Removes the file that the current one replaces.  The user may have moved or replaced it. */
static int remove_oldest(struct recorder *recorder)
{
	uint32_t number = oldest_kept(recorder) - 1;
	char *path;
	int err;

	if (!number)
		return 0;
	if (asprintf(&path, "%s.%u", recorder->path, number) < 0)
		return -ENOMEM;
	err = written_files__remove_oldest(&recorder->written, path);
	if (err == -EBUSY)
		messages__print("%s is not removed for --switch-max-files: another file has "
				"replaced the one that this run wrote",
				path);
	else if (err)
		messages__print("cannot remove %s for --switch-max-files: %s", path,
				strerror(-err));
	free(path);
	return err == -EBUSY ? 0 : err;
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
	opts.level = run->options->recording.level;
	opts.args = recorder->args;
	run->output.sink = peat_sink__new_perf(run->reader, run->output.fd, &opts);
	recorder->opened_ms = recorder->flushed_ms = now_ms();
	recorder->begun_bytes = stats_of(recorder).bytes;
	recorder->begun_records = stats_of(recorder).records;
	if (run->output.sink)
		return 0;
	if (errno != EPIPE)
		return -errno;
	run->output.err = -EPIPE; /* ends the run without a message */
	return 0;
}

/* The summary has the events in the files.  Records count if they were requested. */
static void count_unwritten(struct recorder *recorder, const struct peat_perf_stats *stats)
{
	uint64_t count =
		stats->unwritten + (recorder->run.side_band ? stats->unwritten_records : 0);

	if (count > recorder->run.printed)
		count = recorder->run.printed;
	recorder->run.printed -= count;
	recorder->unwritten += count;
}

static void close_file(struct recorder *recorder)
{
	struct output *output = &recorder->run.output;
	struct peat_perf_stats stats;

	output__finish(output);
	stats = stats_of(recorder);
	recorder->past_bytes += stats.bytes;
	recorder->past_lost += stats.lost;
	recorder->past_lost_records += stats.lost_records;
	count_unwritten(recorder, &stats);
	peat_sink__free(output->sink);
	output->sink = NULL;
	if (!recorder->path || output->fd < 0)
		return;
	if (close(output->fd) && !output->err)
		output->err = -errno;
	output->fd = STDOUT_FILENO;
}

/* ---- progress and limits --------------------------------------------------------------------- */

static void print_progress(struct recorder *recorder, const struct peat_perf_stats *stats,
			   uint64_t passed_ms)
{
	uint64_t events = recorder->run.printed, bytes = recorder->past_bytes + stats->bytes;
	struct peat_reader_stats reader = { .sz = sizeof(reader) };
	char rate[32], size[32], text[256];

	if (peat_reader__stats(recorder->run.reader, &reader))
		return;
	size_text__format(rate, sizeof(rate),
			  (bytes - recorder->progress_bytes) * 1000 / passed_ms);
	size_text__format(size, sizeof(size), bytes);
	snprintf(text, sizeof(text), "%llu events/s, %s/s, %s, %llu lost%s",
		 (unsigned long long)((events - recorder->progress_events) * 1000 / passed_ms),
		 rate, size, (unsigned long long)(reader.lost + recorder->past_lost + stats->lost),
		 summary__skipped(&reader));
	progress__show(text);
	recorder->progress_events = events;
	recorder->progress_bytes = bytes;
}

static void show_progress(struct recorder *recorder, const struct peat_perf_stats *stats)
{
	uint64_t passed_ms = now_ms() - recorder->progress_ms;

	if (passed_ms < PROGRESS_MS)
		return;
	if (recorder->progress_ms)
		print_progress(recorder, stats, passed_ms);
	else
		progress__begin(recorder->run.options->output.quiet);
	recorder->progress_ms = now_ms();
}

/* The size of the current file.  Queued events count, unless they will be compressed. */
static uint64_t file_bytes(const struct recorder *recorder, const struct peat_perf_stats *stats)
{
	uint64_t queued_too = recorder->begun_bytes + stats->raw_bytes;

	return recorder->run.options->recording.level || stats->bytes > queued_too ? stats->bytes
										   : queued_too;
}

/* No event yet.  Records count if they were requested. */
static bool is_empty(const struct recorder *recorder, const struct peat_perf_stats *stats)
{
	return !stats->events &&
	       (!recorder->run.side_band || stats->records == recorder->begun_records);
}

/*
 * A file names the machine and its BPF programs, which may take more than the limit alone.  Half of
 * the limit is left to events: otherwise each would get a file of its own.
 */
static uint64_t switch_bytes(const struct recorder *recorder)
{
	uint64_t limit = recorder->run.options->recording.switch_bytes;
	uint64_t least = recorder->begun_bytes + limit / 2;

	return limit > least ? limit : least;
}

static bool is_switch_due(const struct recorder *recorder, const struct peat_perf_stats *stats)
{
	const struct options *options = recorder->run.options;

	return (file_bytes(recorder, stats) >= switch_bytes(recorder) &&
		!is_empty(recorder, stats)) ||
	       (options->recording.switch_ms != UINT64_MAX &&
		now_ms() - recorder->opened_ms >= options->recording.switch_ms);
}

/* The rings buffer events while a file is being switched. */
static int apply_limits(struct recorder *recorder, const struct peat_perf_stats *stats)
{
	struct run *run = &recorder->run;
	int err;

	if (recorder->past_bytes + file_bytes(recorder, stats) >= run->options->recording.max_bytes)
		run->is_full = true;
	if (run->is_full || run->output.err || run->is_ending || !is_switch_due(recorder, stats))
		return 0;
	close_file(recorder);
	err = open_sink(run, 0);
	return err ? err : remove_oldest(recorder);
}

static int pause_run(struct run *run)
{
	struct recorder *recorder = (struct recorder *)run;
	struct peat_perf_stats stats;

	if (now_ms() - recorder->flushed_ms < run->options->limits.latency_ms)
		return 0;
	output__flush(&run->output);
	recorder->flushed_ms = now_ms();
	stats = stats_of(recorder);
	show_progress(recorder, &stats);
	return apply_limits(recorder, &stats);
}

static bool has_size_limit(const struct options *options)
{
	return options->recording.max_bytes != UINT64_MAX ||
	       options->recording.switch_bytes != UINT64_MAX;
}

/* Events that fit below the limits. */
static uint64_t most_of_row(const struct recorder *recorder, const struct peat_perf_stats *stats,
			    const struct peat_event *event)
{
	uint64_t used = file_bytes(recorder, stats), of_file = switch_bytes(recorder);
	uint64_t left = of_file > used ? of_file - used : 0;
	uint64_t left_of_all =
		recorder->run.options->recording.max_bytes - recorder->past_bytes - used;

	if (left_of_all < left)
		left = left_of_all;
	return left / (event->size + SAMPLE_LEAST) + 1;
}

static uint64_t write_row(struct run *run, const struct peat_event *event, uint64_t most)
{
	struct recorder *recorder = (struct recorder *)run;
	struct peat_perf_stats stats;
	uint64_t fitting;
	int64_t written;

	if (has_size_limit(run->options)) {
		stats = stats_of(recorder);
		run->output.err = apply_limits(recorder, &stats) ?: run->output.err;
		if (run->is_full || run->output.err) {
			run->unprinted++;
			return 0;
		}
		stats = stats_of(recorder);
		fitting = most_of_row(recorder, &stats, event);
		most = most < fitting ? most : fitting;
	}
	written = peat_sink__perf_write_row(run->output.sink, event,
					    most < INT64_MAX ? (int64_t)most : INT64_MAX);
	if (written >= 0)
		return (uint64_t)written;
	run->output.err = run->output.err ? run->output.err : (int)written;
	recorder->unwritten += event->kind == PEAT_EVENT_DATA;
	return 0;
}

static void print_lost(const struct recorder *recorder)
{
	if (recorder->past_lost)
		messages__print(
			"%llu more lost: they arrived faster than the file could be written",
			(unsigned long long)recorder->past_lost);
	if (recorder->past_lost_records)
		messages__print("%llu records of tasks and mappings lost: names may be missing: "
				"they arrived faster than the file could be written",
				(unsigned long long)recorder->past_lost_records);
}

static int finish_record(struct run *run)
{
	struct recorder *recorder = (struct recorder *)run;
	char size[32];

	close_file(recorder);
	progress__end();
	run->has_losses |= recorder->past_lost != 0;
	if (run->options->output.quiet)
		return 0;
	size_text__format(size, sizeof(size), recorder->past_bytes);
	print_lost(recorder);
	if (recorder->unwritten && run->output.err != -EPIPE)
		messages__print("%llu more lost: writing the recording failed",
				(unsigned long long)recorder->unwritten);
	if (oldest_kept(recorder) > 1)
		messages__print("%s written: files before %s.%u were removed, the last is %s.%u",
				size, recorder->path, oldest_kept(recorder), recorder->path,
				recorder->number);
	else if (recorder->number > 1)
		messages__print("%s in %s.1 to %s.%u", size, recorder->path, recorder->path,
				recorder->number);
	else
		messages__print("%s in %s", size,
				recorder->current ? recorder->current : "standard output");
	return 0;
}

/* ---- the verb -------------------------------------------------------------------------------- */

static const struct run_ops ops = {
	.open_sink = open_sink,
	.write = write_row,
	.pause = pause_run,
	.finish = finish_record,
	.side_band = SIDE,
	.first_by_time = true,
};

static const char doc[] =
	"Records the events of each SOURCE, as in peat trace, to a perf.data for peat replay and "
	"stock perf: perf script, perf report -s FIELD.  The file is readable at every moment, "
	"even "
	"if peat is killed.  With COMMAND, only events of its process and its descendants.\v"
	"Stops at SIGINT (Ctrl-C) or SIGTERM, by -d or -n, or when COMMAND exits; the exit status "
	"is "
	"then that of COMMAND.";

static int check_fields(const struct options *options)
{
	bool any = false;

	for (size_t i = 0; i < options->sources.name_count; i++)
		any |= peat_functions__are(options->sources.names[i]);
	if (any || !options->output.fields)
		return 0;
	messages__print("--fields chooses fields of functions, such as kprobe:vfs_read: other "
			"events are recorded whole");
	return EXIT_USAGE;
}

/* Sets up -o, which run.c must not open. */
static int set_output(struct recorder *recorder, struct options *options)
{
	const char *path = options->output.path ? options->output.path : NEW_FILE_DEFAULT;

	options->output.path = NULL;
	recorder->path = strcmp(path, "-") ? path : NULL;
	recorder->run.owns_stdout = !recorder->path;
	if (recorder->path)
		return 0;
	if (isatty(STDOUT_FILENO)) {
		messages__print("cannot write a recording to a terminal: use -o FILE or "
				"| perf script -i -");
		return EXIT_USAGE;
	}
	if (!is_split(options))
		return 0;
	messages__print("--switch-output needs a file: use -o FILE");
	return EXIT_USAGE;
}

/* As peat trace does. */
static int record_timeline(struct options *options, char **command)
{
	struct run run = { .ops = &timeline__ops };

	timeline__prepare(options);
	return run__session(&run, options, command);
}

static int record(struct recorder *recorder, struct options *options, char **command)
{
	int status = check_fields(options);

	if (!status && options->output.perfetto)
		return record_timeline(options, command);
	if (!status)
		status = set_output(recorder, options);
	return status ? status : run__session(&recorder->run, options, command);
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
		       "SOURCE... [-- COMMAND...]\n--map=MAP [-- COMMAND...]\n"
		       "--flight=SIZE SOURCE... [-- COMMAND...]\n--dump=PID",
		       doc, argc, argv);
	if (options.flight.dump_pid)
		status = dump_request__send((pid_t)options.flight.dump_pid,
					    options.limits.run_ms < INT32_MAX
						    ? options.limits.run_ms
						    : DUMP_REQUEST_LIMIT_MS);
	else if (options.flight.bytes)
		status = flight__run(&options, recorder.args, command);
	else
		status = record(&recorder, &options, command);
	written_files__free(&recorder.written);
	free(recorder.current);
	free(args);
	return status;
}
