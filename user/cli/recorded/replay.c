// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay.c: peat replay: prints the events, the header or the statistics of a perf.data. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/run/field_list.h"
#include "cli/run/frame_names.h"
#include "cli/run/identity_filter.h"
#include "cli/base/messages.h"
#include "cli/options/options.h"
#include "cli/base/output.h"
#include "cli/run/packets.h"
#include "cli/recorded/recording_run.h"
#include "cli/recorded/replay.h"
#include "cli/run/timeline.h"

/* ---- output ---------------------------------------------------------------------------------- */

/* Sample fields that every line has, or that columns do not need; stacks are below the rows. */
#define HEAD                                                                                       \
	(PEAT_SAMPLE_IDS | PEAT_SAMPLE_PERIOD | PEAT_SAMPLE_RAW | PEAT_SAMPLE_IP |                 \
	 PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_CGROUP)

/* Printed as a stack if addresses have names. */
#define UNWOUND (PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER)

/* perf adds a dummy event for its side-band records.  It has no samples. */
static bool is_dummy(const struct peat_schema *type)
{
	return !strncmp(peat_schema__name(type), "dummy", strlen("dummy"));
}

/* The only event that will be printed; NULL: several, or they have parts that columns cannot show.
 */
static const struct peat_schema *only_type(struct recording_run *recorded,
					   const struct peat_event *event)
{
	uint64_t head = HEAD | (recorded->symbols ? UNWOUND : 0);
	const struct peat_schema *only = NULL, *type;
	uint32_t fields;

	if (recorded->side_band || event->kind != PEAT_EVENT_DATA || event->record->has & ~head)
		return NULL;
	for (uint32_t i = 0; (type = peat_reader__type(recorded->reader, i)); i++) {
		if (!recording_run__selects(recorded, type) || is_dummy(type))
			continue;
		if (only)
			return NULL;
		only = type;
	}
	if (only)
		peat_schema__fields(only, &fields);
	return only && fields ? only : NULL;
}

/* Opens the sink at the first event, which determines the columns; the clock is known by then. */
static int begin_output(struct recording_run *recorded, const struct peat_event *event)
{
	struct peat_sink_opts opts = {
		.sz = sizeof(opts),
		.columns = only_type(recorded, event),
		.no_heading = recorded->options->output.quiet,
		.seconds = true,
		.no_symbols = recorded->options->symbols.none,
		.symbols = recorded->symbols,
		.fields = recorded->options->output.fields,
		.identity = recorded->options->output.identity,
	};
	int err;

	if (recorded->options->output.timestamps &&
	    peat_reader__wall_clock(recorded->reader, &opts.wall_clock_ns)) {
		messages__print(
			"-T: the recording has no time of day: record it with perf record -k "
			"CLOCK_MONOTONIC");
		return -EOPNOTSUPP;
	}
	recorded->is_checked = true;
	err = identity_filter__check_output(recorded->options, recorded->reader)
		      ?: field_list__check(&opts, recorded->reader, recorded->side_band);
	if (!err)
		err = recording_run__open_output(recorded);
	return err ? err : output__open_sink(&recorded->output, recorded->options, &opts);
}

static int print_event(struct recording_run *recorded, const struct peat_event *event)
{
	int err = recorded->output.sink ? 0 : begin_output(recorded, event);

	if (!err)
		output__write(&recorded->output, event);
	return err;
}

/* Without any event, names of fields are checked here. */
static int finish_print(struct recording_run *recorded)
{
	const struct peat_sink_opts opts = { .sz = sizeof(opts),
					     .fields = recorded->options->output.fields };

	if (recorded->is_checked)
		return 0;
	return identity_filter__check_output(recorded->options, recorded->reader)
		       ?: field_list__check(&opts, recorded->reader, recorded->side_band);
}

static int begin_packets(struct recording_run *recorded)
{
	int err = recording_run__open_output(recorded);

	return err ? err : packets__open_sink(&recorded->output, recorded->reader);
}

/* The sink is made at the first event, when the header of a pipe is known. */
static int write_packet(struct recording_run *recorded, const struct peat_event *event)
{
	int err = recorded->output.sink ? 0 : begin_packets(recorded);

	if (!err)
		output__write(&recorded->output, event);
	return err;
}

static int finish_packets(struct recording_run *recorded)
{
	int err = 0;

	if (!recorded->output.sink)
		err = begin_packets(recorded);
	if (!err)
		packets__finish(&recorded->output, recorded->options->output.quiet);
	if (!err && !packets__exist(recorded->reader))
		err = -ENODATA;
	return err;
}

static int replay_packets(const struct options *options)
{
	struct recording_run recorded = { .options = options,
					  .use = write_packet,
					  .finish = finish_packets };

	return recording_run__read(&recorded);
}

static int begin_timeline(struct recording_run *recorded)
{
	int err = recording_run__open_output(recorded);

	return err ? err
		   : timeline__open_sink(&recorded->output, recorded->reader, recorded->symbols);
}

static int write_to_timeline(struct recording_run *recorded, const struct peat_event *event)
{
	int err = recorded->output.sink ? 0 : begin_timeline(recorded);

	if (!err)
		output__write(&recorded->output, event);
	return err;
}

static int finish_timeline(struct recording_run *recorded)
{
	int err = recorded->output.sink ? 0 : begin_timeline(recorded);

	if (!err)
		timeline__finish(&recorded->output, recorded->options->output.quiet);
	return err;
}

int replay__events(const struct options *options)
{
	struct recording_run recorded = { .options = options,
					  .use = print_event,
					  .finish = finish_print };

	if (options->output.pcapng)
		return replay_packets(options);
	if (options->output.perfetto) {
		recorded.use = write_to_timeline;
		recorded.finish = finish_timeline;
		recorded.side_band = TIMELINE_SIDE_BAND;
	}
	if (!options->symbols.none) {
		recorded.symbols = frame_names__new(options, FRAME_NAMES_RECORDED);
		if (!recorded.symbols)
			return EXIT_FAILED;
	}
	return recording_run__read(&recorded);
}

/* ---- the verb -------------------------------------------------------------------------------- */

/* A closed pipe is no failure. */
static int status_of(int err)
{
	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

static const char doc[] =
	"Prints the events of a perf.data written by any program: a file, a directory made by perf "
	"record --threads, or - for standard input.  If it is cut or damaged, all intact events "
	"are printed, and the exit status is 1.  Without FILE: perf.data.\v"
	"EVENT: print only samples of this event; may be a pattern: 'sched:*'.  @KIND: also print "
	"other records: @task @comm @mmap @switch @namespaces @cgroup @ksymbol @bpf @textpoke "
	"@other; @tool: records of perf itself; @sample: all samples; @all: everything.";

int replay_main(int argc, char **argv)
{
	struct options options;

	options__parse(&options, VERB_REPLAY, "[FILE] [EVENT|@KIND...]", doc, argc, argv);
	messages__set_verbosity(options.output.verbose);
	if (!options.recording.stats && !options.recording.header)
		return replay__events(&options);
	if (options.sources.name_count > 1) {
		messages__print(
			"--stats and --header print a whole recording: give one FILE and no "
			"EVENT");
		return EXIT_USAGE;
	}
	if (options.recording.stats)
		return status_of(peat_recording__write_stats(options.sources.names[0],
							     STDOUT_FILENO, options.output.json));
	return status_of(peat_recording__write_header(options.sources.names[0], STDOUT_FILENO,
						      options.output.json));
}
