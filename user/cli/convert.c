// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert.c: peat convert: a perf.data, and what else is made of one. */
#include <errno.h>
#include <string.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"
#include "replay.h"

/* What is left out, and where the recording is damaged, the library says. */
static int to_perf(const struct options *options)
{
	const struct peat_rewrite_opts opts = {
		.sz = sizeof(opts),
		.level = options->level,
		.as = options->types,
		.btf = options->btf,
	};
	int err = peat_recording__rewrite(options->names[0], options->output, &opts);

	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

static int to_folded(const struct options *options)
{
	int err = peat_recording__fold(options->names[0], options->output);

	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

/* As peat replay -j FILE @all does it. */
static int to_json(struct options *options)
{
	options->json = true;
	options->names[options->name_count++] = "@all";
	if (!strcmp(options->output, "-"))
		options->output = NULL;
	return replay__events(options);
}

static const char doc[] =
	"Makes a file of a perf.data, whichever program wrote it: a file, the directory that perf "
	"record --threads makes, or - for standard input.  Of one that is cut or damaged all is "
	"there that is whole, and the exit status is 1.\v"
	"FORMAT is perf (default): one file that stock perf reads, of all records as they are; "
	"json: an object a line, as peat replay -j FILE @all prints them; folded: a line for each "
	"stack and how many samples had it, for flame graphs.  With --as, events of plain bytes "
	"become tracepoints, peat:EVENT, with fields.";

int convert_main(int argc, char **argv)
{
	struct options options;

	options__parse(&options, VERB_CONVERT, "FILE -o OUT", doc, argc, argv);
	cli__show_messages(options.verbose);
	switch (options.format) {
	case FORMAT_JSON:
		return to_json(&options);
	case FORMAT_FOLDED:
		return to_folded(&options);
	default:
		return to_perf(&options);
	}
}
