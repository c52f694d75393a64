/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/stack_lines.h: source lines and inlined functions of the frames of a stack.
 *
 * A namer finds them, many addresses at a time: those of a stack are asked for before its frames
 * are made.  Without a namer this process reads the file.
 */
#ifndef PEAT_SYMBOLS_STACK_LINES_H
#define PEAT_SYMBOLS_STACK_LINES_H

#include "symbols/symbols.h"

/* A user-space address of a stack. */
struct line_place {
	uint64_t address;
	bool is_return; /* the line is that of the call before the address */
};

/* Asks a namer, if there is one, for the lines of a stack that are not known. */
void stack_lines__ask(struct peat_symbols *symbols, uint32_t pid, uint64_t time_ns,
		      const struct line_place *list, uint32_t count);

/*
 * Adds file and line to the last frame of symbols->frames, which is at `place` in the file of
 * `table`, and the functions inlined there as frames before it.  `is_return`: the line is that of
 * the call before the address.  0 or -ENOMEM.
 */
int stack_lines__add(struct peat_symbols *symbols, struct symbol_table *table,
		     const struct user_place *place, bool is_return);

#endif /* PEAT_SYMBOLS_STACK_LINES_H */
