/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/returns.h: constants that a BPF program returns, found in its instructions.  Pure.
 *
 * Constants with bit 0 clear are even.  The analysis goes backward from each exit and follows moves
 * between registers.  Values that are computed, loaded or passed through the stack are not found.
 */
#ifndef PEAT_OBJECT_RETURNS_H
#define PEAT_OBJECT_RETURNS_H

#include <stddef.h>
#include <linux/bpf.h>

/*
 * Sets bit 0 of each even constant that is only returned, by changing the instruction that loads
 * it.  The instructions are those of one function, before relocation.  Returns the number of
 * instructions changed.  -EBADMSG: a jump leaves the function.  -ENOMEM.
 */
int returns__make_odd(struct bpf_insn *insns, size_t count);

/*
 * Returns 1 if a path of the program returns an even constant, also through the functions it calls.
 * The instructions are those of a loaded program, followed by the functions.  0: none was found.
 * -EBADMSG: a jump or a call leaves the program.  -ENOMEM.
 */
int returns__has_even(const struct bpf_insn *insns, size_t count);

/* The instructions that returns__make_zero() adds. */
#define RETURNS_ZERO_INSNS 2

/*
 * Makes the program return 0, whatever it computes: each exit becomes a jump to instructions at the
 * end, for which the array has room after its `count` instructions.  They are those of one
 * function, before relocation.  0, or -E2BIG: an exit is too far from the end, and nothing is
 * changed.
 */
int returns__make_zero(struct bpf_insn *insns, size_t count);

#endif /* PEAT_OBJECT_RETURNS_H */
