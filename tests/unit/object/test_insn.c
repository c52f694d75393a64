// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_insn.c: decoded instructions, and damaged code. */
#include <stdlib.h>
#include <string.h>

#include "object/insn.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define R(n)	      INSN_REGISTER(n)
#define ATOMIC	      (BPF_STX | BPF_ATOMIC | BPF_DW)
#define CALLER_SAVED  (R(0) | INSN_ARGUMENTS)
#define LOAD_CONSTANT (BPF_LD | BPF_IMM | BPF_DW)

static struct insn decode(struct bpf_insn raw)
{
	struct bpf_insn code[3] = { raw };
	struct insn insn;

	ck_assert(insn__decode(code, 3, 0, &insn));
	ck_assert_mem_eq(&insn.raw, &raw, sizeof(raw));
	return insn;
}

static void check_at(int line, struct bpf_insn raw, enum insn_kind kind, uint32_t writes,
		     uint32_t reads)
{
	struct insn insn = decode(raw);

	ck_assert_msg(insn.kind == kind && insn.writes == writes && insn.reads == reads,
		      "line %d: kind %d, writes %#x, reads %#x", line, (int)insn.kind, insn.writes,
		      insn.reads);
	ck_assert_uint_eq(insn.next, raw.code == LOAD_CONSTANT ? 2 : 1);
}

/* All with r3 and r4. */
#define CHECK(code, imm, ...)                                                                      \
	check_at(__LINE__, (struct bpf_insn){ code, 3, 4, 7, imm }, __VA_ARGS__)

START_TEST(test_registers_of_arithmetic)
{
	CHECK(BPF_ALU64 | BPF_MOV | BPF_K, 5, INSN_MOVE, R(3), 0);
	CHECK(BPF_ALU | BPF_MOV | BPF_X, 0, INSN_MOVE, R(3), R(4));
	CHECK(BPF_ALU64 | BPF_ADD | BPF_K, 5, INSN_OTHER, R(3), R(3));
	CHECK(BPF_ALU | BPF_XOR | BPF_X, 0, INSN_OTHER, R(3), R(3) | R(4));
	CHECK(BPF_ALU64 | BPF_NEG | BPF_X, 0, INSN_OTHER, R(3), R(3));
	CHECK(BPF_ALU | BPF_END | BPF_X, 16, INSN_OTHER, R(3), R(3));
}
END_TEST

START_TEST(test_registers_of_memory_accesses)
{
	CHECK(BPF_LDX | BPF_MEM | BPF_B, 0, INSN_OTHER, R(3), R(4));
	CHECK(BPF_ST | BPF_MEM | BPF_W, 5, INSN_OTHER, 0, R(3));
	CHECK(BPF_STX | BPF_MEM | BPF_W, 0, INSN_OTHER, 0, R(3) | R(4));
	CHECK(BPF_LD | BPF_ABS | BPF_W, 0, INSN_OTHER, CALLER_SAVED, R(6) | R(4));
	CHECK(BPF_LD | BPF_IND | BPF_B, 0, INSN_OTHER, CALLER_SAVED, R(6) | R(4));
}
END_TEST

START_TEST(test_registers_of_atomic_operations)
{
	CHECK(ATOMIC, BPF_ADD, INSN_ATOMIC, 0, R(3) | R(4));
	CHECK(ATOMIC, BPF_ADD | BPF_FETCH, INSN_ATOMIC, R(4), R(3) | R(4));
	CHECK(ATOMIC, BPF_XCHG, INSN_ATOMIC, R(4), R(3) | R(4));
	CHECK(ATOMIC, BPF_CMPXCHG, INSN_ATOMIC, R(0), R(0) | R(3) | R(4));
	CHECK(ATOMIC, 0x100, INSN_ATOMIC, R(3), R(4));	   /* load with acquire semantics */
	CHECK(ATOMIC, 0x110, INSN_ATOMIC, 0, R(3) | R(4)); /* store with release semantics */
}
END_TEST

START_TEST(test_registers_of_jumps_and_calls)
{
	CHECK(BPF_JMP | BPF_JA, 0, INSN_JUMP, 0, 0);
	CHECK(BPF_JMP | BPF_JEQ | BPF_K, 0, INSN_BRANCH, 0, R(3));
	CHECK(BPF_JMP32 | BPF_JSGT | BPF_X, 0, INSN_BRANCH, 0, R(3) | R(4));
	CHECK(BPF_JMP | BPF_EXIT, 0, INSN_EXIT, 0, R(0));
	CHECK(BPF_JMP | BPF_CALL, 0, INSN_CALL_OTHER, CALLER_SAVED, INSN_ARGUMENTS);
}
END_TEST

/* src_reg is the kind of the call; only one code is valid. */
START_TEST(test_kinds_of_calls)
{
	struct bpf_insn call = { .code = BPF_JMP | BPF_CALL, .imm = 9 };

	ck_assert_int_eq(decode(call).kind, INSN_CALL_HELPER);
	call.src_reg = BPF_PSEUDO_CALL;
	ck_assert_int_eq(decode(call).kind, INSN_CALL_FUNCTION);
	ck_assert_int_eq(decode(call).target, 10);
	call.src_reg = BPF_PSEUDO_KFUNC_CALL;
	ck_assert_int_eq(decode(call).kind, INSN_CALL_OTHER);
	call = (struct bpf_insn){ .code = BPF_JMP32 | BPF_CALL, .src_reg = BPF_PSEUDO_CALL };
	ck_assert_int_eq(decode(call).kind, INSN_CALL_OTHER);
	call.code = BPF_JMP | BPF_CALL | BPF_X;
	ck_assert_int_eq(decode(call).kind, INSN_CALL_OTHER);
}
END_TEST

START_TEST(test_targets_of_jumps)
{
	struct bpf_insn jump = { .code = BPF_JMP | BPF_JA, .off = -2, .imm = 100 };

	ck_assert_int_eq(decode(jump).target, -1);
	jump.code = BPF_JMP32 | BPF_JA;
	ck_assert_int_eq(decode(jump).target, 101);
	jump.code = BPF_JMP32 | BPF_JEQ;
	ck_assert_int_eq(decode(jump).target, -1);
	jump = (struct bpf_insn){ .code = BPF_JMP32 | BPF_JA, .imm = INT32_MAX };
	ck_assert_int_eq(decode(jump).target, 1LL + INT32_MAX);
}
END_TEST

/* Also unaligned, and without reading beyond the code. */
START_TEST(test_constants_have_two_halves)
{
	const struct bpf_insn code[] = {
		{ .code = LOAD_CONSTANT, .dst_reg = 3, .imm = -2 },
		{ .imm = 5 },
		{ .code = LOAD_CONSTANT, .dst_reg = 9, .src_reg = BPF_PSEUDO_FUNC, .imm = -3 },
	};
	char *copy = malloc(sizeof(code) + 1);
	struct insn insn;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy + 1, code, sizeof(code));
	ck_assert(insn__decode(copy + 1, 3, 0, &insn));
	ck_assert(insn.kind == INSN_CONSTANT && insn.writes == R(3) && !insn.reads);
	ck_assert_uint_eq(insn.constant, 0x5fffffffe);
	ck_assert_uint_eq(insn.next, 2);
	ck_assert(insn__decode(copy + 1, 3, 1, &insn));
	ck_assert(insn.kind == INSN_OTHER && !insn.writes && !insn.reads && insn.next == 2);
	ck_assert(!insn__decode(copy + 1, 3, 2, &insn));
	ck_assert(!insn__decode(copy + 1, 3, 3, &insn));
	ck_assert(!insn__decode(NULL, 0, 0, &insn));
	free(copy);
}
END_TEST

START_TEST(test_addresses_of_functions)
{
	struct bpf_insn address = {
		.code = LOAD_CONSTANT, .dst_reg = 9, .src_reg = BPF_PSEUDO_FUNC, .imm = -3
	};
	struct insn insn = decode(address);

	ck_assert(insn.kind == INSN_FUNCTION_ADDRESS && insn.writes == R(9) && !insn.reads);
	ck_assert_int_eq(insn.target, -2);
	address.src_reg = BPF_PSEUDO_MAP_FD;
	ck_assert_int_eq(decode(address).kind, INSN_CONSTANT);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_registers_of_arithmetic);
	tcase_add_test(tests, test_registers_of_memory_accesses);
	tcase_add_test(tests, test_registers_of_atomic_operations);
	tcase_add_test(tests, test_registers_of_jumps_and_calls);
	tcase_add_test(tests, test_kinds_of_calls);
	tcase_add_test(tests, test_targets_of_jumps);
	tcase_add_test(tests, test_constants_have_two_halves);
	tcase_add_test(tests, test_addresses_of_functions);
}
