// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_sources.c: the arguments, and other sources of events. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/recorded/stream_input.h"

static void take_map(void *member, const char *arg, struct argp_state *state)
{
	struct source_options *sources = member;

	if (sources->map_count == OPTIONS_MAPS)
		argp_error(state, "too many maps: '%s': at most %d", arg, OPTIONS_MAPS);
	sources->maps[sources->map_count++] = arg;
}

/* The programs of bpftrace follow its -e. */
static void take_events(void *member, const char *arg, struct argp_state *state)
{
	if (peat_functions__are(arg))
		argp_error(state, "-e '%s': it is no perf event, but a source: use it without -e",
			   arg);
	option_take__word(member, arg, state);
}

const struct option_row options_sources__rows[] = {
	{ { "event", 'e', "EVENTS", 0,
	    "sample these perf events, without a BPF program: cycles:u,page-faults, "
	    "sched:sched_switch, 'sched:sched_switch/next_pid==1/', mem:ADDRESS:w, as perf takes "
	    "them; may be repeated",
	    3 },
	  RUN,
	  BY(take_events, sources.events) },
	{ { "fields", 0, "FIELD,...", 0,
	    "record these fields of functions: parameters, result, latency, paths such as "
	    "file.f_inode.i_ino",
	    9 },
	  VERB_RECORD,
	  INTO(output.fields) },
	{ { "max-functions", 0, "N", 0,
	    "attach to at most this many functions of a source such as kprobe:vfs_* (default "
	    "4000)",
	    9 },
	  RUN,
	  BY(option_take__count, sources.max_functions) },
	{ { "map", 0, "MAP", 0,
	    "read the perf event array of another program: id=N, name=X, the path where it is "
	    "pinned, or a directory made by --pin; may be repeated",
	    9 },
	  RUN,
	  BY(take_map, sources) },
	{ { "steal", 0, NULL, 0,
	    "read the map even if another process may be reading it; load an object whose maps "
	    "(LIBBPF_PIN_BY_NAME) another program has pinned",
	    9 },
	  RUN,
	  INTO(sources.steal) },
	{ { "pin", 0, "PATH", 0,
	    "keep the programs attached after peat exits: pin them in the new directory PATH, for "
	    "--map PATH; rm -r PATH detaches them",
	    9 },
	  LIVE,
	  INTO(sources.pin) },
	{ { "event", 'e', "EVENTS", 0,
	    "count these, separated by commas: page-faults, cycles:u, sched:sched_switch, "
	    "{cycles,instructions}; may be repeated",
	    1 },
	  VERB_STAT,
	  BY(take_events, sources.events) },
	LAST_ROW,
};

/* Verbs whose first argument may be a recording. */
#define READS_RECORDINGS (REPLAY | VERB_CONVERT | VERB_COUNT | VERB_HIST | VERB_TOP)

void options_sources__add(struct source_options *sources, const char *name,
			  struct argp_state *state)
{
	if (sources->name_count == OPTIONS_NAMES)
		argp_error(state, "too many values: '%s': at most %d", name, OPTIONS_NAMES);
	sources->names[sources->name_count++] = name;
}

#define DEFAULT_RECORDING "perf.data"

/* A stream becomes standard input. */
static void begin_stream(struct source_options *sources)
{
	int status = stream_input__begin(sources->names[0]);

	if (status)
		exit(status);
	sources->names[0] = "-";
}

/*
 * Without a FILE, the first argument is an event or @KIND of perf.data.  A name that is no file may
 * also be a misspelt one, so --stats and --header, which allow no event, do not read perf.data
 * then.
 */
void options_sources__check(struct options *options, struct argp_state *state)
{
	struct source_options *sources = &options->sources;
	const char *first = sources->name_count ? sources->names[0] : NULL;

	if (first && options->verb & READS_RECORDINGS && stream_input__is(first)) {
		begin_stream(sources);
		return;
	}
	if (!(options->verb & REPLAY) || !first || !strcmp(first, "-") || !access(first, F_OK) ||
	    access(DEFAULT_RECORDING, F_OK))
		return;
	if (*first != '@' && (options->recording.stats || options->recording.header))
		return;
	options_sources__add(sources, first, state);
	memmove(sources->names + 1, sources->names,
		(sources->name_count - 1) * sizeof(*sources->names));
	sources->names[0] = DEFAULT_RECORDING;
	sources->is_default = true;
}

void options_sources__add_none(struct options *options, struct argp_state *state)
{
	struct source_options *sources = &options->sources;

	if (options->verb & (REPLAY | VERB_CONVERT) && !access(DEFAULT_RECORDING, F_OK))
		options_sources__add(sources, DEFAULT_RECORDING, state);
	else if (sources->if_none && !sources->map_count && !sources->events.count &&
		 !options->flight.dump_pid)
		argp_error(state, "%s", sources->if_none);
}
