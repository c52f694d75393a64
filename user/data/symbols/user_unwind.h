/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/user_unwind.h: unwinds the user stack of an event: its registers and a copy of memory. */
#ifndef PEAT_SYMBOLS_USER_UNWIND_H
#define PEAT_SYMBOLS_USER_UNWIND_H

#include "symbols/symbols.h"
#include "symbols/dwarf/unwind_stack.h"

/*
 * Returns the number of frames, innermost first; 0: the event has no copy of the stack, or is of a
 * machine whose stacks are not unwound.
 */
size_t user_unwind(struct peat_symbols *symbols, const struct peat_event *event,
		   struct unwind_frame frames[UNWIND_FRAMES_MAX]);

#endif /* PEAT_SYMBOLS_USER_UNWIND_H */
