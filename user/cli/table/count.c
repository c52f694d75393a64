// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* count.c: peat count: counts events by their fields. */
#include "cli/cli.h"
#include "cli/table/tally.h"

static const struct tally_ops ops = {
	.type = "count",
};

static const char doc[] =
	"Counts the events of each SOURCE, as in peat trace, or of a recording, and prints the "
	"counts at the end: in total, or of each value of the fields of --by.  With COMMAND, only "
	"events of its process and its descendants.\v"
	"The programs count in the kernel, without sending events, if the fields and the kernel "
	"allow it; -v reports it.  Ends like peat trace, and prints the table then.";

int count_main(int argc, char **argv)
{
	struct options options;
	struct tally tally = { .ops = &ops };
	char **command = tally__parse(&options, VERB_COUNT, doc, argc, argv);

	return tally__main(&tally, &options, command);
}
