// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* named_stacks.c: the stacks of a recording, as the library names them. */
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "named_stacks.h"

static char *copy_text(const char *text)
{
	char *copy = strdup(text ? text : "");

	ck_assert_ptr_nonnull(copy);
	return copy;
}

static void copy_frame(struct named_frame *frame, const struct peat_stack_frame *named)
{
	*frame = (struct named_frame){ .address = named->address,
				       .offset = named->offset,
				       .module_offset = named->module_offset,
				       .space = named->space,
				       .symbol = copy_text(named->symbol),
				       .module = copy_text(named->module) };
}

static void add(struct named_stacks *stacks, const struct peat_event *event,
		const struct peat_stack_frame *frames, unsigned count)
{
	struct named_stack *stack;

	if (!(stacks->count & (stacks->count - 1)))
		stacks->stacks =
			realloc(stacks->stacks, 2 * (stacks->count + 1) * sizeof(*stacks->stacks));
	ck_assert_ptr_nonnull(stacks->stacks);
	stack = &stacks->stacks[stacks->count++];
	*stack = (struct named_stack){ event->time_ns, event->pid, event->tid, count,
				       calloc(count, sizeof(*stack->frames)) };
	ck_assert_ptr_nonnull(stack->frames);
	for (unsigned i = 0; i < count; i++)
		copy_frame(&stack->frames[i], &frames[i]);
}

static void read_events(struct named_stacks *stacks, struct peat_reader *reader,
			struct peat_symbols *symbols)
{
	const struct peat_stack_frame *frames;
	const struct peat_event *event;

	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0) {
			int count;

			ck_assert_int_eq(peat_symbols__follow(symbols, event), 0);
			if (event->kind != PEAT_EVENT_DATA)
				continue;
			count = peat_symbols__stack(symbols, event, &frames);
			ck_assert_int_ge(count, 0);
			if (count)
				add(stacks, event, frames, (unsigned)count);
		}
}

static int compare_stacks(const void *a, const void *b)
{
	const struct named_stack *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void named_stacks__read(struct named_stacks *stacks, const char *path,
			const struct peat_symbols_opts *opts)
{
	struct peat_symbols_opts defaults = PEAT_SYMBOLS_OPTS_INIT;
	struct peat_replay_opts replay = PEAT_REPLAY_OPTS_INIT;
	struct peat_symbols *symbols;
	struct peat_reader *reader;

	defaults.recorded = true;
	replay.side_band = PEAT_SIDE_BAND_MMAP | PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM |
			   PEAT_SIDE_BAND_KSYMBOL;
	replay.ordered = true;
	reader = peat_reader__open(path, &replay);
	symbols = peat_symbols__new(opts ? opts : &defaults);
	ck_assert_msg(reader && symbols, "cannot read %s", path);
	*stacks = (struct named_stacks){ .stats.sz = sizeof(stacks->stats) };
	read_events(stacks, reader, symbols);
	qsort(stacks->stacks, stacks->count, sizeof(*stacks->stacks), compare_stacks);
	ck_assert_int_eq(peat_symbols__stats(symbols, &stacks->stats), 0);
	peat_symbols__free(symbols);
	peat_reader__free(reader);
}

const struct named_stack *named_stacks__find(const struct named_stacks *stacks, uint64_t time_ns,
					     uint32_t tid)
{
	const struct named_stack key = { .time_ns = time_ns, .tid = tid };

	return bsearch(&key, stacks->stacks, stacks->count, sizeof(key), compare_stacks);
}

void named_stacks__free(struct named_stacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++) {
		for (unsigned n = 0; n < stacks->stacks[i].count; n++) {
			free(stacks->stacks[i].frames[n].symbol);
			free(stacks->stacks[i].frames[n].module);
		}
		free(stacks->stacks[i].frames);
	}
	free(stacks->stacks);
}
