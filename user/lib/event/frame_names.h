/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/frame_names.h: what prints stacks asks for their names, without knowing who finds them: a
 * struct peat_symbols begins with a pointer to these functions.
 */
#ifndef PEAT_EVENT_FRAME_NAMES_H
#define PEAT_EVENT_FRAME_NAMES_H

#include <peat/stack.h>

struct peat_symbols;

/* As the functions of peat/symbols.h. */
struct frame_names {
	int (*stack)(struct peat_symbols *symbols, const struct peat_event *event,
		     const struct peat_stack_frame **frames);
	int (*address)(struct peat_symbols *symbols, enum peat_space space, uint32_t pid,
		       uint64_t time_ns, uint64_t address, const struct peat_stack_frame **frames);
	int (*field)(struct peat_symbols *symbols, const struct peat_field *field, const void *data,
		     uint32_t bytes, uint32_t pid, uint64_t time_ns,
		     const struct peat_stack_frame **frames);
};

static inline const struct frame_names *frame_names__of(const struct peat_symbols *symbols)
{
	return *(const struct frame_names *const *)symbols;
}

#endif /* PEAT_EVENT_FRAME_NAMES_H */
