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
		options->stats = true;
		return 0;
	case OPT_HEADER:
		options->header = true;
		return 0;
	case OPT_UNORDERED:
		options->unordered = true;
		return 0;
	case OPT_TIME:
		if (options->verb & LIVE)
			argp_error(state, "--time is for peat replay: use -d, or -T for the time "
					  "of day");
		parse_value__span(arg, &options->from_ns, &options->to_ns, state);
		options->by_time = true;
		return 0;
	case ARGP_KEY_END:
		if (options->stats && options->header)
			argp_error(state, "--stats cannot be used with --header");
		if (options->where && (options->stats || options->header))
			argp_error(state, "--where cannot be used with --stats or --header: they "
					  "print no events");
		if (options->type_count && (options->stats || options->header))
			argp_error(state, "--as cannot be used with --stats or --header: they "
					  "print no events");
		if (options->btf && !options->type_count &&
		    options->verb & (VERB_REPLAY | VERB_CONVERT))
			argp_error(state, "--btf needs --as TYPE: it has the types of --as");
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void parse_switch(struct options *options, const char *arg, struct argp_state *state)
{
	if (parse_unit__bytes(arg, &options->switch_bytes) && options->switch_bytes &&
	    strpbrk(arg, "KMGTBkg"))
		return;
	options->switch_bytes = UINT64_MAX;
	if (!parse_unit__time_ms(arg, 0, &options->switch_ms) || !options->switch_ms)
		argp_error(state, "'%s' is neither a size such as 64M nor a time such as 10s", arg);
}

static error_t parse_record(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'z':
		options->level = parse_value__level(arg, state);
		return 0;
	case OPT_MAX_SIZE:
		options->max_bytes = parse_value__memory(arg, state);
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
	const char *to = options->to;

	options->pcapng = to ? !strcmp(to, "pcapng") : is_pcapng(options->output);
	if (options->pcapng && options->json)
		argp_error(state, "-j cannot be used with pcapng: use another name for -o, or --to "
				  "json");
	if (!to || options->pcapng)
		return;
	if (strcmp(to, "text") != 0 && strcmp(to, "json") != 0)
		argp_error(state, "unknown format '%s': use text, json or pcapng", to);
	options->json |= !strcmp(to, "json");
}

static void choose_format(struct options *options, struct argp_state *state)
{
	if (options->to)
		options->format = parse_format(options->to, state);
	else if (is_pcapng(options->output))
		options->format = FORMAT_PCAPNG;
}

/* An option of the names of addresses that was given; NULL: none. */
static const char *symbols_option(const struct options *options)
{
	return options->no_symbols     ? "--no-symbols"
	       : options->no_demangle  ? "--no-demangle"
	       : options->lines	       ? "--lines"
	       : options->debuginfod   ? "--debuginfod"
	       : options->symbol_bytes ? "--symbol-memory"
				       : NULL;
}

static void check_convert(const struct options *options, struct argp_state *state)
{
	bool has_stacks = options->format != FORMAT_PERF && options->format != FORMAT_JSON &&
			  options->format != FORMAT_PCAPNG;
	const char *symbols = symbols_option(options);

	if (options->name_count > 1 && !has_stacks)
		argp_error(state,
			   "too many arguments: '%s': convert one recording at a time; "
			   "EVENT is for --to folded, flamegraph and pprof",
			   options->names[1]);
	if (!options->output)
		argp_error(state, "no output file: use -o OUT");
	if (options->level && options->format != FORMAT_PERF)
		argp_error(state, "-z needs --to perf: only a perf.data can be compressed");
	if (symbols && options->format == FORMAT_PERF)
		argp_error(state, "%s cannot be used with --to perf: a perf.data has no symbols",
			   symbols);
	if (symbols && options->format == FORMAT_PCAPNG)
		argp_error(state, "%s cannot be used with --to pcapng: packets have no symbols",
			   symbols);
	if (options->where && options->format == FORMAT_PERF)
		argp_error(state, "--where cannot be used with --to perf: a perf.data is written "
				  "with all records");
	if (options->type_count && has_stacks)
		argp_error(state,
			   "--as needs --to perf, json or pcapng: other formats have only stacks");
	if (options->weight && !has_stacks)
		argp_error(state, "--weight needs --to folded, flamegraph or pprof");
}

static error_t parse_convert(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_TO:
		options->to = arg;
		return 0;
	case OPT_WEIGHT:
		options->weight = arg;
		return 0;
	case ARGP_KEY_END:
		if (options->verb & (VERB_TRACE | VERB_REPLAY))
			choose_output(options, state);
		if (options->verb == VERB_RECORD && is_pcapng(options->output))
			argp_error(state,
				   "-o '%s': peat record writes a perf.data: use peat trace, or "
				   "peat convert afterwards",
				   options->output);
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
