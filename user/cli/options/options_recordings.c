// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_recordings.c: recordings: of replay, record, convert and report. */
#include <stdlib.h>
#include <string.h>

#include "cli/base/words.h"
#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/parse_unit.h"
#include "cli/options/parse_value.h"
#include "cli/options/stack_format_words.h"

static void take_level(void *member, const char *arg, struct argp_state *state)
{
	*(int *)member = parse_value__level(arg, state);
}

static void take_switch(void *member, const char *arg, struct argp_state *state)
{
	struct recording_options *recording = member;

	if (parse_unit__bytes(arg, &recording->switch_bytes) && recording->switch_bytes &&
	    strpbrk(arg, "KMGTBkg"))
		return;
	recording->switch_bytes = UINT64_MAX;
	if (!parse_unit__time_ms(arg, 0, &recording->switch_ms) || !recording->switch_ms)
		argp_error(state, "'%s' is neither a size such as 64M nor a time such as 10s", arg);
}

static void take_percent(void *member, const char *arg, struct argp_state *state)
{
	double *percent = member;
	char *end;

	*percent = strtod(arg, &end);
	if (end == arg || *end || !(*percent > 0 && *percent <= 100))
		argp_error(state, "--min-percent '%s': use a number above 0, up to 100", arg);
}

static void take_files(void *member, const char *arg, struct argp_state *state)
{
	uint64_t *files = member;

	if (!parse_unit__count(arg, UINT32_MAX, files) || !*files)
		argp_error(state, "'%s' is not a number of files", arg);
}

const struct option_row options_recordings__rows[] = {
	{ { "stats", 0, NULL, 0,
	    "print records by type, samples by event, losses, first and last time", 4 },
	  VERB_REPLAY,
	  INTO(recording.stats) },
	{ { "header", 0, NULL, 0, "print the header: machine, command and events", 4 },
	  VERB_REPLAY,
	  INTO(recording.header) },
	{ { "title", 0, "TEXT", 0, "heading of the page (default: the name of FILE)", 7 },
	  VERB_REPORT,
	  INTO(recording.title) },
	{ { "title", 0, "TEXT", 0, "of a page or a flame graph: its heading", 7 },
	  VERB_CONVERT,
	  INTO(recording.title) },
	{ { "inverted", 0, NULL, 0, "of a flame graph: callers above, an icicle", 7 },
	  VERB_CONVERT,
	  INTO(recording.inverted) },
	{ { "reversed", 0, NULL, 0, "of a flame graph: each function below its callers, merged",
	    7 },
	  VERB_CONVERT,
	  INTO(recording.reversed) },
	{ { "min-percent", 0, "PERCENT", 0, "of a flame graph: leave out boxes with less of all",
	    7 },
	  VERB_CONVERT,
	  BY(take_percent, recording.min_percent) },
	{ { "diff", 0, "BEFORE", 0,
	    "of a flame graph: compare with this recording; red: a larger part, blue: a smaller",
	    7 },
	  VERB_CONVERT,
	  INTO(recording.diff) },
	{ { "weight", 0, "FIELD", 0,
	    "of stacks: add up FIELD, or period, instead of counting samples", 7 },
	  VERB_CONVERT,
	  INTO(recording.weight) },
	{ { "compress", 'z', "LEVEL", OPTION_ARG_OPTIONAL,
	    "compress with zstd, level 1 (default) to 22: higher is slower and smaller", 7 },
	  VERB_RECORD | VERB_CONVERT,
	  BY(take_level, recording.level) },
	{ { "max-size", 0, "SIZE", 0, "stop when the recording reaches SIZE: 100M, 2G", 7 },
	  VERB_RECORD,
	  BY(option_take__memory, recording.max_bytes) },
	{ { "switch-output", 0, "SIZE|TIME", 0,
	    "start a new file, FILE.1, FILE.2 and so on, each complete in itself, when one reaches "
	    "SIZE (64M) or the age TIME (10s)",
	    7 },
	  VERB_RECORD,
	  BY(take_switch, recording) },
	{ { "switch-max-files", 0, "N", 0,
	    "with --switch-output: keep the last N files, and remove older files of this run", 7 },
	  VERB_RECORD,
	  BY(take_files, recording.switch_files) },
	{ { "unordered", 0, NULL, 0, "print events in the order of the recording", 7 },
	  VERB_REPLAY,
	  INTO(recording.unordered) },
	LAST_ROW,
};

static enum format parse_format(struct recording_options *recording, const char *arg,
				struct argp_state *state)
{
	static const char *const formats[] = { "perf", "json", "pcapng", "html", "perfetto" };

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(arg, formats[i]))
			return (enum format)i;
	if (!stack_format_words__find(arg, &recording->stacks))
		argp_error(state,
			   "unknown format '%s': use perf, json, %s, pcapng, html or perfetto", arg,
			   stack_format_words__names(", ").text);
	return FORMAT_STACKS;
}

/* Wireshark's own ending is a request for its format. */
static bool is_pcapng(const char *path)
{
	return path && words__end_with(path, ".pcapng");
}

static bool is_perfetto(const char *path)
{
	return path && words__end_with(path, ".pftrace");
}

/* The format that trace and replay print. */
static void choose_output(struct options *options, struct argp_state *state)
{
	const char *to = options->output.to;

	options->output.pcapng = to ? !strcmp(to, "pcapng") : is_pcapng(options->output.path);
	options->output.perfetto = to ? !strcmp(to, "perfetto") : is_perfetto(options->output.path);
	if ((options->output.pcapng || options->output.perfetto) && options->output.json)
		argp_error(state,
			   "-j cannot be used with %s: use another name for -o, or --to json",
			   options->output.pcapng ? "pcapng" : "perfetto");
	if (!to || options->output.pcapng || options->output.perfetto)
		return;
	if (strcmp(to, "text") != 0 && strcmp(to, "json") != 0)
		argp_error(state, "unknown format '%s': use text, json, pcapng or perfetto", to);
	options->output.json |= !strcmp(to, "json");
}

static void choose_format(struct options *options, struct argp_state *state)
{
	struct recording_options *recording = &options->recording;

	if (options->output.to)
		recording->format = parse_format(recording, options->output.to, state);
	else if (is_pcapng(options->output.path))
		recording->format = FORMAT_PCAPNG;
	else if (options->output.path && words__end_with(options->output.path, ".html"))
		recording->format = FORMAT_HTML;
	else if (is_perfetto(options->output.path))
		recording->format = FORMAT_PERFETTO;
}

/* An option of the names of addresses that was given; NULL: none. */
static const char *symbols_option(const struct options *options)
{
	return options->symbols.none	       ? "--no-symbols"
	       : options->symbols.no_demangle  ? "--no-demangle"
	       : options->symbols.lines	       ? "--lines"
	       : options->symbols.debuginfod   ? "--debuginfod"
	       : options->symbols.memory_bytes ? "--symbol-memory"
					       : NULL;
}

static void check_flamegraph(const struct recording_options *recording, struct argp_state *state)
{
	bool is_flamegraph =
		recording->format == FORMAT_STACKS && recording->stacks == PEAT_STACKS_FLAMEGRAPH;
	const char *option = recording->inverted	  ? "--inverted"
			     : recording->reversed	  ? "--reversed"
			     : recording->min_percent > 0 ? "--min-percent"
			     : recording->diff		  ? "--diff"
							  : NULL;

	if (option && !is_flamegraph)
		argp_error(state, "%s needs --to flamegraph", option);
	if (recording->title && !is_flamegraph && recording->format != FORMAT_HTML)
		argp_error(state, "--title needs --to html or flamegraph: other formats have no "
				  "heading");
}

static void check_convert(const struct options *options, struct argp_state *state)
{
	bool has_stacks = options->recording.format == FORMAT_STACKS;
	const char *symbols = symbols_option(options);

	if (options->sources.name_count > 1 && !has_stacks)
		argp_error(state,
			   "too many arguments: '%s': convert one recording at a time; "
			   "EVENT is for --to %s",
			   options->sources.names[1], stack_format_words__names(" and ").text);
	if (!options->output.path)
		argp_error(state, "no output file: use -o OUT");
	if (options->recording.level && options->recording.format != FORMAT_PERF)
		argp_error(state, "-z needs --to perf: only a perf.data can be compressed");
	if (symbols && options->recording.format == FORMAT_PERF)
		argp_error(state, "%s cannot be used with --to perf: a perf.data has no symbols",
			   symbols);
	if (symbols && options->recording.format == FORMAT_PCAPNG)
		argp_error(state, "%s cannot be used with --to pcapng: packets have no symbols",
			   symbols);
	if (options->objects.types.count && has_stacks)
		argp_error(state, "--as needs --to perf, json, pcapng, html or perfetto: other "
				  "formats have only stacks");
	if (options->recording.weight && !has_stacks)
		argp_error(state, "--weight needs --to %s", stack_format_words__names(" or ").text);
	check_flamegraph(&options->recording, state);
}

static void check_replay(const struct options *options, struct argp_state *state)
{
	bool prints_events = !options->recording.stats && !options->recording.header;

	if (options->recording.stats && options->recording.header)
		argp_error(state, "--stats cannot be used with --header");
	if (options->filter.where && !prints_events)
		argp_error(state, "--where cannot be used with --stats or --header: they "
				  "print no events");
	if (options->objects.types.count && !prints_events)
		argp_error(state, "--as cannot be used with --stats or --header: they "
				  "print no events");
	if (options->objects.btf && !options->objects.types.count &&
	    options->verb & (REPLAY | VERB_CONVERT))
		argp_error(state, "--btf needs --as TYPE: it has the types of --as");
}

/* A timeline is no recording, and cannot be split. */
static void check_record(struct options *options, struct argp_state *state)
{
	const struct recording_options *recording = &options->recording;

	if (is_pcapng(options->output.path))
		argp_error(state,
			   "-o '%s': peat record writes a perf.data: use peat trace, or "
			   "peat convert afterwards",
			   options->output.path);
	options->output.perfetto = is_perfetto(options->output.path);
	if (options->output.perfetto &&
	    (recording->level || recording->max_bytes != UINT64_MAX ||
	     recording->switch_bytes != UINT64_MAX || recording->switch_ms != UINT64_MAX ||
	     options->flight.bytes))
		argp_error(state,
			   "-o '%s': -z, --max-size, --switch-output and --flight need a "
			   "perf.data: use peat convert afterwards",
			   options->output.path);
}

void options_recordings__check(struct options *options, struct argp_state *state)
{
	check_replay(options, state);
	if (options->verb & (VERB_TRACE | VERB_REPLAY))
		choose_output(options, state);
	if (options->verb == VERB_RECORD)
		check_record(options, state);
	if (options->recording.switch_files != UINT64_MAX &&
	    options->recording.switch_bytes == UINT64_MAX &&
	    options->recording.switch_ms == UINT64_MAX)
		argp_error(state, "--switch-max-files needs --switch-output SIZE|TIME");
	if (options->verb == VERB_REPORT && !options->output.path)
		argp_error(state, "no output file: use -o OUT.html");
	if (options->verb != VERB_CONVERT)
		return;
	choose_format(options, state);
	check_convert(options, state);
}
