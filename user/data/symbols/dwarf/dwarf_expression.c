// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/dwarf_expression.c: evaluates expressions of call frame information. */
#include "symbols/dwarf/dwarf_expression.h"

#define DEPTH_MAX 64
#define STEPS_MAX 1000

/* The operations DW_OP_*: the header of libdw is not always there. */
enum {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S = 0x09,
	OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b,
	OP_CONST4U = 0x0c,
	OP_CONST4S = 0x0d,
	OP_CONST8U = 0x0e,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_DUP = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_PICK = 0x15,
	OP_SWAP = 0x16,
	OP_ROT = 0x17,
	OP_ABS = 0x19,
	OP_AND = 0x1a,
	OP_DIV = 0x1b,
	OP_MINUS = 0x1c,
	OP_MOD = 0x1d,
	OP_MUL = 0x1e,
	OP_NEG = 0x1f,
	OP_NOT = 0x20,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_SHR = 0x25,
	OP_SHRA = 0x26,
	OP_XOR = 0x27,
	OP_BRA = 0x28,
	OP_EQ = 0x29,
	OP_GE = 0x2a,
	OP_GT = 0x2b,
	OP_LE = 0x2c,
	OP_LT = 0x2d,
	OP_NE = 0x2e,
	OP_SKIP = 0x2f,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96
};

struct evaluation {
	const uint8_t *start;
	struct cursor cur; /* `bad`: the expression has failed */
	const struct unwind_regs *regs;
	const struct unwind_memory *memory;
	uint64_t stack[DEPTH_MAX];
	unsigned depth;
};

static void push(struct evaluation *eval, uint64_t value)
{
	if (eval->depth == DEPTH_MAX)
		eval->cur.bad = true;
	else
		eval->stack[eval->depth++] = value;
}

static uint64_t pop(struct evaluation *eval)
{
	if (!eval->depth) {
		eval->cur.bad = true;
		return 0;
	}
	return eval->stack[--eval->depth];
}

static void pick(struct evaluation *eval, unsigned index)
{
	if (index >= eval->depth)
		eval->cur.bad = true;
	else
		push(eval, eval->stack[eval->depth - 1 - index]);
}

static void push_register(struct evaluation *eval, uint64_t reg)
{
	const uint64_t offset = (uint64_t)dwarf_cursor__sleb(&eval->cur);
	uint64_t value = 0;

	if (!unwind_regs__get(eval->regs, reg, &value))
		eval->cur.bad = true;
	push(eval, value + offset);
}

static void dereference(struct evaluation *eval, unsigned bytes)
{
	uint64_t value = 0;

	if (!unwind_memory__read(eval->memory, pop(eval), bytes, &value))
		eval->cur.bad = true;
	push(eval, value);
}

static void jump(struct evaluation *eval, bool is_taken)
{
	struct cursor *cur = &eval->cur;
	const int64_t distance = dwarf__sign_extend(cursor__u16(cur), 16);

	if (!is_taken)
		return;
	if (distance < eval->start - cur->at || distance > cur->end - cur->at)
		cur->bad = true;
	else
		cur->at += distance;
}

static void rotate(struct evaluation *eval)
{
	const uint64_t first = pop(eval), second = pop(eval), third = pop(eval);

	push(eval, first);
	push(eval, third);
	push(eval, second);
}

static void swap(struct evaluation *eval)
{
	const uint64_t first = pop(eval), second = pop(eval);

	push(eval, first);
	push(eval, second);
}

/* Operations that push a constant.  False: it is another one. */
static bool push_constant(struct evaluation *eval, uint8_t code)
{
	struct cursor *cur = &eval->cur;

	if (code >= OP_CONST1U && code <= OP_CONST8S) {
		const unsigned bytes = 1u << (code - OP_CONST1U) / 2;
		const uint64_t value = dwarf_cursor__uint(cur, bytes);

		push(eval, code & 1 ? (uint64_t)dwarf__sign_extend(value, 8 * bytes) : value);
		return true;
	}
	if (code >= OP_LIT0 && code <= OP_LIT31) {
		push(eval, (uint64_t)code - OP_LIT0);
		return true;
	}
	switch (code) {
	case OP_CONSTU:
		push(eval, dwarf_cursor__uleb(cur));
		return true;
	case OP_CONSTS:
		push(eval, (uint64_t)dwarf_cursor__sleb(cur));
		return true;
	default:
		return false;
	}
}

static uint64_t shift(uint8_t code, uint64_t value, uint64_t by)
{
	if (code == OP_SHRA)
		return (uint64_t)((int64_t)value >> (by < 64 ? by : 63));
	if (by >= 64)
		return 0;
	return code == OP_SHL ? value << by : value >> by;
}

static uint64_t divide(struct evaluation *eval, uint8_t code, uint64_t a, uint64_t b)
{
	if (!b) {
		eval->cur.bad = true;
		return 0;
	}
	if (code == OP_MOD)
		return a % b;
	return b == UINT64_MAX ? -a : (uint64_t)((int64_t)a / (int64_t)b);
}

static bool compare_operands(uint8_t code, int64_t a, int64_t b)
{
	switch (code) {
	case OP_EQ:
		return a == b;
	case OP_GE:
		return a >= b;
	case OP_GT:
		return a > b;
	case OP_LE:
		return a <= b;
	case OP_LT:
		return a < b;
	default:
		return a != b;
	}
}

/* Operations on the two values on top. */
static uint64_t combine(struct evaluation *eval, uint8_t code, uint64_t a, uint64_t b)
{
	switch (code) {
	case OP_AND:
		return a & b;
	case OP_OR:
		return a | b;
	case OP_XOR:
		return a ^ b;
	case OP_PLUS:
		return a + b;
	case OP_MINUS:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_DIV:
	case OP_MOD:
		return divide(eval, code, a, b);
	case OP_SHL:
	case OP_SHR:
	case OP_SHRA:
		return shift(code, a, b);
	default:
		return compare_operands(code, (int64_t)a, (int64_t)b);
	}
}

static bool takes_two(uint8_t code)
{
	switch (code) {
	case OP_ABS:
	case OP_NEG:
	case OP_NOT:
	case OP_PLUS_UCONST:
	case OP_BRA:
		return false;
	default:
		return code >= OP_AND && code <= OP_NE;
	}
}

/* Operations on the value on top. */
static uint64_t change(struct evaluation *eval, uint8_t code, uint64_t value)
{
	switch (code) {
	case OP_ABS:
		return (int64_t)value < 0 ? -value : value;
	case OP_NEG:
		return -value;
	case OP_NOT:
		return ~value;
	default:
		return value + dwarf_cursor__uleb(&eval->cur);
	}
}

/* Operations on the stack, on memory and registers, and jumps. */
static void run_other(struct evaluation *eval, uint8_t code)
{
	switch (code) {
	case OP_ADDR: /* without its bias: a mapped file has it elsewhere */
		eval->cur.bad = true;
		break;
	case OP_DEREF:
		dereference(eval, 8);
		break;
	case OP_DEREF_SIZE:
		dereference(eval, dwarf_cursor__u8(&eval->cur));
		break;
	case OP_DUP:
		pick(eval, 0);
		break;
	case OP_DROP:
		pop(eval);
		break;
	case OP_OVER:
		pick(eval, 1);
		break;
	case OP_PICK:
		pick(eval, dwarf_cursor__u8(&eval->cur));
		break;
	case OP_SWAP:
		swap(eval);
		break;
	case OP_ROT:
		rotate(eval);
		break;
	case OP_SKIP:
		jump(eval, true);
		break;
	case OP_BRA:
		jump(eval, pop(eval));
		break;
	case OP_BREGX:
		push_register(eval, dwarf_cursor__uleb(&eval->cur));
		break;
	case OP_NOP:
		break;
	default:
		eval->cur.bad = true;
	}
}

static void run_operation(struct evaluation *eval)
{
	const uint8_t code = dwarf_cursor__u8(&eval->cur);

	if (push_constant(eval, code))
		return;
	if (code >= OP_BREG0 && code <= OP_BREG31) {
		push_register(eval, (uint64_t)code - OP_BREG0);
	} else if (takes_two(code)) {
		const uint64_t b = pop(eval), a = pop(eval);

		push(eval, combine(eval, code, a, b));
	} else if (code == OP_ABS || code == OP_NEG || code == OP_NOT || code == OP_PLUS_UCONST) {
		push(eval, change(eval, code, pop(eval)));
	} else {
		run_other(eval, code);
	}
}

bool dwarf_expression__evaluate(const uint8_t *bytes, size_t count, const struct unwind_regs *regs,
				const struct unwind_memory *memory, const uint64_t *first,
				uint64_t *result)
{
	struct evaluation eval;
	unsigned steps = 0;

	eval.start = bytes;
	eval.cur = dwarf_cursor(bytes, bytes + count, memory->swapped);
	eval.regs = regs;
	eval.memory = memory;
	eval.depth = 0;
	if (first)
		push(&eval, *first);
	while (cursor__left(&eval.cur) && !eval.cur.bad) {
		if (steps++ == STEPS_MAX)
			return false;
		run_operation(&eval);
	}
	*result = pop(&eval);
	return !eval.cur.bad;
}
