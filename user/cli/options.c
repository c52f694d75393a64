// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options.c: every option of every verb, declared once. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include <peat/peat.h>

#include "cli.h"
#include "options.h"
#include "units.h"

enum { OPT_COMM = 0x100, OPT_LATENCY, OPT_MEMORY, OPT_MAX_RATE };

static const struct argp_option declared[] = {
	{ NULL, 0, NULL, 0, "Which events:", 1 },
	{ "pid", 'p', "PID", 0, "only those of this process", 1 },
	{ "comm", OPT_COMM, "NAME", 0, "only those of tasks with this name (15 bytes at most)", 1 },
	{ "cpu", 'C', "LIST", 0, "only those of these CPUs: 0-3,8", 1 },
	{ "max-rate", OPT_MAX_RATE, "N", 0,
	  "at most N a second of each CPU; the others are counted as throttled", 1 },
	{ NULL, 0, NULL, 0, "For how long:", 2 },
	{ "duration", 'd', "TIME", 0, "stop after TIME: 10, 500ms, 2m (a bare number is seconds)",
	  2 },
	{ "count", 'n', "COUNT", 0, "stop after COUNT events", 2 },
	{ NULL, 0, NULL, 0, "Output:", 3 },
	{ "output", 'o', "FILE", 0, "write the events to FILE", 3 },
	{ "timestamps", 'T', NULL, 0, "begin each line with the time of day", 3 },
	{ "quiet", 'q', NULL, 0, "neither heading nor summary", 3 },
	{ "verbose", 'v', NULL, 0,
	  "say what is done, with libbpf's warnings and the verifier's log; -vv: with all of "
	  "libbpf's messages",
	  3 },
	{ NULL, 0, NULL, 0, "The rings:", 4 },
	{ "latency", OPT_LATENCY, "TIME", 0,
	  "print an event at most this long after it happened; a bare number is milliseconds "
	  "(default 100ms); 0 wakes peat for each event, which slows down what is traced",
	  4 },
	{ "memory", OPT_MEMORY, "SIZE", 0,
	  "for all rings together: 512K, 8M (default 1M a CPU, at most 1% of RAM and 256M)", 4 },
	{ "help", 'h', NULL, 0, "this text", -1 },
	{ "version", 'V', NULL, 0, "the version", -1 },
	{ 0 },
};

static uint32_t parse_pid(const char *arg, struct argp_state *state)
{
	uint64_t pid;

	if (!units__count(arg, INT32_MAX, &pid) || !pid)
		argp_error(state, "'%s' is not a process id", arg);
	return (uint32_t)pid;
}

static uint64_t parse_time(const char *arg, uint64_t bare_ms, uint64_t max_ms,
			   struct argp_state *state)
{
	uint64_t ms;

	if (!units__time_ms(arg, bare_ms, &ms) || ms > max_ms)
		argp_error(state, "'%s' is not a time such as 10s, 500ms or 2m%s", arg,
			   max_ms == UINT64_MAX ? "" : ", or too long");
	return ms;
}

static uint64_t parse_count(const char *arg, struct argp_state *state)
{
	uint64_t count;

	if (!units__count(arg, UINT64_MAX - 1, &count) || !count)
		argp_error(state, "'%s' is not a number of events", arg);
	return count;
}

static uint64_t parse_memory(const char *arg, struct argp_state *state)
{
	uint64_t bytes;

	if (!units__bytes(arg, &bytes) || !bytes)
		argp_error(state, "'%s' is not an amount of memory such as 512K or 8M", arg);
	return bytes;
}

static void print_version(void)
{
	puts("peat " PEAT_VERSION);
	exit(fflush(stdout) ? EXIT_FAILED : 0);
}

static error_t parse_argument(struct options *options, char *arg, struct argp_state *state)
{
	if (options->name)
		argp_error(state, "one probe is enough: '%s' is too many", arg);
	options->name = arg;
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'p':
		options->pid = parse_pid(arg, state);
		return 0;
	case OPT_COMM:
		options->comm = arg;
		return 0;
	case 'C':
		options->cpus = arg;
		return 0;
	case 'd':
		options->run_ms = parse_time(arg, 1000, UINT64_MAX, state);
		return 0;
	case 'n':
		options->count = parse_count(arg, state);
		return 0;
	case 'o':
		options->output = arg;
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
	case OPT_LATENCY:
		options->latency_ms = (uint32_t)parse_time(arg, 1, 3600 * 1000, state);
		return 0;
	case OPT_MAX_RATE:
		options->max_rate = parse_count(arg, state);
		return 0;
	case OPT_MEMORY:
		options->memory_bytes = parse_memory(arg, state);
		return 0;
	case 'h':
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	case 'V':
		print_version();
		return 0;
	case ARGP_KEY_ARG:
		return parse_argument(options, arg, state);
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which probe?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void options__parse(struct options *options, const char *verb, const char *doc, int argc,
		    char **argv)
{
	const struct argp argp = { declared, parse_option, "PROBE", doc, NULL, NULL, NULL };
	char name[32];

	*options = (struct options){
		.run_ms = UINT64_MAX,
		.count = UINT64_MAX,
		.latency_ms = 100,
	};
	snprintf(name, sizeof(name), "peat %s", verb);
	argv[0] = name;
	argp_err_exit_status = EXIT_USAGE;
	argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, options);
}
