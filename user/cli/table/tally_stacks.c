// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tally_stacks.c: events counted by their stacks. */
#include <string.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/recorded/recording_run.h"
#include "cli/run/stack_sources.h"
#include "cli/table/tally_stacks.h"

/* Whether a list of fields, separated by commas, has "stack". */
static bool names_stack(const char *by)
{
	size_t bytes;

	for (; by; by = by[bytes] ? by + bytes + 1 : NULL) {
		const char *end;

		by += strspn(by, " ");
		bytes = strcspn(by, ",");
		for (end = by + bytes; end > by && end[-1] == ' ';)
			end--;
		if (end - by == 5 && !memcmp(by, "stack", 5))
			return true;
	}
	return false;
}

static int refuse_options(const struct options *options)
{
	if (!options->table.by_stack && options->stacks.kinds &&
	    options->stacks.kinds != PEAT_STACK_NONE)
		messages__print(
			"--stacks has no effect without the stacks as a key: add --by stack");
	else if (options->table.by_stack && options->stacks.kinds == PEAT_STACK_NONE)
		messages__print(
			"--stacks none cannot be used with --by stack: leave one of them out");
	else
		return 0;
	return EXIT_USAGE;
}

int tally_stacks__choose(struct options *options)
{
	bool recorded = options->sources.name_count &&
			recording_run__is_recording(options->sources.names[0]);
	int status, own;

	options->table.by_stack = names_stack(options->table.by);
	status = refuse_options(options);
	if (status || !options->table.by_stack)
		return status;
	if (recorded && options->stacks.kinds) {
		messages__print("--stacks is for live events: the recording %s has its stacks",
				options->sources.names[0]);
		return EXIT_USAGE;
	}
	if (recorded || options->stacks.kinds)
		return 0;
	own = stack_sources__have_own_field(options);
	if (!own)
		options->stacks.kinds = PEAT_STACK_KERNEL | PEAT_STACK_USER;
	return own < 0 ? -own : 0;
}

int tally_stacks__number(void *tally_arg, const struct peat_event *event, uint64_t *id)
{
	struct tally *tally = tally_arg;
	struct peat_symbols *symbols =
		tally->run.symbols ? tally->run.symbols : tally->recorded.symbols;
	const struct peat_stack_frame *frames = NULL;
	int count = peat_symbols__stack(symbols, event, &frames);

	if (count < 0)
		return count;
	*(count ? &tally->stacks_found : &tally->stacks_missing) = true;
	return kept_stacks__number(&tally->stacks, frames, (size_t)count, id);
}

int tally_stacks__frames(void *tally_arg, uint64_t id, const struct peat_stack_frame **frames)
{
	const struct tally *tally = tally_arg;
	const struct kept_stack *stack = kept_stacks__find(&tally->stacks, id);

	*frames = stack ? stack->frames : NULL;
	return stack ? (int)stack->count : 0;
}

void tally_stacks__check(const struct tally *tally)
{
	if (tally->stacks_missing && !tally->stacks_found)
		messages__print("no event of the recording has a stack: record it with "
				"peat record --stacks both, or perf record -g");
}
