// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/returns.c: a backward data-flow analysis of a program's return value. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/returns.h"

/* Missing in the headers of old systems. */
#define CLASS_JMP32    0x06
#define CLASS_ALU64    0x07
#define MODE_ATOMIC    0xc0
#define ATOMIC_FETCH   0x01
#define ATOMIC_CMPXCHG 0xf1
#define PSEUDO_FUNC    4 /* src_reg of a load: the address of a function */

#define REGISTER(n)   (1U << (n))
#define ARGUMENTS     0x3eU /* registers 1 to 5 */
#define CALLER_SAVED  (REGISTER(BPF_REG_0) | ARGUMENTS)
#define LOAD_CONSTANT (BPF_LD | BPF_IMM | BPF_DW) /* has two insns */

/* Uses of the registers' values from one instruction on: a bit per register. */
struct uses {
	uint16_t returned; /* by the program */
	uint16_t other;
};

struct code {
	const struct bpf_insn *insns;
	size_t count;
	struct uses *before;   /* each instruction */
	bool *starts_function; /* for each instruction; NULL: the only function is the program */
	bool *returns;	       /* for each instruction: exits here return from the program */
	bool changed;
	int err;
};

/* ---- one instruction ------------------------------------------------------------------------- */

static uint32_t source(const struct bpf_insn *insn)
{
	return BPF_SRC(insn->code) == BPF_X ? REGISTER(insn->src_reg) : 0;
}

static bool is_move(const struct bpf_insn *insn)
{
	uint8_t class = BPF_CLASS(insn->code);

	return (class == BPF_ALU || class == CLASS_ALU64) && BPF_OP(insn->code) == BPF_MOV;
}

/* The registers in `set` get new values, computed from those in `read`. */
static struct uses define(struct uses after, uint32_t set, uint32_t read)
{
	return (struct uses){
		.returned = (uint16_t)(after.returned & ~set),
		.other = (uint16_t)((after.other & ~set) | read),
	};
}

/* A move, also one of 32 bits or with sign extension, keeps bit 0. */
static struct uses before_move(const struct bpf_insn *insn, struct uses after)
{
	struct uses before = define(after, REGISTER(insn->dst_reg), 0);

	if (after.returned & REGISTER(insn->dst_reg))
		before.returned |= (uint16_t)source(insn);
	if (after.other & REGISTER(insn->dst_reg))
		before.other |= (uint16_t)source(insn);
	return before;
}

static struct uses before_alu(const struct bpf_insn *insn, struct uses after)
{
	uint8_t op = BPF_OP(insn->code);
	uint32_t dst = REGISTER(insn->dst_reg);

	if (op == BPF_MOV)
		return before_move(insn, after);
	return define(after, dst, op == BPF_END || op == BPF_NEG ? dst : dst | source(insn));
}

static struct uses before_store(const struct bpf_insn *insn, struct uses after)
{
	uint32_t read = REGISTER(insn->dst_reg), set = 0;

	if (BPF_CLASS(insn->code) == BPF_STX)
		read |= REGISTER(insn->src_reg);
	if (BPF_CLASS(insn->code) == BPF_STX && BPF_MODE(insn->code) == MODE_ATOMIC) {
		if (insn->imm == ATOMIC_CMPXCHG)
			set = REGISTER(BPF_REG_0);
		else if (insn->imm & ATOMIC_FETCH)
			set = REGISTER(insn->src_reg);
		read |= set;
	}
	return define(after, set, read);
}

/* Loads of packets, the class LD without constants, are calls: they have arguments in registers. */
static struct uses before_load(const struct bpf_insn *insn, struct uses after)
{
	if (BPF_CLASS(insn->code) == BPF_LDX)
		return define(after, REGISTER(insn->dst_reg), REGISTER(insn->src_reg));
	if (insn->code == LOAD_CONSTANT)
		return define(after, REGISTER(insn->dst_reg), 0);
	return define(after, CALLER_SAVED, REGISTER(BPF_REG_6) | REGISTER(insn->src_reg));
}

/* ---- functions ------------------------------------------------------------------------------- */

/* The function that a call or an address names; its first instruction. */
static int64_t function_of(const struct code *code, size_t i)
{
	return (int64_t)i + 1 + code->insns[i].imm;
}

static bool names_function(const struct bpf_insn *insn)
{
	return (insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL) ||
	       (insn->code == LOAD_CONSTANT && insn->src_reg == PSEUDO_FUNC);
}

static int find_functions(struct code *code)
{
	for (size_t i = 0; i < code->count; i++) {
		int64_t start = function_of(code, i);

		if (!names_function(&code->insns[i]))
			continue;
		if (start < 0 || start >= (int64_t)code->count)
			return -EBADMSG;
		code->starts_function[start] = true;
	}
	return 0;
}

/* Exits of the function return from the program: its caller returns the result. */
static void mark_function(struct code *code, size_t start)
{
	size_t i = start;

	if (code->returns[start])
		return;
	code->changed = true;
	do
		code->returns[i++] = true;
	while (i < code->count && !code->starts_function[i]);
}

static struct uses before_call(struct code *code, size_t i, struct uses after)
{
	const struct bpf_insn *insn = &code->insns[i];

	if (code->starts_function && insn->src_reg == BPF_PSEUDO_CALL &&
	    after.returned & REGISTER(BPF_REG_0))
		mark_function(code, (size_t)function_of(code, i));
	return define(after, CALLER_SAVED, ARGUMENTS);
}

/* ---- the analysis ---------------------------------------------------------------------------- */

static struct uses before_target(struct code *code, int64_t target)
{
	if (target >= 0 && target < (int64_t)code->count)
		return code->before[target];
	code->err = -EBADMSG;
	return (struct uses){ 0 };
}

static struct uses join(struct uses a, struct uses b)
{
	a.returned |= b.returned;
	a.other |= b.other;
	return a;
}

static struct uses before_exit(const struct code *code, size_t i)
{
	struct uses before = { 0 };

	if (!code->returns || code->returns[i])
		before.returned = REGISTER(BPF_REG_0);
	else
		before.other = REGISTER(BPF_REG_0);
	return before;
}

static struct uses before_jump(struct code *code, size_t i)
{
	const struct bpf_insn *insn = &code->insns[i];
	bool is_far = BPF_CLASS(insn->code) == CLASS_JMP32 && BPF_OP(insn->code) == BPF_JA;
	int64_t next = (int64_t)i + 1, target = next + (is_far ? insn->imm : insn->off);

	switch (BPF_OP(insn->code)) {
	case BPF_EXIT:
		return before_exit(code, i);
	case BPF_CALL:
		return before_call(code, i, before_target(code, next));
	case BPF_JA:
		return before_target(code, target);
	default:
		return define(join(before_target(code, next), before_target(code, target)), 0,
			      REGISTER(insn->dst_reg) | source(insn));
	}
}

static struct uses before_insn(struct code *code, size_t i)
{
	const struct bpf_insn *insn = &code->insns[i];
	int64_t next = (int64_t)i + (insn->code == LOAD_CONSTANT ? 2 : 1);

	switch (BPF_CLASS(insn->code)) {
	case BPF_JMP:
	case CLASS_JMP32:
		return before_jump(code, i);
	case BPF_ALU:
	case CLASS_ALU64:
		return before_alu(insn, before_target(code, next));
	case BPF_ST:
	case BPF_STX:
		return before_store(insn, before_target(code, next));
	default:
		return before_load(insn, before_target(code, next));
	}
}

/* The second insn of a constant has the code 0. */
static bool is_second_half(const struct code *code, size_t i)
{
	return i && !code->insns[i].code && code->insns[i - 1].code == LOAD_CONSTANT;
}

/* Backward, until nothing changes: sets only grow, so that this ends. */
static int analyse(struct code *code)
{
	struct uses before;

	do {
		code->changed = false;
		for (size_t i = code->count; i-- && !code->err;) {
			if (is_second_half(code, i))
				continue;
			before = join(code->before[i], before_insn(code, i));
			code->changed |= before.returned != code->before[i].returned ||
					 before.other != code->before[i].other;
			code->before[i] = before;
		}
	} while (code->changed && !code->err);
	return code->err;
}

/* The uses of the result of instruction `i`, which is not a jump. */
static struct uses after_insn(struct code *code, size_t i)
{
	return before_target(code, (int64_t)i + 1);
}

static bool is_even_constant(const struct bpf_insn *insn)
{
	return is_move(insn) && BPF_SRC(insn->code) == BPF_K && !(insn->imm & 1);
}

int returns__make_odd(struct bpf_insn *insns, size_t count)
{
	struct code code = { .insns = insns, .count = count };
	int err, changed = 0;

	if (!count)
		return 0;
	code.before = calloc(count, sizeof(*code.before));
	err = code.before ? analyse(&code) : -ENOMEM;
	for (size_t i = 0; !err && i < count; i++) {
		uint32_t dst = REGISTER(insns[i].dst_reg);
		struct uses after;

		if (!is_even_constant(&insns[i]))
			continue;
		after = after_insn(&code, i);
		if (!(after.returned & dst) || after.other & dst)
			continue;
		insns[i].imm |= 1;
		changed++;
	}
	free(code.before);
	return err ? err : changed;
}

static int find_even(struct code *code)
{
	int err = find_functions(code);

	code->starts_function[0] = true;
	mark_function(code, 0);
	if (!err)
		err = analyse(code);
	for (size_t i = 0; !err && i < code->count; i++)
		if (is_even_constant(&code->insns[i]) &&
		    after_insn(code, i).returned & REGISTER(code->insns[i].dst_reg))
			return 1;
	return err;
}

int returns__has_even(const struct bpf_insn *insns, size_t count)
{
	struct code code = { .insns = insns, .count = count };
	int found = -ENOMEM;

	if (!count)
		return 0;
	code.before = calloc(count, sizeof(*code.before));
	code.starts_function = calloc(count, sizeof(*code.starts_function));
	code.returns = calloc(count, sizeof(*code.returns));
	if (code.before && code.starts_function && code.returns)
		found = find_even(&code);
	free(code.before);
	free(code.starts_function);
	free(code.returns);
	return found;
}

int returns__make_zero(struct bpf_insn *insns, size_t count)
{
	static const struct bpf_insn end[RETURNS_ZERO_INSNS] = {
		{ .code = CLASS_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	for (size_t i = 0; i < count; i++)
		if (insns[i].code == (BPF_JMP | BPF_EXIT) && count - i - 1 > INT16_MAX)
			return -E2BIG;
	for (size_t i = 0; i < count; i++)
		if (insns[i].code == (BPF_JMP | BPF_EXIT))
			insns[i] = (struct bpf_insn){ .code = BPF_JMP | BPF_JA,
						      .off = (__s16)(count - i - 1) };
	memcpy(insns + count, end, sizeof(end));
	return 0;
}
