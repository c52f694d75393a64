/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/own_stacks.h: keeps programs of uprobes on the stacks of their tasks.
 *
 * From Linux 6.13, the JIT compiler gives programs of kprobes and uprobes that use more than 48
 * bytes of stack one private stack per CPU.  Programs of uprobes can be preempted, and those of
 * other tasks then write to the same memory.  Programs with a bpf_tail_call() keep the stack of
 * their task.  So each program of a uprobe gets three instructions before its first one:
 *
 *	r0 = 0
 *	if r0 == 0 goto +1
 *	call bpf_tail_call
 *
 * The verifier removes the call, since no path leads to it, and needs no program array.  Symbols,
 * relocations, and the function, line and CO-RE information are moved with the instructions.
 */
#ifndef PEAT_OBJECT_OWN_STACKS_H
#define PEAT_OBJECT_OWN_STACKS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a section has programs of uprobes, by its name: "uprobe/FILE:FUNCTION", "usdt". */
bool own_stacks__is_uprobe(const char *section);

/*
 * Makes a copy, for free(), of the ELF file of `bytes` bytes at `elf`, which is 8-byte aligned, and
 * returns the number of programs that have the instructions in the copy.  0: there are none, and
 * `copy` is NULL.  A section stays as it is if it has calls without relocations, or if code has
 * addresses relative to its start.
 *
 *	-EBADMSG	not a valid ELF file of BPF programs
 *	-ENOMEM
 */
int own_stacks__use(const void *elf, size_t bytes, void **copy, size_t *copy_bytes);

#endif /* PEAT_OBJECT_OWN_STACKS_H */
