/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stack_kind.h: the kinds of stacks, for the BPF side (wire.h) and user space (channel.h). */
#ifndef PEAT_STACK_KIND_H
#define PEAT_STACK_KIND_H

/* The stacks that programs, or the kernel, take with an event; or-ed. */
enum peat_stack_kind {
	PEAT_STACK_KERNEL = 1,
	PEAT_STACK_USER = 2,  /* by frame pointers */
	PEAT_STACK_DWARF = 4, /* user registers and memory, unwound by the reader */
	PEAT_STACK_NONE = 128 /* none, also of objects that have PEAT_DEFAULT_STACKS */
};

#endif /* PEAT_STACK_KIND_H */
