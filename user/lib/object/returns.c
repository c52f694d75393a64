// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/returns.c: a backward data-flow analysis of a program's return value. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/insn.h"
#include "object/returns.h"

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

/* The registers in `set` get new values, computed from those in `read`. */
static struct uses define(struct uses after, uint32_t set, uint32_t read)
{
	return (struct uses){
		.returned = (uint16_t)(after.returned & ~set),
		.other = (uint16_t)((after.other & ~set) | read),
	};
}

/* A move, also one of 32 bits or with sign extension, keeps bit 0. */
static struct uses before_move(const struct insn *insn, struct uses after)
{
	struct uses before = define(after, insn->writes, 0);

	if (after.returned & insn->writes)
		before.returned |= insn->reads;
	if (after.other & insn->writes)
		before.other |= insn->reads;
	return before;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Includes second halves of constants, which analyse() visits as well. */
static int find_functions(struct code *code)
{
	struct insn insn;

	for (size_t i = 0; insn__decode(code->insns, code->count, i, &insn); i++) {
		if (insn.kind != INSN_CALL_FUNCTION && insn.kind != INSN_FUNCTION_ADDRESS)
			continue;
		if (insn.target < 0 || insn.target >= (int64_t)code->count)
			return -EBADMSG;
		code->starts_function[insn.target] = true;
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
		before.returned = INSN_REGISTER(BPF_REG_0);
	else
		before.other = INSN_REGISTER(BPF_REG_0);
	return before;
}

static struct uses before_insn(struct code *code, size_t i)
{
	struct insn insn;
	struct uses after;

	if (!insn__decode(code->insns, code->count, i, &insn)) {
		code->err = -EBADMSG;
		return (struct uses){ 0 };
	}
	if (insn.kind == INSN_EXIT)
		return before_exit(code, i);
	if (insn.kind == INSN_JUMP)
		return before_target(code, insn.target);
	after = before_target(code, (int64_t)insn.next);
	if (insn.kind == INSN_MOVE)
		return before_move(&insn, after);
	if (insn.kind == INSN_BRANCH)
		after = join(after, before_target(code, insn.target));
	if (insn.kind == INSN_CALL_FUNCTION && code->starts_function &&
	    after.returned & INSN_REGISTER(BPF_REG_0))
		mark_function(code, (size_t)insn.target);
	return define(after, insn.writes, insn.reads);
}

/* Backward, until nothing changes: sets only grow, so that this ends. */
static int analyse(struct code *code)
{
	struct uses before;

	do {
		code->changed = false;
		for (size_t i = code->count; i-- && !code->err;) {
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

static bool is_even_constant(const struct code *code, size_t i)
{
	struct insn insn;

	return insn__decode(code->insns, code->count, i, &insn) && insn.kind == INSN_MOVE &&
	       BPF_SRC(insn.raw.code) == BPF_K && !(insn.raw.imm & 1);
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
		uint32_t dst = INSN_REGISTER(insns[i].dst_reg);
		struct uses after;

		if (!is_even_constant(&code, i))
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
		if (is_even_constant(code, i) &&
		    after_insn(code, i).returned & INSN_REGISTER(code->insns[i].dst_reg))
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
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
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
