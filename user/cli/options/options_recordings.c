// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_recordings.c: options of recordings: of replay, record and convert. */
#include <string.h>

#include "cli/options/option_keys.h"
#include "cli/options/options_recordings.h"
#include "cli/options/parse_unit.h"
#include "cli/options/parse_value.h"

static error_t parse_replay(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_STATS:
		options->recording.stats = true;
		return 0;
	case OPT_HEADER:
		options->recording.header = true;
		return 0;
	case OPT_UNORDERED:
		options->recording.unordered = true;
		return 0;
	case OPT_TIME:
		if (options->verb & LIVE)
			argp_error(state, "--time is for peat replay: use -d, or -T for the time "
					  "of day");
		parse_value__span(arg, &options->filter.from_ns, &options->filter.to_ns, state);
		options->filter.by_time = true;
		return 0;
	case ARGP_KEY_END:
		if (options->recording.stats && options->recording.header)
			argp_error(state, "--stats cannot be used with --header");
		if (options->filter.where &&
		    (options->recording.stats || options->recording.header))
			argp_error(state, "--where cannot be used with --stats or --header: they "
					  "print no events");
		if (options->objects.types.count &&
		    (options->recording.stats || options->recording.header))
			argp_error(state, "--as cannot be used with --stats or --header: they "
					  "print no events");
		if (options->objects.btf && !options->objects.types.count &&
		    options->verb & (VERB_REPLAY | VERB_CONVERT))
			argp_error(state, "--btf needs --as TYPE: it has the types of --as");
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void parse_switch(struct options *options, const char *arg, struct argp_state *state)
{
	if (parse_unit__bytes(arg, &options->recording.switch_bytes) &&
	    options->recording.switch_bytes && strpbrk(arg, "KMGTBkg"))
		return;
	options->recording.switch_bytes = UINT64_MAX;
	if (!parse_unit__time_ms(arg, 0, &options->recording.switch_ms) ||
	    !options->recording.switch_ms)
		argp_error(state, "'%s' is neither a size such as 64M nor a time such as 10s", arg);
}

static error_t parse_record(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'z':
		options->recording.level = parse_value__level(arg, state);
		return 0;
	case OPT_MAX_SIZE:
		options->recording.max_bytes = parse_value__memory(arg, state);
		return 0;
	case OPT_SWITCH:
		parse_switch(options, arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static enum format parse_format(const char *arg, struct argp_state *state)
{
	static const char *const formats[] = { "perf",	     "json",  "folded",
					       "flamegraph", "pprof", "pcapng" };

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(arg, formats[i]))
			return (enum format)i;
	argp_error(state,
		   "unknown format '%s': use perf, json, folded, "
		   "flamegraph, pprof or pcapng",
		   arg);
	return FORMAT_PERF;
}

/* Wireshark's own ending is a request for its format. */
static bool is_pcapng(const char *path)
{
	size_t bytes = path ? strlen(path) : 0;

	return bytes > strlen(".pcapng") && !strcmp(path + bytes - strlen(".pcapng"), ".pcapng");
}

/* The format that trace and replay print. */
static void choose_output(struct options *options, struct argp_state *state)
{
	const char *to = options->output.to;

	options->output.pcapng = to ? !strcmp(to, "pcapng") : is_pcapng(options->output.path);
	if (options->output.pcapng && options->output.json)
		argp_error(state, "-j cannot be used with pcapng: use another name for -o, or --to "
				  "json");
	if (!to || options->output.pcapng)
		return;
	if (strcmp(to, "text") != 0 && strcmp(to, "json") != 0)
		argp_error(state, "unknown format '%s': use text, json or pcapng", to);
	options->output.json |= !strcmp(to, "json");
}

static void choose_format(struct options *options, struct argp_state *state)
{
	if (options->output.to)
		options->recording.format = parse_format(options->output.to, state);
	else if (is_pcapng(options->output.path))
		options->recording.format = FORMAT_PCAPNG;
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

static void check_convert(const struct options *options, struct argp_state *state)
{
	bool has_stacks = options->recording.format != FORMAT_PERF &&
			  options->recording.format != FORMAT_JSON &&
			  options->recording.format != FORMAT_PCAPNG;
	const char *symbols = symbols_option(options);

	if (options->sources.name_count > 1 && !has_stacks)
		argp_error(state,
			   "too many arguments: '%s': convert one recording at a time; "
			   "EVENT is for --to folded, flamegraph and pprof",
			   options->sources.names[1]);
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
	if (options->filter.where && options->recording.format == FORMAT_PERF)
		argp_error(state, "--where cannot be used with --to perf: a perf.data is written "
				  "with all records");
	if (options->objects.types.count && has_stacks)
		argp_error(state,
			   "--as needs --to perf, json or pcapng: other formats have only stacks");
	if (options->recording.weight && !has_stacks)
		argp_error(state, "--weight needs --to folded, flamegraph or pprof");
}

static error_t parse_convert(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_TO:
		options->output.to = arg;
		return 0;
	case OPT_WEIGHT:
		options->recording.weight = arg;
		return 0;
	case ARGP_KEY_END:
		if (options->verb & (VERB_TRACE | VERB_REPLAY))
			choose_output(options, state);
		if (options->verb == VERB_RECORD && is_pcapng(options->output.path))
			argp_error(state,
				   "-o '%s': peat record writes a perf.data: use peat trace, or "
				   "peat convert afterwards",
				   options->output.path);
		if (options->verb != VERB_CONVERT)
			return ARGP_ERR_UNKNOWN;
		choose_format(options, state);
		check_convert(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

error_t options_recordings__parse(struct options *options, int key, char *arg,
				  struct argp_state *state)
{
	error_t answer = parse_replay(options, key, arg, state);

	if (answer == ARGP_ERR_UNKNOWN)
		answer = parse_record(options, key, arg, state);
	return answer == ARGP_ERR_UNKNOWN ? parse_convert(options, key, arg, state) : answer;
}
