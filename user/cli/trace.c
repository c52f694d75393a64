// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* trace.c: peat trace: events, a line each, while they happen. */
#include <stddef.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"
#include "run.h"

/* The one type of events that there will be, NULL if there can be several. */
static const struct peat_schema *only_type(const struct run *run, uint32_t kinds)
{
	const struct peat_schema *first;

	if (!kinds)
		return peat_session__type(run->session, 1) ? NULL
							   : peat_session__type(run->session, 0);
	first = peat_kind__schema((enum peat_kind)kinds, 0);
	if (peat_session__type(run->session, 0) || (kinds & (kinds - 1)) ||
	    peat_kind__schema((enum peat_kind)kinds, 1))
		return NULL;
	return first;
}

static int64_t wall_clock_ns(const struct run *run)
{
	int64_t offset_ns = 0;

	peat_reader__wall_clock(run->reader, &offset_ns); /* of rings it is known */
	return offset_ns;
}

static int open_sink(struct run *run, uint32_t kinds)
{
	struct peat_sink_opts opts = {
		.sz = sizeof(opts),
		.wall_clock_ns = run->options->timestamps ? wall_clock_ns(run) : 0,
		.columns = run->options->sample ? NULL : only_type(run, kinds),
		.no_heading = run->options->quiet,
	};

	return output__begin(&run->output, run->options->json, &opts);
}

/* A person waits for it, or a program that acts on it. */
static int flush(struct run *run)
{
	output__flush(&run->output);
	return 0;
}

static const struct run_ops ops = { .open_sink = open_sink, .pause = flush, .finish = flush };

static const char doc[] =
	"Prints the events of each SOURCE as they happen: of a PROBE (peat list), of the BPF "
	"object "
	"FILE.bpf.o, or the kernel's own records, @KIND; or of the programs that write to a MAP.\v"
	"An option of a probe is set behind its name: PROBE,OPTION=VALUE,...\n"
	"Ends with SIGINT (Ctrl-C), SIGTERM, -d or -n, when the output is closed, or with COMMAND, "
	"which is run meanwhile and whose status is peat's then. "
	"Events go to standard output, everything else to standard error.";

int trace_main(int argc, char **argv)
{
	struct options options;
	struct run run = { .ops = &ops };
	char **command = options__cut_command(&argc, argv);

	options__parse(&options, VERB_TRACE, "SOURCE... [-- COMMAND...]\n--map=MAP [-- COMMAND...]",
		       doc, argc, argv);
	return run__all(&run, &options, command);
}
