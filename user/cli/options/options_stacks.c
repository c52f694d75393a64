// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_stacks.c: the stacks of live events: --stacks and --stack-depth. */
#include <string.h>

#include <peat/record.h>
#include <peat/wire.h>

#include "cli/options/option_keys.h"
#include "cli/options/options_stacks.h"
#include "cli/options/parse_unit.h"

#define FIELDS_OF_STACKS (PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER)

static const struct {
	const char *word;
	uint32_t kinds;
} words[] = {
	{ "none", PEAT_STACK_NONE },
	{ "kernel", PEAT_STACK_KERNEL },
	{ "user", PEAT_STACK_USER },
	{ "both", PEAT_STACK_KERNEL | PEAT_STACK_USER },
	{ "dwarf", PEAT_STACK_KERNEL | PEAT_STACK_DWARF },
};

static bool find_kinds(const char *arg, size_t bytes, uint32_t *kinds)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strncmp(words[i].word, arg, bytes) != 0 || words[i].word[bytes])
			continue;
		*kinds = words[i].kinds;
		return true;
	}
	return false;
}

/* A multiple of 8, as the library takes it. */
static uint32_t parse_memory(const char *arg, const char *text, struct argp_state *state)
{
	uint64_t bytes;

	if (!parse_unit__bytes(text, &bytes) || !bytes || bytes > PEAT_STACK_MEMORY_MAX)
		argp_error(state,
			   "--stacks '%s': expected a size of the stack up to 16K, such as "
			   "dwarf,4K",
			   arg);
	return (uint32_t)(bytes + 7) & ~7U;
}

static void parse_stacks(struct options *options, const char *arg, struct argp_state *state)
{
	size_t bytes = strcspn(arg, ",");

	if (!find_kinds(arg, bytes, &options->stacks.kinds))
		argp_error(state, "--stacks '%s': expected none, kernel, user, both or dwarf", arg);
	if (!arg[bytes])
		return;
	if (!(options->stacks.kinds & PEAT_STACK_DWARF))
		argp_error(state, "--stacks '%s': only dwarf has a size", arg);
	options->stacks.memory = parse_memory(arg, arg + bytes + 1, state);
}

static void parse_depth(struct options *options, const char *arg, struct argp_state *state)
{
	uint64_t depth;

	if (!parse_unit__count(arg, UINT16_MAX, &depth) || !depth)
		argp_error(state, "--stack-depth '%s': expected a number of frames, such as 32",
			   arg);
	options->stacks.depth = (uint32_t)depth;
}

/* -g is the short form of perf. */
static void end_stacks(struct options *options, struct argp_state *state)
{
	if (options->stacks.kinds && options->sampling.call_graph)
		argp_error(state, "-g cannot be used with --stacks: it is --stacks both");
	if (options->stacks.kinds && options->sampling.sample & FIELDS_OF_STACKS)
		argp_error(state, "--stacks cannot be used with --sample of callchain, regs_user "
				  "and stack_user: these are the stacks");
	if (options->sampling.call_graph)
		options->stacks.kinds = PEAT_STACK_KERNEL | PEAT_STACK_USER;
	if (options->stacks.depth && options->stacks.kinds == PEAT_STACK_NONE)
		argp_error(state, "--stack-depth cannot be used with --stacks none");
}

error_t options_stacks__parse(struct options *options, int key, char *arg, struct argp_state *state)
{
	switch (key) {
	case OPT_STACKS:
		parse_stacks(options, arg, state);
		return 0;
	case OPT_STACK_DEPTH:
		parse_depth(options, arg, state);
		return 0;
	case ARGP_KEY_END:
		end_stacks(options, state);
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}
