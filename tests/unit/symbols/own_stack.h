/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * own_stack.h: the registers and the stack of the calling thread, as a sample has them, and the
 * files mapped here.
 *
 *	struct own_stack *own = own_stack__new();
 *
 *	OWN_STACK_TAKE(own);
 *	count = own_stack__unwind(own, frames);
 */
#ifndef TESTS_UNIT_SYMBOLS_OWN_STACK_H
#define TESTS_UNIT_SYMBOLS_OWN_STACK_H

#include <ucontext.h>

#include "symbols/dwarf/unwind_stack.h"

#define OWN_STACK_BYTES	  65536
#define OWN_STACK_MODULES 64

struct own_module {
	uint64_t start, end, bias;
	struct elf_file *file;
	struct unwind_table *table;
};

struct own_stack {
	ucontext_t context; /* of getcontext() */
	const struct unwind_machine *machine;
	struct unwind_regs regs;
	struct unwind_memory memory;
	uint8_t bytes[OWN_STACK_BYTES];
	struct own_module modules[OWN_STACK_MODULES];
	unsigned module_count;
};

/* NULL: this machine's stacks are not unwound. */
struct own_stack *own_stack__new(void);
void own_stack__free(struct own_stack *own);

/* A macro, since the frame that calls getcontext() has to stay. */
#define OWN_STACK_TAKE(own)                                                                        \
	do {                                                                                       \
		getcontext(&(own)->context);                                                       \
		own_stack__copy(own);                                                              \
	} while (0)

/* Copies registers from own->context, and the stack from there on. */
void own_stack__copy(struct own_stack *own);

/* An unwind_find for own modules. */
bool own_stack__find(void *own, uint64_t address, struct unwind_code *code);

size_t own_stack__unwind(struct own_stack *own, struct unwind_frame frames[UNWIND_FRAMES_MAX]);

/*
 * The frames of backtrace(), so that `caller`, which is returned to, is the second one: sanitizers
 * have frames of their own before.
 */
size_t own_stack__backtrace(void **frames, size_t max, void *caller);

#endif /* TESTS_UNIT_SYMBOLS_OWN_STACK_H */
