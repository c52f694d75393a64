// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hist.c: peat hist: prints histograms of a field. */
#include "cli/cli.h"
#include "cli/table/tally.h"

static const struct tally_ops ops = {
	.type = "hist",
	.prints_bars = true,
};

static const char doc[] =
	"Prints a histogram of FIELD, a number in the events of each SOURCE or of a recording: one "
	"for all events, or one for each value of the fields of --by.  The default FIELD of one "
	"live SOURCE is the first duration in its events.\v"
	"The programs count in the kernel, without sending events, if the fields and the kernel "
	"allow it; -v reports it.  Ends like peat trace, and prints the histograms then.";

int hist_main(int argc, char **argv)
{
	struct options options;
	struct tally tally = { .ops = &ops };
	char **command = tally__parse(&options, VERB_HIST, doc, argc, argv);

	return tally__main(&tally, &options, command);
}
