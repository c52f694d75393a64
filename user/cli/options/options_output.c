// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_output.c: the output: its file, its format, and messages. */
#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_value.h"
#include "cli/options/stack_format_words.h"

static void take_interval(void *member, const char *arg, struct argp_state *state)
{
	uint64_t *ms = member;

	*ms = parse_value__time(arg, 1000, 24 * 3600 * 1000, state);
	if (!*ms)
		argp_error(state, "-i '%s': use 1ms or more", arg);
}

/* As perf stat has it: milliseconds, unless the number has a unit. */
static void take_interval_ms(void *member, const char *arg, struct argp_state *state)
{
	uint64_t *ms = member;

	*ms = parse_value__time(arg, 1, 24 * 3600 * 1000, state);
	if (!*ms)
		argp_error(state, "-I '%s': use 1 or more milliseconds", arg);
}

static void take_verbose(void *member, const char *arg, struct argp_state *state)
{
	(void)arg;
	(void)state;
	++*(int *)member;
}

const struct option_row options_output__rows[] = {
	{ { "output", 'o', "FILE", 0,
	    "write the object to FILE (default: FILE.bpf.o next to the source)", 1 },
	  BUILD,
	  INTO(output.path) },
	{ { "json", 'j', NULL, 0, "print JSON, one object per line", 7 },
	  TRACE,
	  INTO(output.json) },
	{ { "interval", 'i', "TIME", 0,
	    "print the counts of each TIME, and begin anew: 1, 500ms (default unit: seconds)", 7 },
	  VERB_COUNT | VERB_HIST,
	  BY(take_interval, output.interval_ms) },
	{ { "output", 'o', "FILE", 0,
	    "FILE.pftrace: write the counts of each -i TIME as a timeline, for Perfetto", 7 },
	  VERB_COUNT | VERB_HIST,
	  INTO(output.path) },
	{ { "interval", 'i', "TIME", 0, "count and show anew after each TIME (default 1s)", 7 },
	  VERB_TOP,
	  BY(take_interval, output.interval_ms) },
	{ { "json", 'j', NULL, 0, "print JSON, one object per line for each table", 7 },
	  TALLY,
	  INTO(output.json) },
	{ { "json", 'j', NULL, 0, "print one JSON document", 7 },
	  VERB_LIST | VERB_BENCH | VERB_DOCTOR | VERB_EXAMPLES,
	  INTO(output.json) },
	{ { "json", 'j', NULL, 0,
	    "print JSON: one object per line for events, otherwise one document", 7 },
	  VERB_REPLAY,
	  INTO(output.json) },
	{ { "output", 'o', "FILE", 0,
	    "write the events to FILE, - for standard output; FILE.pcapng: as packets, "
	    "FILE.pftrace: as a timeline",
	    7 },
	  TRACE | VERB_REPLAY,
	  INTO(output.path) },
	{ { "to", 0, "FORMAT", 0,
	    "text (default), json as with -j, pcapng: packets, for Wireshark and tshark, or "
	    "perfetto: "
	    "a timeline, for Perfetto",
	    7 },
	  TRACE | VERB_REPLAY,
	  INTO(output.to) },
	{ { "output", 'o', "FILE", 0,
	    "write to FILE (default perf.data; an existing file is renamed to FILE.old), - for "
	    "standard output; FILE.pftrace: a timeline instead",
	    7 },
	  VERB_RECORD,
	  INTO(output.path) },
	{ { "to", 0, "FORMAT", 0,
	    "perf (default), json, " STACK_FORMATS ", pcapng (default for FILE.pcapng), "
	    "html (FILE.html) or perfetto (FILE.pftrace)",
	    7 },
	  VERB_CONVERT,
	  INTO(output.to) },
	{ { "output", 'o', "OUT", 0, "write to OUT, - for standard output", 7 },
	  VERB_CONVERT,
	  INTO(output.path) },
	{ { "output", 'o', "OUT", 0, "write the page to OUT, - for standard output", 7 },
	  VERB_REPORT,
	  INTO(output.path) },
	{ { "ordered", 0, NULL, 0, "merge the events of all CPUs by time", 7 },
	  TRACE,
	  INTO(output.ordered) },
	{ { "ordered", 0, NULL, 0, "sort events by time, like perf (default)", 7 },
	  VERB_REPLAY,
	  INTO(output.ordered) },
	{ { "timestamps", 'T', NULL, 0, "begin each line with the time of day", 7 },
	  TRACE | VERB_REPLAY,
	  INTO(output.timestamps) },
	{ { "timestamps", 'T', NULL, 0, "print the time of day above each table", 7 },
	  TALLY,
	  INTO(output.timestamps) },
	{ { "fields", 0, "FIELD,...", 0,
	    "print these fields, in this order: fields of the event, or time, type, pid, tid, comm "
	    "or cpu",
	    7 },
	  TRACE | VERB_REPLAY,
	  INTO(output.fields) },
	{ { "identity", 0, NULL, 0,
	    "print the container, pod, unit and nspid of tasks; record their cgroups", 7 },
	  LIVE | VERB_REPLAY,
	  INTO(output.identity) },
	{ { "wide", 0, NULL, 0, "on a terminal, print all columns, and lines of any length", 7 },
	  TRACE | VERB_REPLAY,
	  INTO(output.wide) },
	{ { "fail-on-loss", 0, NULL, 0,
	    "exit with 3 if events were lost or runs of programs skipped", 7 },
	  RUN | REPLAY | VERB_PROFILE,
	  INTO(output.fail_on_loss) },
	{ { "quiet", 'q', NULL, 0, "print neither heading nor summary", 7 },
	  RUN | REPLAY | VERB_PROFILE,
	  INTO(output.quiet) },
	{ { "quiet", 'q', NULL, 0, "print no line of progress", 7 },
	  VERB_CONVERT | VERB_BUILD | VERB_BENCH,
	  INTO(output.quiet) },
	{ { "verbose", 'v', NULL, 0, "print more messages; -vv: all messages", 7 },
	  REPLAY | VERB_CONVERT,
	  BY(take_verbose, output.verbose) },
	{ { "verbose", 'v', NULL, 0,
	    "print progress, libbpf's warnings and the verifier's log; -vv: all messages of libbpf",
	    7 },
	  RUN | VERB_PROFILE,
	  BY(take_verbose, output.verbose) },
	{ { "verbose", 'v', NULL, 0, "also print fields, options and hooks", 7 },
	  VERB_LIST,
	  BY(take_verbose, output.verbose) },
	{ { "interval", 'i', "TIME", 0,
	    "print the counts of each TIME: 1, 500ms (default unit: seconds)", 4 },
	  VERB_STAT,
	  BY(take_interval, output.interval_ms) },
	{ { "interval-print", 'I', "MS", 0, "the same in milliseconds, as perf stat has it", 4 },
	  VERB_STAT,
	  BY(take_interval_ms, output.interval_ms) },
	{ { "json", 'j', NULL, 0, "print JSON: one document, or with -i one object per line", 4 },
	  VERB_STAT,
	  INTO(output.json) },
	{ { "output", 'o', "FILE", 0, "write the counts to FILE", 4 },
	  VERB_STAT,
	  INTO(output.path) },
	{ { "verbose", 'v', NULL, 0, "print more messages; -vv: all messages", 4 },
	  VERB_STAT,
	  BY(take_verbose, output.verbose) },
	{ { "output", 'o', "FILE", 0,
	    "write to FILE, in the format of its name: " STACK_SUFFIXES ", .json or .txt", 7 },
	  VERB_PROFILE,
	  INTO(output.path) },
	{ { "to", 0, "FORMAT", 0, "text (default), " STACK_FORMATS " or json", 7 },
	  VERB_PROFILE,
	  INTO(output.to) },
	{ { "json", 'j', NULL, 0, "print one JSON document, as --to json", 7 },
	  VERB_PROFILE,
	  INTO(output.json) },
	LAST_ROW,
};
