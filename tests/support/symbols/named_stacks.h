/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* named_stacks.h: the stacks of a recording, as the library names them. */
#ifndef TESTS_SUPPORT_SYMBOLS_NAMED_STACKS_H
#define TESTS_SUPPORT_SYMBOLS_NAMED_STACKS_H

#include <peat/symbols.h>

/* As struct peat_stack_frame; the strings are copies, "" if unknown. */
struct named_frame {
	uint64_t address, offset, module_offset;
	enum peat_space space;
	char *symbol, *module;
};

struct named_stack {
	uint64_t time_ns;
	uint32_t pid, tid;
	unsigned count;
	struct named_frame *frames; /* innermost first */
};

struct named_stacks {
	struct named_stack *stacks; /* sorted by time */
	size_t count;
	struct peat_symbols_stats stats;
};

/* Names all stacks of a recording.  NULL options: the defaults, with `recorded`. */
void named_stacks__read(struct named_stacks *stacks, const char *path,
			const struct peat_symbols_opts *opts);

/* The stack of this thread at this time; NULL: none. */
const struct named_stack *named_stacks__find(const struct named_stacks *stacks, uint64_t time_ns,
					     uint32_t tid);

void named_stacks__free(struct named_stacks *stacks);

#endif /* TESTS_SUPPORT_SYMBOLS_NAMED_STACKS_H */
