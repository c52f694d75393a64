// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* compare_stacks.c: compares stacks of a recording, named by perf script and by the library. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/machine/harness.h"
#include "compare_stacks.h"

#define PAGE_BYTES_MIN 4096

static void count_reason(struct comparison *comparison, const char *text, const char *example)
{
	struct comparison_reason *reason = comparison->reasons;

	while (reason->text && strcmp(reason->text, text) != 0)
		ck_assert(++reason < comparison->reasons + COMPARISON_REASONS);
	if (!reason->text)
		snprintf(reason->example, sizeof(reason->example), "%s", example);
	reason->text = text;
	reason->count++;
}

/*
 * perf prints the offset in the file if it knows the file, otherwise the address.  Addresses of
 * unwound stacks are in the call, 1 before the address that is returned to.  During an exec, only
 * perf may know the file: then the offset in the page is the same.
 */
static bool is_same_address(const struct perf_frame *perfs, const struct named_frame *ours)
{
	uint64_t ip = perfs->ip;

	return ip == ours->address || ip == ours->module_offset || ip + 1 == ours->address ||
	       ip + 1 == ours->module_offset ||
	       (!*ours->module && !((ip ^ ours->address) % PAGE_BYTES_MIN));
}

static const char *difference(const struct perf_frame *perfs, const struct named_frame *ours,
			      bool is_first)
{
	if (!*ours->symbol)
		return "peat has no name";
	/* perf names the return address of callchains, not the call before it. */
	if (!is_first && !perfs->offset)
		return "the call is the last instruction of a function, perf names the next one";
	if (perfs->offset == ours->offset || perfs->offset + 1 == ours->offset)
		return "another name of the same function";
	return "another name";
}

static void compare_frame(struct comparison *comparison, const struct perf_frame *perfs,
			  const struct named_frame *ours, bool is_first)
{
	char example[COMPARISON_EXAMPLE];

	if (!perfs->symbol)
		return;
	comparison->named++;
	if (!strcmp(perfs->symbol, ours->symbol)) {
		comparison->same++;
		return;
	}
	snprintf(example, sizeof(example), "perf %s+%#" PRIx64 " (%s), peat %s+%#" PRIx64 " (%s)",
		 perfs->symbol, perfs->offset, perfs->dso, ours->symbol, ours->offset,
		 ours->module);
	count_reason(comparison, difference(perfs, ours, is_first), example);
}

static void count_rest(struct comparison *comparison, const struct perf_stack *perfs,
		       const struct named_stack *ours, unsigned at)
{
	char example[COMPARISON_EXAMPLE];
	const struct perf_frame *perf = at < perfs->count ? &perfs->frames[at] : NULL;
	const struct named_frame *our = at < ours->count ? &ours->frames[at] : NULL;
	const char *caller = at ? ours->frames[at - 1].symbol : "nothing";

	comparison->diverged++;
	comparison->perf_only += perfs->count - at;
	comparison->peat_only += ours->count - at;
	snprintf(example, sizeof(example),
		 "at %" PRIu64 " after %u frames, %s: perf %#" PRIx64 " %s (%s), peat %#" PRIx64
		 " %s (%s)",
		 perfs->time_ns, at, caller, perf ? perf->ip : 0,
		 perf && perf->symbol ? perf->symbol : "-", perf ? perf->dso : "end",
		 our ? our->address : 0, our ? our->symbol : "-", our ? our->module : "end");
	count_reason(comparison,
		     !our    ? "unwinding: perf has more frames"
		     : !perf ? "unwinding: peat has more frames"
			     : "unwinding: another caller",
		     example);
}

static void compare_stack(struct comparison *comparison, const struct perf_stack *perfs,
			  const struct named_stack *ours)
{
	unsigned at = 0;

	while (at < perfs->count && at < ours->count &&
	       is_same_address(&perfs->frames[at], &ours->frames[at])) {
		compare_frame(comparison, &perfs->frames[at], &ours->frames[at], !at);
		at++;
	}
	if (at < perfs->count || at < ours->count)
		count_rest(comparison, perfs, ours, at);
}

void compare_stacks(struct comparison *comparison, char *perfs, const struct named_stacks *ours)
{
	static const struct named_stack empty;
	static struct perf_stack stack;

	while (perf_stacks__next(&perfs, &stack)) {
		const struct named_stack *mine =
			named_stacks__find(ours, stack.time_ns, (uint32_t)stack.tid);

		comparison->stacks++;
		compare_stack(comparison, &stack, mine ? mine : &empty);
	}
}

void compare_stacks__print(const struct comparison *comparison, const char *name)
{
	const struct comparison_reason *reason = comparison->reasons;

	printf("%s: %" PRIu64 " stacks, %" PRIu64 " frames named by perf, %" PRIu64
	       " the same, %.2f %%",
	       name, comparison->stacks, comparison->named, comparison->same,
	       100.0 * (double)comparison->same / (double)comparison->named);
	if (comparison->diverged)
		printf("; %" PRIu64 " stacks differ: %" PRIu64 " frames of perf, %" PRIu64
		       " of peat",
		       comparison->diverged, comparison->perf_only, comparison->peat_only);
	printf("\n");
	for (; reason < comparison->reasons + COMPARISON_REASONS && reason->text; reason++)
		printf("    %" PRIu64 " %s: %s\n", reason->count, reason->text, reason->example);
}
