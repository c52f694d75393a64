/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stack.h: the stack of an event, as addresses.  symbols.h names them.
 *
 * A stack comes from the tail of a live event (PEAT_STACKS of peat.bpf.h), from the callchain that
 * the kernel sampled, or from user registers and a copy of the stack's memory, to be unwound.
 */
#ifndef PEAT_STACK_H
#define PEAT_STACK_H

#include <peat/common.h>
#include <peat/reader.h>
#include <peat/record.h>

PEAT_BEGIN_DECLS

/* The address space of a frame. */
enum peat_space {
	PEAT_SPACE_KERNEL,
	PEAT_SPACE_USER,
	PEAT_SPACE_OTHER /* a guest's, or a hypervisor's */
};

struct peat_address {
	uint64_t address; /* the first one is the sampled instruction, the others are returned to */
	enum peat_space space;
};

/*
 * Stores the addresses of the event's stack in `addresses`, innermost first, at most `max`.  There
 * are no context markers among them.  Kernel frames of a BPF program that took the stack, and of
 * the kernel's code that ran it, are included: peat_symbols__stack() leaves them out.
 *
 * Returns the number of addresses that the stack has, which may exceed `max`; 0: the event has no
 * stack of addresses.
 */
PEAT_API uint32_t peat_event__addresses(const struct peat_event *event,
					struct peat_address *addresses, uint32_t max);

/* A frame of a stack with its names: symbols.h. */
struct peat_stack_frame {
	uint64_t address;
	enum peat_space space;
	bool inlined;		/* inlined into the next frame, which has the same address */
	uint8_t build_id_bytes; /* 0: unknown; at most 20 */
	/*
	 * Found by a frame pointer, in a stack that is unwound by DWARF, or after such a frame:
	 * code without call frame information may have none.
	 */
	bool is_guess;
	const uint8_t *build_id;
	const char *symbol;	/* name of the function, demangled; NULL: unknown */
	const char *raw_symbol; /* the name as in the symbol table; NULL: unknown */
	uint64_t offset;	/* distance from the start of the function */
	/*
	 * Path of the mapped file, as the process has it; "[vdso]", "[kernel]", the name of a
	 * kernel module in brackets, "[bpf]", "[anon]"; NULL: unknown.
	 */
	const char *module;
	uint64_t module_offset; /* offset in the module's file */
	const char *file;	/* source file; NULL: unknown, or not asked for */
	uint32_t line;		/* 0: unknown */
};

/* The user side of a task when the event happened: registers, and the memory from sp on. */
struct peat_user_state {
	size_t sz;	       /* sizeof(struct peat_user_state), set by the caller */
	struct peat_regs regs; /* numbered as PERF_REG_* of the machine */
	const void *stack;     /* valid as long as the event */
	uint64_t stack_bytes;
	uint64_t words[40]; /* memory of `regs` for live events */
};

/* Returns true and the state, if the event has user registers; false: it has none. */
PEAT_API bool peat_event__user_state(const struct peat_event *event, struct peat_user_state *state);

PEAT_END_DECLS

#endif /* PEAT_STACK_H */
