// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/insn.c: kinds and registers of BPF instructions. */
#include <string.h>

#include "object/insn.h"

#define LOAD_ACQUIRE 0x100 /* BPF_LOAD_ACQ, which older headers lack */
#define CALLER_SAVED (INSN_REGISTER(BPF_REG_0) | INSN_ARGUMENTS)

static void set(struct insn *insn, enum insn_kind kind, uint32_t writes, uint32_t reads)
{
	insn->kind = kind;
	insn->writes = (uint16_t)writes;
	insn->reads = (uint16_t)reads;
}

static void decode_alu(struct insn *insn, uint32_t dst, uint32_t src)
{
	uint8_t op = BPF_OP(insn->raw.code);

	if (op == BPF_MOV)
		set(insn, INSN_MOVE, dst, src);
	else
		set(insn, INSN_OTHER, dst, op == BPF_END || op == BPF_NEG ? dst : dst | src);
}

static void decode_atomic(struct insn *insn, uint32_t dst, uint32_t src)
{
	uint32_t result = insn->raw.imm & BPF_FETCH ? src : 0;

	if (insn->raw.imm == BPF_CMPXCHG)
		result = INSN_REGISTER(BPF_REG_0);
	if (insn->raw.imm == LOAD_ACQUIRE)
		set(insn, INSN_ATOMIC, dst, src);
	else
		set(insn, INSN_ATOMIC, result, dst | src | result);
}

/* Loads of packets are calls: they have arguments in registers. */
static bool decode_load(struct insn *insn, const void *code, size_t count)
{
	struct bpf_insn half;

	if (!insn->raw.code) /* a second half */
		return true;
	if (insn->raw.code != (BPF_LD | BPF_IMM | BPF_DW)) {
		set(insn, INSN_OTHER, CALLER_SAVED,
		    INSN_REGISTER(BPF_REG_6) | INSN_REGISTER(insn->raw.src_reg));
		return true;
	}
	if (insn->next >= count)
		return false;
	memcpy(&half, (const char *)code + insn->next * sizeof(half), sizeof(half));
	insn->constant = (uint64_t)(uint32_t)half.imm << 32 | (uint32_t)insn->raw.imm;
	insn->target = (int64_t)insn->next + insn->raw.imm;
	insn->next++;
	set(insn, insn->raw.src_reg == BPF_PSEUDO_FUNC ? INSN_FUNCTION_ADDRESS : INSN_CONSTANT,
	    INSN_REGISTER(insn->raw.dst_reg), 0);
	return true;
}

static enum insn_kind call_kind(const struct bpf_insn *raw)
{
	if (raw->code != (BPF_JMP | BPF_CALL))
		return INSN_CALL_OTHER;
	switch (raw->src_reg) {
	case 0:
		return INSN_CALL_HELPER;
	case BPF_PSEUDO_CALL:
		return INSN_CALL_FUNCTION;
	default:
		return INSN_CALL_OTHER;
	}
}

static void decode_jump(struct insn *insn, uint32_t dst, uint32_t src)
{
	uint8_t op = BPF_OP(insn->raw.code);
	bool is_far = op == BPF_CALL || (op == BPF_JA && BPF_CLASS(insn->raw.code) == BPF_JMP32);

	insn->target = (int64_t)insn->next + (is_far ? insn->raw.imm : insn->raw.off);
	switch (op) {
	case BPF_EXIT:
		set(insn, INSN_EXIT, 0, INSN_REGISTER(BPF_REG_0));
		break;
	case BPF_CALL:
		set(insn, call_kind(&insn->raw), CALLER_SAVED, INSN_ARGUMENTS);
		break;
	case BPF_JA:
		set(insn, INSN_JUMP, 0, 0);
		break;
	default:
		set(insn, INSN_BRANCH, 0, dst | src);
	}
}

bool insn__decode(const void *code, size_t count, size_t index, struct insn *insn)
{
	uint32_t dst, src;

	if (index >= count)
		return false;
	*insn = (struct insn){ .next = index + 1 };
	memcpy(&insn->raw, (const char *)code + index * sizeof(insn->raw), sizeof(insn->raw));
	dst = INSN_REGISTER(insn->raw.dst_reg);
	src = BPF_SRC(insn->raw.code) == BPF_X ? INSN_REGISTER(insn->raw.src_reg) : 0;
	switch (BPF_CLASS(insn->raw.code)) {
	case BPF_LD:
		return decode_load(insn, code, count);
	case BPF_LDX:
		set(insn, INSN_OTHER, dst, INSN_REGISTER(insn->raw.src_reg));
		break;
	case BPF_ST:
		set(insn, INSN_OTHER, 0, dst);
		break;
	case BPF_STX:
		src = INSN_REGISTER(insn->raw.src_reg);
		if (BPF_MODE(insn->raw.code) == BPF_ATOMIC)
			decode_atomic(insn, dst, src);
		else
			set(insn, INSN_OTHER, 0, dst | src);
		break;
	case BPF_JMP:
	case BPF_JMP32:
		decode_jump(insn, dst, src);
		break;
	default:
		decode_alu(insn, dst, src);
	}
	return true;
}
