/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/insn.h: decodes instructions of BPF programs.  Pure. */
#ifndef PEAT_OBJECT_INSN_H
#define PEAT_OBJECT_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/bpf.h>

#define INSN_REGISTER(n) (1U << (n))
#define INSN_ARGUMENTS	 0x3eU /* registers 1 to 5 */

enum insn_kind {
	INSN_OTHER,
	INSN_MOVE,	       /* of a constant or a register */
	INSN_CONSTANT,	       /* of 64 bits; before relocation also an address */
	INSN_FUNCTION_ADDRESS, /* of a function of the program */
	INSN_ATOMIC,
	INSN_JUMP,
	INSN_BRANCH, /* a conditional jump */
	INSN_CALL_HELPER,
	INSN_CALL_FUNCTION, /* of the program */
	INSN_CALL_OTHER,
	INSN_EXIT,
};

struct insn {
	struct bpf_insn raw;
	enum insn_kind kind;
	uint16_t reads, writes; /* registers, a bit each */
	size_t next;		/* the index of the next instruction in memory */
	int64_t target;		/* index: of a jump, or of the function; may be outside the code */
	uint64_t constant;	/* of a constant */
};

/*
 * Decodes the instruction at an index of any code, also unaligned.  The second half of a constant,
 * on its own, neither reads nor writes a register.  False: the code ends before or in the
 * instruction.
 */
bool insn__decode(const void *code, size_t count, size_t index, struct insn *insn);

#endif /* PEAT_OBJECT_INSN_H */
