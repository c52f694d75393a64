// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/fold_recording.c: counts the stacks of a recording's samples, or of two, to compare. */
#include <stdlib.h>
#include <unistd.h>

#include <peat/recording.h>
#include <peat/where.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "convert/output_file.h"
#include "convert/recorded_command.h"
#include "stacks/stack_weight.h"
#include "stacks/stacks.h"
#include "replay/source.h"

struct fold {
	const struct peat_fold_opts *opts;
	struct peat_reader *reader;
	struct perf_recording *recording;
	struct peat_symbols *symbols;
	struct peat_sink *sink;
	const char *to;
	int fd;
	char *title;
	bool is_before;	     /* warns of no file: most are those of the other recording */
	struct fold *before; /* NULL: nothing is compared */
};

/* ---- events ---------------------------------------------------------------------------------- */

static int fold_event(struct fold *fold, const struct peat_event *event)
{
	int err = peat_symbols__follow(fold->symbols, event);

	return err ? err : peat_sink__write(fold->sink, event);
}

static void report_progress(const struct fold *fold)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	if (fold->opts->progress && !peat_reader__stats(fold->reader, &stats))
		fold->opts->progress(fold->opts->progress_arg, stats.read_bytes, stats.all_bytes);
}

/* Folds all events.  0; -EBADMSG: the recording is incomplete; or another error. */
static int fold_events(struct fold *fold)
{
	const struct peat_event *event;
	int ready, more = 0, err = 0;

	while (!err && more >= 0 && (ready = peat_reader__wait(fold->reader, -1)) > 0) {
		while (!err && (more = peat_reader__next(fold->reader, &event)) > 0)
			err = fold_event(fold, event);
		report_progress(fold);
	}
	if (err == -ENOMEM)
		return perf_recording__log_error(fold->recording, err, NULL);
	if (err)
		return err;
	return more < 0 ? more : ready == -ENODATA ? 0 : ready;
}

/* The time of day is known once the header was read, which is anywhere in a pipe. */
static int finish_fold(struct fold *fold)
{
	int64_t wall_clock_ns;

	if (!peat_reader__wall_clock(fold->reader, &wall_clock_ns))
		stacks__set_wall_clock(fold->sink, wall_clock_ns);
	return peat_sink__finish(fold->sink);
}

/* Stacks before the end of an incomplete recording are written, too. */
static int fold_all(struct fold *fold)
{
	int ended = fold_events(fold);
	int err;

	if (ended && ended != -EBADMSG)
		return ended;
	err = finish_fold(fold);
	return err ? err : ended;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_reader(struct fold *fold, const char *path)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;

	opts.side_band = PEAT_SIDE_BAND_MMAP | PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM |
			 PEAT_SIDE_BAND_KSYMBOL;
	opts.names = opts.ordered = true;
	opts.where = fold->opts->where;
	fold->reader = peat_reader__open(path, &opts);
	if (!fold->reader)
		return -errno;
	fold->recording = replay__recording(fold->reader);
	return 0;
}

static int make_symbols(struct fold *fold)
{
	const struct peat_symbols_opts opts = {
		.sz = sizeof(opts),
		.no_demangle = fold->opts->no_demangle,
		.lines = fold->opts->lines,
		.debuginfod = fold->opts->debuginfod,
		.memory_bytes = fold->opts->memory_bytes,
		.recorded = true,
		.quiet = fold->is_before,
		.namer = fold->opts->namer,
	};

	fold->symbols = peat_symbols__new(&opts);
	return fold->symbols ? 0 : -errno;
}

static int make_sink(struct fold *fold)
{
	struct peat_stacks_opts opts = {
		.sz = sizeof(opts),
		.symbols = fold->symbols,
		.events = fold->opts->events,
		.weight = fold->opts->weight,
		.title = fold->opts->title,
		.no_symbols = fold->opts->no_symbols,
		.inverted = fold->opts->inverted,
		.reversed = fold->opts->reversed,
		.min_percent = fold->opts->min_percent,
	};

	if (!opts.title) {
		fold->title = recorded_command__text(fold->recording->file);
		opts.title = fold->title;
	}
	fold->sink = peat_sink__new_stacks(fold->fd, fold->opts->format, &opts);
	if (!fold->sink)
		return -errno;
	return fold->before ? stacks__compare(fold->sink, fold->before->sink) : 0;
}

static int open_recording(struct fold *fold, const char *path)
{
	int err = open_reader(fold, path) ?: stack_weight__check(fold->opts->weight, fold->reader);

	return err ? err : make_symbols(fold);
}

/* The sink is never finished, and so writes nothing. */
static int count_before(struct fold *before, const char *path)
{
	int err = open_recording(before, path);

	before->fd = STDERR_FILENO;
	if (!err)
		err = make_sink(before);
	return err ? err : fold_events(before);
}

static int fold_recording(struct fold *fold, const char *path)
{
	int err = open_recording(fold, path);

	if (err)
		return err;
	fold->fd = output_file__open(fold->recording, fold->to);
	if (fold->fd < 0)
		return fold->fd;
	err = make_sink(fold);
	return err ? err : fold_all(fold);
}

static void free_fold(struct fold *fold)
{
	peat_sink__free(fold->sink);
	peat_symbols__free(fold->symbols);
	peat_reader__free(fold->reader);
	free(fold->title);
}

static int check_opts(const struct peat_fold_opts *opts)
{
	if (opts->before && opts->format != PEAT_STACKS_FLAMEGRAPH) {
		log__error("peat_recording__fold: `before` is for flame graphs");
		return -EINVAL;
	}
	return OPTS_CHECK_RESERVED(opts, "peat_fold_opts");
}

/* An incomplete recording is compared, too. */
static int fold_both(struct fold *fold, const char *path)
{
	int before = fold->before ? count_before(fold->before, fold->opts->before) : 0, err;

	if (before && before != -EBADMSG)
		return before;
	err = fold_recording(fold, path);
	return err ? err : before;
}

int peat_recording__fold(const char *path, const char *to,
			 const struct peat_fold_opts *callers_opts)
{
	struct peat_fold_opts opts = { .sz = sizeof(opts) };
	struct fold fold = { .to = to, .fd = -1, .opts = &opts };
	struct fold before = { .fd = -1, .opts = &opts, .is_before = true };
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_fold_opts");

	if (!err)
		err = check_opts(&opts);
	if (err)
		return fail(err);
	fold.before = opts.before ? &before : NULL;
	err = fold_both(&fold, path);
	if (fold.fd >= 0 && close(fold.fd) && !err) {
		err = -errno;
		log__error("cannot write to %s: %s", to, strerror(-err));
	}
	free_fold(&fold);
	free_fold(&before);
	return err ? fail(err) : 0;
}
