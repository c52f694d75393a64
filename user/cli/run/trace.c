// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* trace.c: peat trace: prints events as they happen, one line each. */
#include <errno.h>
#include <stddef.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/run/field_list.h"
#include "cli/run/frame_names.h"
#include "cli/run/identity_filter.h"
#include "cli/options/options.h"
#include "cli/run/packets.h"
#include "cli/run/run.h"
#include "cli/run/timeline.h"

/* The type of all events; NULL if there can be several types. */
static const struct peat_schema *only_type(const struct run *run, uint32_t kinds)
{
	const struct peat_schema *first = peat_session__type(run->session, 0);
	uint32_t fields = 1;

	if (run->options->sources.events.count && first)
		peat_schema__fields(first, &fields);
	if (!fields || (run->options->sources.events.count && peat_session__stacks(run->session)))
		return NULL; /* what the kernel samples is no column */
	if (!kinds)
		return peat_session__type(run->session, 1) ? NULL : first;
	first = peat_side_band__schema((enum peat_side_band)kinds, 0);
	if (peat_session__type(run->session, 0) || (kinds & (kinds - 1)) ||
	    peat_side_band__schema((enum peat_side_band)kinds, 1))
		return NULL;
	return first;
}

static int64_t wall_clock_ns(const struct run *run)
{
	int64_t offset_ns = 0;

	peat_reader__wall_clock(run->reader, &offset_ns); /* never fails for rings */
	return offset_ns;
}

static struct peat_sink_opts sink_opts(const struct run *run, uint32_t kinds)
{
	const struct options *options = run->options;
	bool has_time =
		options->output.timestamps || field_list__has(options->output.fields, "time");

	return (struct peat_sink_opts){
		.sz = sizeof(struct peat_sink_opts),
		.wall_clock_ns = has_time ? wall_clock_ns(run) : 0,
		.columns = options->sampling.sample ? NULL : only_type(run, kinds),
		.no_heading = options->output.quiet,
		.no_symbols = options->symbols.none,
		.symbols = run->symbols,
		.fields = options->output.fields,
		.identity = options->output.identity,
	};
}

static int check_fields(struct run *run, uint32_t kinds)
{
	struct peat_sink_opts opts = sink_opts(run, kinds);
	int err = identity_filter__check_output(run->options, run->reader);

	return err ? err : field_list__check(&opts, run->reader, kinds);
}

static int open_sink(struct run *run, uint32_t kinds)
{
	struct peat_sink_opts opts = sink_opts(run, kinds);

	return output__open_sink(&run->output, run->options, &opts);
}

static int check_packets(struct run *run, uint32_t kinds)
{
	(void)kinds; /* records of these are no packets: they are counted */
	return packets__exist(run->reader) ? 0 : -EINVAL;
}

static int open_packets(struct run *run, uint32_t kinds)
{
	(void)kinds;
	return packets__open_sink(&run->output, run->reader);
}

/* Do not delay output: its reader may be waiting for it. */
static int flush(struct run *run)
{
	output__flush(&run->output);
	return 0;
}

static const struct run_ops ops = { .has_names = frame_names__are_wanted,
				    .check = check_fields,
				    .open_sink = open_sink,
				    .pause = flush,
				    .finish = flush };

static int finish_packets(struct run *run)
{
	packets__finish(&run->output, run->options->output.quiet);
	return 0;
}

static const struct run_ops packet_ops = {
	.check = check_packets, .open_sink = open_packets, .pause = flush, .finish = finish_packets
};

static const char doc[] =
	"Prints the events of each SOURCE as they happen.  A SOURCE is a PROBE (see peat list), a "
	"function or tracepoint such as kprobe:FUNCTION or tracepoint:CATEGORY:NAME (see "
	"peat-functions(7)), a BPF object FILE.bpf.o, or @KIND, records that the kernel writes "
	"itself.  --map prints the "
	"events that other programs write to the perf event array MAP.  With COMMAND, only events "
	"of its process and its descendants.\v"
	"Options of a probe follow its name: PROBE,OPTION=VALUE,...\n"
	"Stops at SIGINT (Ctrl-C), SIGTERM or SIGHUP, by -d or -n, when the output is closed, or "
	"when "
	"COMMAND exits; the exit status is then that of COMMAND. "
	"Events are printed to standard output, everything else to standard error.";

int trace_main(int argc, char **argv)
{
	struct options options;
	struct run run = { .ops = &ops };
	char **command = options__cut_command(&argc, argv);

	options__parse(&options, VERB_TRACE, "SOURCE... [-- COMMAND...]\n--map=MAP [-- COMMAND...]",
		       doc, argc, argv);
	if (options.output.pcapng) {
		int status = packets__prepare(&options);

		if (status)
			return status;
		run.ops = &packet_ops;
	}
	if (options.output.perfetto) {
		timeline__prepare(&options);
		run.ops = &timeline__ops;
	}
	return run__session(&run, &options, command);
}
