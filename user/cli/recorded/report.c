// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* report.c: peat report: makes a page for a browser of a perf.data. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/run/frame_names.h"
#include "cli/base/messages.h"
#include "cli/options/options.h"
#include "cli/recorded/recording_run.h"
#include "cli/recorded/report.h"

/* Pages beyond it take a browser long to open. */
#define MANY_EVENTS 3000000

/* ---- output ---------------------------------------------------------------------------------- */

static const char *title_of(const struct options *options)
{
	const char *name = options->sources.names[0], *slash = strrchr(name, '/');

	if (options->recording.title)
		return options->recording.title;
	if (!strcmp(name, "-"))
		return "peat";
	return slash && slash[1] ? slash + 1 : name;
}

/* Standard input cannot be read again for its header and its counts. */
static const char *path_of(const struct options *options)
{
	return strcmp(options->sources.names[0], "-") != 0 ? options->sources.names[0] : NULL;
}

static int open_page(struct recording_run *recorded)
{
	const struct peat_page_opts opts = {
		.sz = sizeof(opts),
		.symbols = recorded->symbols,
		.title = title_of(recorded->options),
		.recording = path_of(recorded->options),
		.no_symbols = recorded->options->symbols.none,
	};
	int err = recording_run__open_output(recorded);

	if (err)
		return err;
	if (isatty(recorded->output.fd)) {
		messages__print("cannot write a page to a terminal: use -o OUT.html or a pipe");
		return -EINVAL;
	}
	recorded->output.sink = peat_sink__new_page(recorded->output.fd, &opts);
	return recorded->output.sink ? 0 : -errno;
}

static int add_event(struct recording_run *recorded, const struct peat_event *event)
{
	int err = recorded->output.sink ? 0 : open_page(recorded);

	if (!err)
		output__write(&recorded->output, event);
	return err;
}

static int finish_page(struct recording_run *recorded)
{
	int err = recorded->output.sink ? 0 : open_page(recorded);

	if (err)
		return err;
	output__finish(&recorded->output);
	if (recorded->used > MANY_EVENTS && !recorded->options->output.quiet)
		messages__print("the page has %llu events and takes long to open: use --time, "
				"--where or EVENT for a part of them",
				(unsigned long long)recorded->used);
	return 0;
}

int report__write(const struct options *options)
{
	struct recording_run recorded = {
		.options = options, .use = add_event, .finish = finish_page, .prints_rarely = true
	};

	if (!options->symbols.none) {
		recorded.symbols = frame_names__new(options, FRAME_NAMES_RECORDED);
		if (!recorded.symbols)
			return EXIT_FAILED;
	}
	return recording_run__read(&recorded);
}

/* ---- the verb -------------------------------------------------------------------------------- */

static const char doc[] =
	"Makes one HTML file of a perf.data written by any program, which any browser shows "
	"without a network: a timeline, flame graphs of a span of time, histograms of durations, "
	"counts by field, losses, and the machine.  Without FILE: perf.data.\v"
	"EVENT: only samples of this event; may be a pattern: 'sched:*'.  @KIND: also other "
	"records, as of peat replay.";

int report_main(int argc, char **argv)
{
	struct options options;

	options__parse(&options, VERB_REPORT, "[FILE] [EVENT|@KIND...] -o OUT.html", doc, argc,
		       argv);
	messages__set_verbosity(options.output.verbose);
	return report__write(&options);
}
