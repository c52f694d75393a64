// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_profile.c: peat profile. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/words.h"
#include "cli/options/option_take.h"
#include "cli/options/options.h"
#include "cli/options/stack_format_words.h"

const struct option_row options_profile__rows[] = {
	{ { "freq", 'F', "RATE", 0, "take RATE samples per second and CPU (default 99)", 2 },
	  VERB_PROFILE,
	  INTO(profile.freq) },
	{ { "event", 'e', "EVENT", 0,
	    "sample this perf event: cycles, cpu-clock (default), page-faults", 2 },
	  VERB_PROFILE,
	  INTO(profile.event) },
	{ { "offcpu", 0, NULL, 0, "instead of samples, measure the times that threads do not run",
	    2 },
	  VERB_PROFILE,
	  INTO(profile.offcpu) },
	{ { "min", 0, "TIME", 0, "with --offcpu, only times of at least TIME (default 1ms)", 2 },
	  VERB_PROFILE,
	  INTO(profile.min) },
	LAST_ROW,
};

/* Memory of rings for samples with a piece of the user stack. */
#define DWARF_RING_BYTES (8ULL << 20)
#define DWARF_MEMORY_MAX (256ULL << 20)

static const struct {
	const char *name, *ending;
	enum profile_format format;
} formats[] = {
	{ "text", ".txt", PROFILE_TEXT },
	{ "json", ".json", PROFILE_JSON },
};

#define FORMATS (sizeof(formats) / sizeof(*formats))

static enum profile_format find_format(struct profile_options *profile, const char *name,
				       struct argp_state *state)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return formats[i].format;
	if (!stack_format_words__find(name, &profile->stacks))
		argp_error(state, "--to '%s': expected text, %s or json", name,
			   stack_format_words__names(", ").text);
	return PROFILE_STACKS;
}

/* An end of the library's may be longer, such as .x.json. */
static enum profile_format format_of_file(struct profile_options *profile, const char *path,
					  struct argp_state *state)
{
	if (stack_format_words__of_file(path, &profile->stacks))
		return PROFILE_STACKS;
	for (size_t i = 0; i < FORMATS; i++)
		if (words__end_with(path, formats[i].ending))
			return formats[i].format;
	argp_error(state,
		   "-o '%s': unknown format: use --to, or a name that ends with %s, .json or .txt",
		   path, stack_format_words__suffixes().text);
	return PROFILE_TEXT;
}

/* Variables of the probe; the library parses and checks their values. */
static void set(struct options *options, const char *name, const char *value,
		struct argp_state *state)
{
	static char texts[3][256];
	char *text = texts[options->objects.sets.count];

	if (snprintf(text, sizeof(texts[0]), "%s=%s", name, value) >= (int)sizeof(texts[0]))
		argp_error(state, "'%s' is too long", value);
	options->objects.sets.at[options->objects.sets.count++] = text;
}

static void check_sort(const char *sort, struct argp_state *state)
{
	if (sort && strcmp(sort, "self") != 0 && strcmp(sort, "total") != 0)
		argp_error(state, "--sort '%s': expected self or total", sort);
}

/*
 * Samples with a piece of the user stack need much memory while the first of a program is unwound,
 * which reads its debug information.
 */
static void choose_memory(struct options *options)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t bytes = (uint64_t)(cpus > 0 ? cpus : 1) * DWARF_RING_BYTES;

	if (!options->limits.memory_bytes && options->stacks.kinds & PEAT_STACK_DWARF)
		options->limits.memory_bytes = bytes < DWARF_MEMORY_MAX ? bytes : DWARF_MEMORY_MAX;
}

void options_profile__check(struct options *options, struct argp_state *state)
{
	struct profile_options *profile = &options->profile;
	struct source_options *sources = &options->sources;
	struct output_options *output = &options->output;

	if (options->verb != VERB_PROFILE)
		return;
	if (sources->name_count)
		argp_error(state, "unexpected argument '%s': a command follows --",
			   sources->names[0]);
	if (profile->offcpu && (profile->event || profile->freq))
		argp_error(state, "--offcpu cannot be used with -e and -F: it takes no samples, "
				  "but measures each time");
	if (profile->min && !profile->offcpu)
		argp_error(state, "--min needs --offcpu");
	if (options->stacks.kinds == PEAT_STACK_NONE)
		argp_error(state, "--stacks none: peat profile counts stacks: use peat count "
				  "profile --by comm for counts without them");
	sources->names[sources->name_count++] = profile->offcpu ? "offcpu" : "profile";
	if (profile->event)
		set(options, "event", profile->event, state);
	if (profile->freq)
		set(options, "freq", profile->freq, state);
	if (profile->min)
		set(options, "min", profile->min, state);
	check_sort(options->table.sort, state);
	choose_memory(options);
	if (!output->to && output->json)
		output->to = "json";
	if (output->to)
		profile->format = find_format(profile, output->to, state);
	else if (output->path)
		profile->format = format_of_file(profile, output->path, state);
}
