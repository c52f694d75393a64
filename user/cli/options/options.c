// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options.c: parses the options of a verb: the rows of all subjects that it has. */
#include <argp.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/stack_format_words.h"

static void print_help(void *member, const char *arg, struct argp_state *state)
{
	(void)member;
	(void)arg;
	argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
}

static void print_version(void *member, const char *arg, struct argp_state *state)
{
	(void)member;
	(void)arg;
	(void)state;
	puts("peat " PEAT_VERSION);
	exit(fflush(stdout) ? EXIT_FAILED : 0);
}

/* Headings of the help, and options of all verbs. */
static const struct option_row general[] = {
	{ { NULL, 0, NULL, 0, "Events:", 1 }, RUN | VERB_PROFILE | VERB_DOCTOR, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Events and their types:", 1 }, REPLAY | VERB_CONVERT, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Perf events:", 3 }, RUN, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Counts:", 2 }, TALLY, NULL, 0 },
	{ { NULL, 0, NULL, 0, "BPF programs:", 4 }, RUN | VERB_DOCTOR, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Limits:", 5 }, RUN | REPLAY | VERB_PROFILE, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Instead of events:", 4 }, VERB_REPLAY, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Flight recorder:", 6 }, VERB_RECORD, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Output:", 7 },
	  RUN | VERB_PROFILE | VERB_LIST | VERB_DOCTOR | VERB_EXAMPLES | REPLAY | VERB_CONVERT,
	  NULL,
	  0 },
	{ { NULL, 0, NULL, 0, "Rings:", 8 }, RUN | VERB_PROFILE, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Maps of other programs:", 9 }, RUN, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Events:", 1 }, VERB_STAT, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Tasks and CPUs:", 2 }, VERB_STAT, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Limits and output:", 4 }, VERB_STAT, NULL, 0 },
	{ { NULL, 0, NULL, 0, "Samples:", 2 }, VERB_PROFILE, NULL, 0 },
	{ { "help", 'h', NULL, 0, "print this help", -1 }, ALL, BY(print_help, verb) },
	{ { "version", 'V', NULL, 0, "print the version", -1 }, ALL, BY(print_version, verb) },
	LAST_ROW,
};

static const struct option_row *const subjects[] = {
	options_bench__rows,	  options_filter__rows,
	options_stat__rows,	  options_sampling__rows,
	options_table__rows,	  options_limits__rows,
	options_profile__rows,	  options_stacks__rows,
	options_flight__rows,	  options_objects__rows,
	options_output__rows,	  options_list__rows,
	options_recordings__rows, options_sources__rows,
	options_symbols__rows,	  general,
};

/* In this order: the first error is printed. */
static void (*const checks[])(struct options *options, struct argp_state *state) = {
	options_profile__check, options_recordings__check, options_table__check,
	options_flight__check,	options_sampling__check,   options_symbols__check,
	options_stacks__check,	options_sources__check,
};

/* The i-th row of a verb; NULL after the last. */
static const struct option_row *row_at(unsigned verb, size_t i)
{
	for (size_t at = 0; at < sizeof(subjects) / sizeof(*subjects); at++)
		for (const struct option_row *row = subjects[at]; row->verbs; row++)
			if (row->verbs & verb && !i--)
				return row;
	return NULL;
}

const struct argp_option *options__at(unsigned verb, size_t i)
{
	const struct option_row *row = row_at(verb, i);

	return row ? &row->option : NULL;
}

/* Keys of options without a letter: the first, of the first row. */
#define NAMED_KEYS 0x100

static int key_of(const struct option_row *row, size_t i)
{
	return row->option.key || !row->option.name ? row->option.key : NAMED_KEYS + (int)i;
}

static const struct option_row *find_row(unsigned verb, int key)
{
	const struct option_row *row;

	for (size_t i = 0; (row = row_at(verb, i)); i++)
		if (row->take && key_of(row, i) == key)
			return row;
	return NULL;
}

static void check(struct options *options, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		checks[i](options, state);
	if (options->output.ordered && !options->limits.latency_ms)
		argp_error(state, "--ordered cannot be used with --latency 0: events wait "
				  "until no older one can arrive");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	const struct option_row *row;

	switch (key) {
	case ARGP_KEY_ARG:
		options_sources__add(&options->sources, arg, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		options_sources__add_none(options, state);
		return 0;
	case ARGP_KEY_END:
		check(options, state);
		return 0;
	default:
		row = find_row(options->verb, key);
		if (!row)
			return ARGP_ERR_UNKNOWN;
		row->take((char *)options + row->member, arg, state);
		return 0;
	}
}

#define OPTIONS_MAX 128

/* The options of the verb, as the array that argp requires: zeroes at the end. */
static void choose(struct argp_option chosen[OPTIONS_MAX + 1], enum verb_bit verb)
{
	const struct option_row *row;
	size_t i;

	for (i = 0; (row = row_at(verb, i)); i++) {
		assert(i < OPTIONS_MAX);
		chosen[i] = row->option;
		chosen[i].key = key_of(row, i);
	}
	chosen[i] = (struct argp_option){ 0 };
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

static const char *error_if_none(enum verb_bit verb)
{
	switch (verb) {
	case VERB_BUILD:
		return "no source file: use peat build FILE.bpf.c";
	case VERB_REPLAY:
		return "no recording, and no perf.data here: use peat replay FILE";
	case VERB_REPORT:
		return "no recording, and no perf.data here: use peat report FILE -o OUT.html";
	case VERB_CONVERT:
		return "no recording, and no perf.data here: use peat convert FILE -o OUT";
	default:
		return verb & RUN ? "no source: peat list shows the probes, peat examples whole "
				    "commands"
				  : NULL;
	}
}

void options__parse(struct options *options, enum verb_bit verb, const char *arguments,
		    const char *doc, int argc, char **argv)
{
	struct argp_option chosen[OPTIONS_MAX + 1];
	const struct argp argp = { .options = chosen,
				   .parser = parse_option,
				   .args_doc = arguments,
				   .doc = doc,
				   .help_filter = stack_format_words__filter_help };
	error_t err;

	*options = (struct options){
		.verb = verb,
		.sources.if_none = error_if_none(verb),
		.limits = { .run_ms = UINT64_MAX, .count = UINT64_MAX, .latency_ms = 100 },
		.recording = { .max_bytes = UINT64_MAX,
			       .switch_bytes = UINT64_MAX,
			       .switch_ms = UINT64_MAX,
			       .switch_files = UINT64_MAX },
		.flight = { .max_dumps = UINT64_MAX, .interval_ms = UINT64_MAX },
		.table = { .row_count = UINT64_MAX,
			   .max_rows = OPTIONS_MAX_ROWS,
			   .linear_width = 1 },
	};
	choose(chosen, verb);
	argp_err_exit_status = EXIT_USAGE;
	err = argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, options);
	if (!err)
		return;
	messages__print("cannot read the options: %s", strerror(err));
	exit(EXIT_FAILED);
}
