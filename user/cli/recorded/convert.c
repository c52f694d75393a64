// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert.c: peat convert: converts a perf.data to another format. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/run/frame_names.h"
#include "cli/base/messages.h"
#include "cli/base/progress.h"
#include "cli/base/terminal.h"
#include "cli/options/options.h"
#include "cli/options/stack_format_words.h"
#include "cli/recorded/replay.h"
#include "cli/recorded/report.h"

/* ---- progress -------------------------------------------------------------------------------- */

/* The library writes to a terminal, or to a pipe into a pager, at any time. */
static bool hides_progress(const struct options *options)
{
	return options->output.quiet ||
	       (!strcmp(options->output.path, "-") &&
		(isatty(STDOUT_FILENO) || terminal__is_pipe(STDOUT_FILENO)));
}

static void report_progress(void *arg, uint64_t done, uint64_t all)
{
	const struct options *options = arg;
	struct progress progress = { .verb = "converting",
				     .name = options->sources.names[0],
				     .unit = PROGRESS_BYTES,
				     .done = done,
				     .all = all };

	progress__report(&progress);
}

/* ---- formats --------------------------------------------------------------------------------- */

/* The library reports skipped records and damage. */
static int to_perf(struct options *options)
{
	uint64_t kept = 0, left_out = 0;
	struct peat_rewrite_opts opts = {
		.sz = sizeof(opts),
		.level = options->recording.level,
		.as = options->objects.types.at,
		.btf = options->objects.btf,
		.progress = report_progress,
		.progress_arg = options,
		.where = options->filter.where ? peat_where__parse(options->filter.where) : NULL,
		.kept = &kept,
		.left_out = &left_out,
	};
	int err;

	if (options->filter.where && !opts.where)
		return EXIT_USAGE;
	progress__begin(hides_progress(options));
	err = peat_recording__rewrite(options->sources.names[0], options->output.path, &opts);
	progress__end();
	peat_where__free(opts.where);
	if (options->filter.where && !options->output.quiet && (!err || err == -EBADMSG))
		messages__print("%llu events written, %llu filtered", (unsigned long long)kept,
				(unsigned long long)left_out);
	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

static int to_stacks(struct options *options)
{
	struct peat_fold_opts opts = {
		.sz = sizeof(opts),
		.events = options->sources.name_count > 1 ? options->sources.names + 1 : NULL,
		.no_symbols = options->symbols.none,
		.no_demangle = options->symbols.no_demangle,
		.lines = options->symbols.lines,
		.debuginfod = options->symbols.debuginfod,
		.memory_bytes = options->symbols.memory_bytes,
		.where = options->filter.where ? peat_where__parse(options->filter.where) : NULL,
		.weight = options->recording.weight,
		.title = options->recording.title,
		.inverted = options->recording.inverted,
		.reversed = options->recording.reversed,
		.min_percent = options->recording.min_percent,
		.before = options->recording.diff,
		.format = options->recording.stacks,
		.namer = FRAME_NAMES_NAMER,
		.progress = report_progress,
		.progress_arg = options,
	};
	int err;

	if (options->filter.where && !opts.where)
		return EXIT_USAGE;
	progress__begin(hides_progress(options));
	err = peat_recording__fold(options->sources.names[0], options->output.path, &opts);
	progress__end();
	peat_where__free(opts.where);
	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

/* Same as peat replay -j FILE @all. */
static int to_json(struct options *options)
{
	options->output.json = true;
	options->sources.names[options->sources.name_count++] = "@all";
	if (!strcmp(options->output.path, "-"))
		options->output.path = NULL;
	return replay__events(options);
}

/* Same as peat replay --to pcapng FILE. */
static int to_pcapng(struct options *options)
{
	options->output.pcapng = true;
	return replay__events(options);
}

/* Same as peat replay --to perfetto FILE. */
static int to_perfetto(struct options *options)
{
	options->output.perfetto = true;
	return replay__events(options);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static const char doc[] =
	"Converts a perf.data written by any program: a file, a directory made by perf record "
	"--threads, or - for standard input.  If it is cut or damaged, all intact records are "
	"converted, and the exit status is 1.\v"
	"FORMAT: perf (default): one file for stock perf, with all records unchanged; json: one "
	"object per line, like peat replay -j FILE @all; " STACK_FORMATS ": the stacks with their "
	"numbers of samples, see peat-convert(1); pcapng: the packets, for Wireshark and tshark; "
	"html: a page for a browser, like peat report; perfetto: a timeline, for Perfetto.  "
	"With --as, events of plain bytes become tracepoints, peat:EVENT, with fields.";

int convert_main(int argc, char **argv)
{
	struct options options;

	options__parse(&options, VERB_CONVERT, "[FILE [EVENT...]] -o OUT", doc, argc, argv);
	messages__set_verbosity(options.output.verbose);
	switch (options.recording.format) {
	case FORMAT_JSON:
		return to_json(&options);
	case FORMAT_STACKS:
		return to_stacks(&options);
	case FORMAT_PCAPNG:
		return to_pcapng(&options);
	case FORMAT_HTML:
		return report__write(&options);
	case FORMAT_PERFETTO:
		return to_perfetto(&options);
	default:
		return to_perf(&options);
	}
}
