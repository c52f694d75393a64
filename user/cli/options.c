// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options.c: every option of every verb, declared once. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"
#include "units.h"
#include "values.h"

enum {
	OPT_COMM = 0x100,
	OPT_CGROUP,
	OPT_LATENCY,
	OPT_MEMORY,
	OPT_MAX_RATE,
	OPT_ORDERED,
	OPT_SAMPLE,
	OPT_SET,
	OPT_NO_PROG,
	OPT_AS,
	OPT_IF,
	OPT_BEST_EFFORT
};
enum { OPT_MAP = 0x200, OPT_STEAL, OPT_PIN, OPT_ATTACHED };
enum { OPT_STATS = 0x300, OPT_HEADER, OPT_UNORDERED };
enum { OPT_MAX_SIZE = 0x400, OPT_SWITCH };
enum { OPT_TO = 0x500, OPT_QUICK, OPT_BTF, OPT_TRANSPORT };

/* Which verbs an option is for. */
#define TRACE VERB_TRACE
#define LIVE  (VERB_TRACE | VERB_RECORD)
#define BUILD VERB_BUILD
#define ALL                                                                                        \
	(VERB_TRACE | VERB_LIST | VERB_BUILD | VERB_REPLAY | VERB_RECORD | VERB_CONVERT |          \
	 VERB_BENCH)

static const struct {
	struct argp_option option;
	unsigned verbs;
} declared[] = {
	{ { NULL, 0, NULL, 0, "Which events:", 1 }, LIVE },
	{ { NULL, 0, NULL, 0, "Which events, and what they are:", 1 }, VERB_REPLAY },
	{ { NULL, 0, NULL, 0, "What events are:", 1 }, VERB_CONVERT },
	{ { "pid", 'p', "PID", 0, "only those of this process", 1 }, LIVE | VERB_REPLAY },
	{ { "tid", 't', "TID", 0, "only those of this thread", 1 }, LIVE | VERB_REPLAY },
	{ { "uid", 'u', "USER", 0, "only those of this user, a number or a name", 1 }, LIVE },
	{ { "comm", OPT_COMM, "NAME", 0, "only those of tasks with this name (15 bytes at most)",
	    1 },
	  LIVE | VERB_REPLAY },
	{ { "cgroup", OPT_CGROUP, "PATH", 0, "only those of tasks in this cgroup or below", 1 },
	  LIVE },
	{ { "cpu", 'C', "LIST", 0, "only those of these CPUs: 0-3,8", 1 }, LIVE | VERB_REPLAY },
	{ { "max-rate", OPT_MAX_RATE, "N", 0,
	    "at most N a second of each CPU; the others are counted as throttled", 1 },
	  LIVE },
	{ { NULL, 0, NULL, 0, "The programs:", 2 }, LIVE },
	{ { "set", OPT_SET, "NAME=VALUE", 0,
	    "set a global variable of an object, or a part of one: limit=5, args.pid=1, "
	    "names[2]=abc (peat list -v FILE shows them)",
	    2 },
	  LIVE },
	{ { "as", OPT_AS, "[MAP=]TYPE", 0,
	    "what is written to a perf event array of an object that does not know peat: a struct "
	    "of the object's",
	    2 },
	  LIVE },
	{ { "no-prog", OPT_NO_PROG, "NAME", 0, "leave out the program of this name", 2 }, LIVE },
	{ { "if", OPT_IF, "NAME", 0,
	    "attach programs that see packets (tc, XDP) to this network interface; several: "
	    "eth0,lo, or --if again",
	    2 },
	  LIVE },
	{ { "best-effort", OPT_BEST_EFFORT, NULL, 0,
	    "leave out programs that cannot be loaded or attached, and say which", 2 },
	  LIVE },
	{ { "as", OPT_AS, "[EVENT=]TYPE", 0,
	    "what the bytes are that an event's samples have: a struct of --btf's or of the "
	    "recording's",
	    1 },
	  VERB_REPLAY | VERB_CONVERT },
	{ { "btf", OPT_BTF, "FILE", 0,
	    "look for those structs in FILE first: a BPF object, or BTF such as "
	    "/sys/kernel/btf/vmlinux",
	    1 },
	  VERB_REPLAY | VERB_CONVERT },
	{ { NULL, 0, NULL, 0, "For how long:", 3 }, LIVE | VERB_REPLAY },
	{ { "duration", 'd', "TIME", 0, "stop after TIME: 10, 500ms, 2m (a bare number is seconds)",
	    3 },
	  LIVE },
	{ { "count", 'n', "COUNT", 0, "stop after COUNT events", 3 }, LIVE | VERB_REPLAY },
	{ { "include", 'I', "DIR", 0, "look for headers in DIR first", 1 }, BUILD },
	{ { "output", 'o', "FILE", 0, "write the object to FILE (default: FILE.bpf.o beside it)",
	    1 },
	  BUILD },
	{ { NULL, 0, NULL, 0, "In place of events:", 2 }, VERB_REPLAY },
	{ { "stats", OPT_STATS, NULL, 0,
	    "records by type, samples by event, what was lost, from when to when", 2 },
	  VERB_REPLAY },
	{ { "header", OPT_HEADER, NULL, 0,
	    "what its header says of the machine, the command and the events", 2 },
	  VERB_REPLAY },
	{ { NULL, 0, NULL, 0, "Output:", 4 }, LIVE | VERB_LIST | VERB_REPLAY | VERB_CONVERT },
	{ { "json", 'j', NULL, 0, "JSON, an object a line", 4 }, TRACE },
	{ { "json", 'j', NULL, 0, "one JSON document", 4 }, VERB_LIST | VERB_BENCH },
	{ { "transport", OPT_TRANSPORT, "TEXT", 0,
	    "only what is called so in the table, or has TEXT in it: 'peat time, ids'", 1 },
	  VERB_BENCH },
	{ { "quick", OPT_QUICK, NULL, 0,
	    "some milliseconds for each number, to see that all works: they say little", 4 },
	  VERB_BENCH },
	{ { "json", 'j', NULL, 0, "JSON: of events an object a line, else one document", 4 },
	  VERB_REPLAY },
	{ { "output", 'o', "FILE", 0, "write the events to FILE", 4 }, TRACE | VERB_REPLAY },
	{ { "output", 'o', "FILE", 0,
	    "write to FILE (default perf.data; one that is there becomes FILE.old), - for standard "
	    "output",
	    4 },
	  VERB_RECORD },
	{ { "to", OPT_TO, "FORMAT", 0, "perf (default), json or folded", 4 }, VERB_CONVERT },
	{ { "output", 'o', "OUT", 0, "write to OUT, - for standard output", 4 }, VERB_CONVERT },
	{ { "compress", 'z', "LEVEL", OPTION_ARG_OPTIONAL,
	    "compress by zstd: 1 (default) to 22, slower and smaller", 4 },
	  VERB_RECORD | VERB_CONVERT },
	{ { "max-size", OPT_MAX_SIZE, "SIZE", 0, "stop when the recording has SIZE: 100M, 2G", 4 },
	  VERB_RECORD },
	{ { "switch-output", OPT_SWITCH, "SIZE|TIME", 0,
	    "go on in another file, FILE.1, FILE.2 and so on, each complete by itself, when one "
	    "has "
	    "SIZE (64M) or is TIME (10s) old",
	    4 },
	  VERB_RECORD },
	{ { "sample", OPT_SAMPLE, "LIST", 0,
	    "of objects that do not know peat: what the kernel samples along with each event: ip, "
	    "callchain, cgroup, regs_user, stack_user",
	    4 },
	  TRACE },
	{ { "ordered", OPT_ORDERED, NULL, 0, "merge the events of all CPUs by time", 4 }, TRACE },
	{ { "ordered", OPT_ORDERED, NULL, 0, "by time, as perf does it, which it is anyway", 4 },
	  VERB_REPLAY },
	{ { "unordered", OPT_UNORDERED, NULL, 0, "as they stand in the recording", 4 },
	  VERB_REPLAY },
	{ { "timestamps", 'T', NULL, 0, "begin each line with the time of day", 4 },
	  TRACE | VERB_REPLAY },
	{ { "quiet", 'q', NULL, 0, "neither heading nor summary", 4 }, LIVE | VERB_REPLAY },
	{ { "verbose", 'v', NULL, 0, "say more; -vv: more still", 4 }, VERB_REPLAY | VERB_CONVERT },
	{ { "verbose", 'v', NULL, 0,
	    "say more: what is done, libbpf's warnings and the verifier's log; -vv: all of "
	    "libbpf's messages",
	    4 },
	  LIVE },
	{ { "verbose", 'v', NULL, 0, "fields, options and hooks as well", 4 }, VERB_LIST },
	{ { NULL, 0, NULL, 0, "The rings:", 5 }, LIVE },
	{ { "latency", OPT_LATENCY, "TIME", 0,
	    "print an event at most this long after it happened; a bare number is milliseconds "
	    "(default 100ms); 0 wakes peat for each event, which slows down what is traced",
	    5 },
	  LIVE },
	{ { "memory", OPT_MEMORY, "SIZE", 0,
	    "for all rings together: 512K, 8M (default 1M a CPU, at most 1% of RAM and 256M)", 5 },
	  LIVE },
	{ { "memory", OPT_MEMORY, "SIZE", 0,
	    "for events that wait for their turn (default 24M); beyond it some may come late", 5 },
	  VERB_REPLAY },
	{ { NULL, 0, NULL, 0, "Maps of others:", 6 }, LIVE },
	{ { "map", OPT_MAP, "MAP", 0,
	    "read the perf event array of another program: id=N, name=X, or the path where it is "
	    "pinned, or that --pin made; may be given several times",
	    6 },
	  LIVE },
	{ { "steal", OPT_STEAL, NULL, 0, "even if somebody else may be reading it", 6 }, LIVE },
	{ { "pin", OPT_PIN, "PATH", 0,
	    "let the programs outlive peat: pinned in the new directory PATH, for --map PATH; rm "
	    "-r PATH ends them",
	    6 },
	  LIVE },
	{ { "attached", OPT_ATTACHED, NULL, 0,
	    "the perf event arrays of this machine: where they are pinned, which processes hold "
	    "them, which programs write to them",
	    6 },
	  VERB_LIST },
	{ { "help", 'h', NULL, 0, "this text", -1 }, ALL },
	{ { "version", 'V', NULL, 0, "the version", -1 }, ALL },
};

#define DECLARED (sizeof(declared) / sizeof(*declared))

static void print_version(void)
{
	puts("peat " PEAT_VERSION);
	exit(fflush(stdout) ? EXIT_FAILED : 0);
}

/* One more of an option that can be repeated. */
static error_t add_word(const char **words, size_t *count, char *arg, struct argp_state *state)
{
	if (*count == OPTIONS_NAMES)
		argp_error(state, "more than %d at once are too many", OPTIONS_NAMES);
	words[(*count)++] = arg;
	return 0;
}

static error_t parse_programs(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_SET:
		if (*arg == '=' || !strchr(arg, '='))
			argp_error(state, "--set takes NAME=VALUE, not '%s'", arg);
		return add_word(options->sets, &options->set_count, arg, state);
	case 'I':
		return add_word(options->includes, &options->include_count, arg, state);
	case OPT_AS:
		return add_word(options->types, &options->type_count, arg, state);
	case OPT_BTF:
		options->btf = arg;
		return 0;
	case OPT_NO_PROG:
		return add_word(options->left_out, &options->left_out_count, arg, state);
	case OPT_IF:
		return add_word(options->interfaces, &options->interface_count, arg, state);
	case OPT_BEST_EFFORT:
		options->best_effort = true;
		return 0;
	case OPT_QUICK:
		options->quick = true;
		return 0;
	case OPT_TRANSPORT:
		options->transport = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_filter(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'p':
		options->pid = values__pid(arg, state);
		return 0;
	case 't':
		options->tid = values__pid(arg, state);
		return 0;
	case 'u':
		options->uid = values__user(arg, state);
		options->by_uid = true;
		return 0;
	case OPT_CGROUP:
		options->cgroup = arg;
		return 0;
	case OPT_COMM:
		options->comm = arg;
		return 0;
	case 'C':
		options->cpus = arg;
		return 0;
	case OPT_MAX_RATE:
		options->max_rate = values__count(arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* For how long, and what is printed where. */
static error_t parse_output(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'd':
		options->run_ms = values__time(arg, 1000, UINT64_MAX, state);
		return 0;
	case 'n':
		options->count = values__count(arg, state);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case OPT_SAMPLE:
		options->sample |= values__sample(arg, state);
		return 0;
	case OPT_ORDERED:
		options->ordered = true;
		return 0;
	case 'T':
		options->timestamps = true;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case 'v':
		options->verbose++;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_rings(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_LATENCY:
		options->latency_ms = (uint32_t)values__time(arg, 1, 3600 * 1000, state);
		return 0;
	case OPT_MEMORY:
		options->memory_bytes = values__memory(arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_replay(struct options *options, int key, char *arg, struct argp_state *state)
{
	(void)arg;
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
	case ARGP_KEY_END:
		if (options->stats && options->header)
			argp_error(state, "--stats or --header: not both");
		if (options->type_count && (options->stats || options->header))
			argp_error(state,
				   "--as says what events are: not with --stats or --header");
		if (options->btf && !options->type_count)
			argp_error(state, "--btf says where the types of --as are: --as TYPE");
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void parse_switch(struct options *options, const char *arg, struct argp_state *state)
{
	if (units__bytes(arg, &options->switch_bytes) && options->switch_bytes &&
	    strpbrk(arg, "KMGTBkg"))
		return;
	options->switch_bytes = UINT64_MAX;
	if (!units__time_ms(arg, 0, &options->switch_ms) || !options->switch_ms)
		argp_error(state, "'%s' is neither a size such as 64M nor a time such as 10s", arg);
}

static error_t parse_record(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'z':
		options->level = values__level(arg, state);
		return 0;
	case OPT_MAX_SIZE:
		options->max_bytes = values__memory(arg, state);
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
	static const char *const formats[] = { "perf", "json", "folded" };

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(arg, formats[i]))
			return (enum format)i;
	argp_error(state, "there is no format '%s': perf, json or folded", arg);
	return FORMAT_PERF;
}

static void check_convert(const struct options *options, struct argp_state *state)
{
	if (options->name_count > 1)
		argp_error(state, "one recording at a time, not '%s' as well", options->names[1]);
	if (!options->output)
		argp_error(state, "where to? -o OUT");
	if (options->level && options->format != FORMAT_PERF)
		argp_error(state, "-z compresses a perf.data: with --to perf alone");
	if (options->type_count && options->format == FORMAT_FOLDED)
		argp_error(state, "--as says what events are: not with --to folded, which has "
				  "stacks alone");
}

static error_t parse_convert(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_TO:
		options->format = parse_format(arg, state);
		return 0;
	case ARGP_KEY_END:
		if (options->verb == VERB_CONVERT)
			check_convert(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void add_map(struct options *options, const char *arg, struct argp_state *state)
{
	if (options->map_count == OPTIONS_MAPS)
		argp_error(state, "more than %d maps at once are too many", OPTIONS_MAPS);
	options->maps[options->map_count++] = arg;
}

static error_t parse_maps(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_MAP:
		add_map(options, arg, state);
		return 0;
	case OPT_STEAL:
		options->steal = true;
		return 0;
	case OPT_PIN:
		options->pin = arg;
		return 0;
	case OPT_ATTACHED:
		options->attached = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_rest(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case 'V':
		print_version();
		return 0;
	case ARGP_KEY_ARG:
		return add_word(options->names, &options->name_count, arg, state);
	case ARGP_KEY_END:
		if (options->ordered && !options->latency_ms)
			argp_error(state, "--ordered needs a --latency: events wait until nothing "
					  "older can come");
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (options->if_none && !options->map_count)
			argp_error(state, "%s", options->if_none);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	static error_t (*const parsers[])(struct options *, int, char *, struct argp_state *) = {
		parse_filter, parse_programs, parse_output,  parse_rings, parse_maps,
		parse_replay, parse_record,   parse_convert, parse_rest
	};
	error_t answer = ARGP_ERR_UNKNOWN;

	for (size_t i = 0; answer == ARGP_ERR_UNKNOWN && i < sizeof(parsers) / sizeof(*parsers);
	     i++)
		answer = parsers[i](state->input, key, arg, state);
	return answer;
}

/* Those of the verb: argp wants them in a row, with zeroes at the end. */
static void choose(struct argp_option *chosen, enum verb_bit verb)
{
	for (size_t i = 0; i < DECLARED; i++)
		if (declared[i].verbs & verb)
			*chosen++ = declared[i].option;
	*chosen = (struct argp_option){ 0 };
}

char **options__cut_command(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		argv[i] = NULL;
		*argc = i;
		return argv + i + 1;
	}
	return NULL;
}

void options__parse(struct options *options, enum verb_bit verb, const char *arguments,
		    const char *doc, int argc, char **argv)
{
	struct argp_option chosen[DECLARED + 1];
	const struct argp argp = { chosen, parse_option, arguments, doc, NULL, NULL, NULL };

	*options = (struct options){
		.verb = verb,
		.run_ms = UINT64_MAX,
		.count = UINT64_MAX,
		.latency_ms = 100,
		.max_bytes = UINT64_MAX,
		.switch_bytes = UINT64_MAX,
		.switch_ms = UINT64_MAX,
		.if_none = verb & LIVE		  ? "which probe? peat list shows them"
			   : verb == BUILD	  ? "which file? peat build FILE.bpf.c"
			   : verb == VERB_REPLAY  ? "which recording? peat replay FILE"
			   : verb == VERB_CONVERT ? "which recording? peat convert FILE -o OUT"
						  : NULL,
	};
	choose(chosen, verb);
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, options);
}
