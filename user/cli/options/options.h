/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options.h: the options of all verbs. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "cli/options/options_bench.h"
#include "cli/options/options_filter.h"
#include "cli/options/options_flight.h"
#include "cli/options/options_limits.h"
#include "cli/options/options_list.h"
#include "cli/options/options_objects.h"
#include "cli/options/options_output.h"
#include "cli/options/options_profile.h"
#include "cli/options/options_recordings.h"
#include "cli/options/options_sampling.h"
#include "cli/options/options_sources.h"
#include "cli/options/options_stacks.h"
#include "cli/options/options_stat.h"
#include "cli/options/options_symbols.h"
#include "cli/options/options_table.h"

enum verb_bit {
	VERB_TRACE = 1,
	VERB_LIST = 2,
	VERB_BUILD = 4,
	VERB_REPLAY = 8,
	VERB_CONVERT = 16,
	VERB_RECORD = 32,
	VERB_BENCH = 64,
	VERB_COUNT = 128,
	VERB_HIST = 256,
	VERB_TOP = 512,
	VERB_STAT = 1024,
	VERB_PROFILE = 2048,
	VERB_DOCTOR = 4096,
	VERB_EXAMPLES = 8192,
	VERB_REPORT = 16384
};

/* Values of the options of all verbs, by subject. */
struct options {
	enum verb_bit verb;
	struct source_options sources;
	struct object_options objects;
	struct filter_options filter;
	struct sampling_options sampling;
	struct stack_options stacks;
	struct symbol_options symbols;
	struct limit_options limits;
	struct output_options output;
	struct table_options table;
	struct recording_options recording;
	struct flight_options flight;
	struct profile_options profile;
	struct stat_options stat;
	struct list_options list;
	struct bench_options bench;
};

struct argp_option;

/* The i-th option of a verb, or heading among them; NULL after the last. */
const struct argp_option *options__at(unsigned verb, size_t i);

/* Removes the words after the first "--" from the arguments and returns them; NULL: no "--". */
char **options__cut_command(int *argc, char **argv);

/*
 * Parses the options of a verb.  `arguments` and `doc` are for its help; argv[0] is its name there.
 * Prints and exits for -h, -V and invalid options, as argp does.
 */
void options__parse(struct options *options, enum verb_bit verb, const char *arguments,
		    const char *doc, int argc, char **argv);

#endif /* OPTIONS_H */
