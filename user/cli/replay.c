// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay.c: peat replay: what is in a perf.data. */
#include <errno.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"

/* A reader that closes the pipe has seen enough. */
static int status_of(int err)
{
	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

int replay_main(int argc, char **argv)
{
	struct options options;
	int err = 0;

	options__parse(
		&options, VERB_REPLAY, "FILE",
		"Says what is in a perf.data, whichever program wrote it: a file, the "
		"directory that perf record --threads makes, or - for standard input.  Of one "
		"that is cut or damaged all that is whole counts, and the exit status is 1.",
		argc, argv);
	cli__show_messages(0);
	if (options.name_count > 1 || !(options.stats || options.header)) {
		cli__complain(options.name_count > 1
				      ? "one recording at a time"
				      : "what is to be said of it: --stats or --header?");
		return EXIT_USAGE;
	}
	if (options.stats)
		err = peat_recording__write_stats(options.names[0], STDOUT_FILENO, options.json);
	else
		err = peat_recording__write_header(options.names[0], STDOUT_FILENO, options.json);
	return status_of(err);
}
