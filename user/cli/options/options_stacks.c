// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_stacks.c: the stacks of live events: --stacks and --stack-depth. */
#include <string.h>

#include <peat/record.h>
#include <peat/wire.h>

#include "cli/options/option_take.h"
#include "cli/options/options.h"
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

static void take_stacks(void *member, const char *arg, struct argp_state *state)
{
	struct stack_options *stacks = member;
	size_t bytes = strcspn(arg, ",");

	if (!find_kinds(arg, bytes, &stacks->kinds))
		argp_error(state, "--stacks '%s': expected none, kernel, user, both or dwarf", arg);
	if (!arg[bytes])
		return;
	if (!(stacks->kinds & PEAT_STACK_DWARF))
		argp_error(state, "--stacks '%s': only dwarf has a size", arg);
	stacks->memory = parse_memory(arg, arg + bytes + 1, state);
}

static void take_depth(void *member, const char *arg, struct argp_state *state)
{
	uint64_t depth;

	if (!parse_unit__count(arg, UINT16_MAX, &depth) || !depth)
		argp_error(state, "--stack-depth '%s': expected a number of frames, such as 32",
			   arg);
	*(uint32_t *)member = (uint32_t)depth;
}

const struct option_row options_stacks__rows[] = {
	{ { "stacks", 0, "WHICH", 0,
	    "take the stack of the task with each event: kernel, user (by frame pointers), both, "
	    "or dwarf: kernel, and user registers and 8K of the user stack, to be unwound by "
	    "debug information (dwarf,16K: as many bytes); none.  Default: none, of profile and "
	    "offcpu both",
	    1 },
	  LIVE | VERB_PROFILE,
	  BY(take_stacks, stacks) },
	{ { "stacks", 0, "WHICH", 0,
	    "with --by stack, count by this stack: kernel, user (by frame pointers), both "
	    "(default), or dwarf: as trace does",
	    1 },
	  TALLY,
	  BY(take_stacks, stacks) },
	{ { "stack-depth", 0, "N", 0,
	    "at most N frames of each stack (default 127, or kernel.perf_event_max_stack)", 1 },
	  LIVE | TALLY | VERB_PROFILE,
	  BY(take_depth, stacks.depth) },
	LAST_ROW,
};

/* -g is the short form of perf. */
void options_stacks__check(struct options *options, struct argp_state *state)
{
	struct stack_options *stacks = &options->stacks;

	if (stacks->kinds && options->sampling.call_graph)
		argp_error(state, "-g cannot be used with --stacks: it is --stacks both");
	if (stacks->kinds && options->sampling.sample & FIELDS_OF_STACKS)
		argp_error(state, "--stacks cannot be used with --sample of callchain, regs_user "
				  "and stack_user: these are the stacks");
	if (options->sampling.call_graph)
		stacks->kinds = PEAT_STACK_KERNEL | PEAT_STACK_USER;
	if (stacks->depth && stacks->kinds == PEAT_STACK_NONE)
		argp_error(state, "--stack-depth cannot be used with --stacks none");
}
