// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_returns.c: constants that a program returns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "object/returns.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define ALU64 0x07
#define JMP32 0x06

#define MOVE(to, number)	  ((struct bpf_insn){ ALU64 | BPF_MOV | BPF_K, to, 0, 0, number })
#define MOVE32(to, number)	  ((struct bpf_insn){ BPF_ALU | BPF_MOV | BPF_K, to, 0, 0, number })
#define COPY(to, from)		  ((struct bpf_insn){ ALU64 | BPF_MOV | BPF_X, to, from, 0, 0 })
#define ALU(op, to, from)	  ((struct bpf_insn){ ALU64 | (op) | BPF_X, to, from, 0, 0 })
#define LOAD(to, from)		  ((struct bpf_insn){ BPF_LDX | BPF_MEM | BPF_DW, to, from, 0, 0 })
#define STORE(to, from)		  ((struct bpf_insn){ BPF_STX | BPF_MEM | BPF_DW, to, from, -8, 0 })
#define ATOMIC(to, from, op)	  ((struct bpf_insn){ BPF_STX | 0xc0 | BPF_DW, to, from, -8, op })
#define WIDE(to, number)	  ((struct bpf_insn){ BPF_LD | BPF_IMM | BPF_DW, to, 0, 0, number })
#define WIDE_HALF		  ((struct bpf_insn){ 0 })
#define ADDRESS(to, insns)	  ((struct bpf_insn){ BPF_LD | BPF_IMM | BPF_DW, to, 4, 0, insns })
#define JUMP(insns)		  ((struct bpf_insn){ BPF_JMP | BPF_JA, 0, 0, insns, 0 })
#define FAR_JUMP(insns)		  ((struct bpf_insn){ JMP32 | BPF_JA, 0, 0, 0, insns })
#define JUMP_IF_ZERO(reg, insns)  ((struct bpf_insn){ BPF_JMP | BPF_JEQ | BPF_K, reg, 0, insns, 0 })
#define JUMP_IF_SAME(a, b, insns) ((struct bpf_insn){ BPF_JMP | BPF_JEQ | BPF_X, a, b, insns, 0 })
#define HELPER			  ((struct bpf_insn){ BPF_JMP | BPF_CALL, 0, 0, 0, 14 })
#define CALL(insns)		  ((struct bpf_insn){ BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, insns })
#define EXIT			  ((struct bpf_insn){ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 })

static struct bpf_insn *mended; /* by the last make_odd() */

/* The memory ends with the last insn, so that sanitizers detect reads beyond it. */
static struct bpf_insn *copy_insns(const struct bpf_insn *insns, size_t count)
{
	struct bpf_insn *copy = malloc(count * sizeof(*copy));

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, insns, count * sizeof(*copy));
	return copy;
}

static int make_odd(const struct bpf_insn *insns, size_t count)
{
	free(mended);
	mended = copy_insns(insns, count);
	return returns__make_odd(mended, count);
}

static int has_even(const struct bpf_insn *insns, size_t count)
{
	struct bpf_insn *copy = copy_insns(insns, count);
	int found = returns__has_even(copy, count);

	free(copy);
	return found;
}

#define INSNS(...)                                                                                 \
	(const struct bpf_insn[]){ __VA_ARGS__ },                                                  \
		sizeof((const struct bpf_insn[]){ __VA_ARGS__ }) / sizeof(struct bpf_insn)

static void teardown(void)
{
	free(mended);
	mended = NULL;
}

/* ---- programs are changed -------------------------------------------------------------------- */

START_TEST(test_zero_becomes_one)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), EXIT)), 1);
	ck_assert_int_eq(mended[0].imm, 1);
	ck_assert_int_eq(make_odd(INSNS(MOVE32(0, 0), EXIT)), 1);
	ck_assert_int_eq(mended[0].imm, 1);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, -2), EXIT)), 1);
	ck_assert_int_eq(mended[0].imm, -1);
}
END_TEST

START_TEST(test_odd_constants_stay)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 1), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, -1), EXIT)), 0);
	ck_assert_int_eq(mended[0].imm, -1);
}
END_TEST

START_TEST(test_constants_of_all_paths_change)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), JUMP_IF_ZERO(1, 2), MOVE(0, 4), JUMP(0), EXIT)),
			 2);
	ck_assert_int_eq(mended[0].imm, 1);
	ck_assert_int_eq(mended[2].imm, 5);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), FAR_JUMP(1), MOVE(0, 0), EXIT)), 2);
	ck_assert_int_eq(make_odd(INSNS(JUMP(2), MOVE(0, 0), EXIT, JUMP(-3))), 1);
}
END_TEST

START_TEST(test_copies_are_followed)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(6, 0), HELPER, COPY(0, 6), EXIT)), 1);
	ck_assert_int_eq(mended[0].imm, 1);
	ck_assert_int_eq(make_odd(INSNS(MOVE(6, 0), COPY(7, 6), COPY(6, 1), COPY(0, 7), EXIT)), 1);
	ck_assert_int_eq(mended[0].imm, 1);
}
END_TEST

START_TEST(test_replaced_constants_stay)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), MOVE(0, 1), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), LOAD(0, 1), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), HELPER, EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), WIDE(0, 1), WIDE_HALF, EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(2, 0), HELPER, COPY(0, 2), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), ATOMIC(10, 0, 0x01), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), ATOMIC(10, 1, 0xf1), EXIT)), 0);
}
END_TEST

/* A constant that the program uses otherwise has to stay what it is. */
START_TEST(test_constants_with_another_use_stay)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), STORE(10, 0), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), ATOMIC(10, 0, 0), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), COPY(1, 0), STORE(10, 1), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), JUMP_IF_ZERO(0, 0), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), JUMP_IF_SAME(1, 0, 0), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), ALU(BPF_ADD, 1, 0), STORE(10, 1), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(6, 0), COPY(1, 6), HELPER, COPY(0, 6), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), LOAD(1, 0), EXIT)), 0);
}
END_TEST

START_TEST(test_computed_values_stay)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), ALU(BPF_ADD, 0, 1), EXIT)), 0);
	ck_assert_int_eq(make_odd(INSNS(CALL(-1), EXIT)), 0);
}
END_TEST

START_TEST(test_loops_end)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(6, 0), JUMP_IF_ZERO(1, 2), COPY(0, 6), JUMP(-3),
					COPY(0, 6), EXIT)),
			 1);
	ck_assert_int_eq(make_odd(INSNS(JUMP(-1))), 0);
}
END_TEST

START_TEST(test_jumps_out_are_errors)
{
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0))), -EBADMSG);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), JUMP(1), EXIT)), -EBADMSG);
	ck_assert_int_eq(make_odd(INSNS(JUMP(-2), EXIT)), -EBADMSG);
	ck_assert_int_eq(make_odd(INSNS(MOVE(0, 0), EXIT, WIDE(0, 0))), -EBADMSG);
	ck_assert_int_eq(mended[0].imm, 0);
	ck_assert_int_eq(returns__make_odd(NULL, 0), 0);
}
END_TEST

/* ---- programs are checked -------------------------------------------------------------------- */

START_TEST(test_even_constants_are_found)
{
	ck_assert_int_eq(has_even(INSNS(MOVE(0, 0), EXIT)), 1);
	ck_assert_int_eq(has_even(INSNS(MOVE(0, 1), EXIT)), 0);
	ck_assert_int_eq(has_even(INSNS(MOVE(0, 0), STORE(10, 0), EXIT)), 1);
	ck_assert_int_eq(has_even(INSNS(LOAD(0, 1), EXIT)), 0);
	ck_assert_int_eq(returns__has_even(NULL, 0), 0);
}
END_TEST

START_TEST(test_functions_are_followed)
{
	ck_assert_int_eq(has_even(INSNS(CALL(1), EXIT, MOVE(0, 0), EXIT)), 1);
	ck_assert_int_eq(has_even(INSNS(CALL(1), EXIT, CALL(1), EXIT, MOVE(0, 0), EXIT)), 1);
	ck_assert_int_eq(has_even(INSNS(CALL(1), EXIT, MOVE(0, 1), EXIT)), 0);
}
END_TEST

START_TEST(test_results_that_are_not_returned_do_not_count)
{
	ck_assert_int_eq(has_even(INSNS(CALL(2), MOVE(0, 1), EXIT, MOVE(0, 0), EXIT)), 0);
	ck_assert_int_eq(has_even(INSNS(ADDRESS(1, 5), WIDE_HALF, CALL(1), EXIT, MOVE(0, 1), EXIT,
					MOVE(0, 0), EXIT)),
			 0);
}
END_TEST

START_TEST(test_recursion_ends)
{
	ck_assert_int_eq(has_even(INSNS(CALL(-1), EXIT)), 0);
}
END_TEST

START_TEST(test_calls_out_are_errors)
{
	ck_assert_int_eq(has_even(INSNS(CALL(1), EXIT)), -EBADMSG);
	ck_assert_int_eq(has_even(INSNS(CALL(-2), EXIT)), -EBADMSG);
	ck_assert_int_eq(has_even(INSNS(CALL(INT32_MAX), EXIT)), -EBADMSG);
	ck_assert_int_eq(has_even(INSNS(MOVE(0, 0), JUMP(-3))), -EBADMSG);
	ck_assert_int_eq(has_even(INSNS(WIDE(0, 0), CALL(INT32_MAX), EXIT)), -EBADMSG);
}
END_TEST

/* Codes that the kernel refuses, with the source register of a call. */
START_TEST(test_invalid_calls_lead_nowhere)
{
	struct bpf_insn call = CALL(INT32_MAX);

	call.code = JMP32 | BPF_CALL;
	ck_assert_int_eq(has_even(INSNS(call, EXIT)), 0);
	call.code = BPF_JMP | BPF_CALL | BPF_X;
	ck_assert_int_eq(has_even(INSNS(call, EXIT)), 0);
}
END_TEST

/* ---- programs return 0 ----------------------------------------------------------------------- */

static int make_zero(const struct bpf_insn *insns, size_t count)
{
	free(mended);
	mended = malloc((count + RETURNS_ZERO_INSNS) * sizeof(*mended));
	ck_assert_ptr_nonnull(mended);
	memcpy(mended, insns, count * sizeof(*insns));
	return returns__make_zero(mended, count);
}

static void check_mended(const struct bpf_insn *insns, size_t count)
{
	ck_assert_mem_eq(mended, insns, count * sizeof(*insns));
}

START_TEST(test_all_exits_return_zero)
{
	ck_assert_int_eq(make_zero(INSNS(LOAD(0, 1), EXIT)), 0);
	check_mended(INSNS(LOAD(0, 1), JUMP(0), MOVE(0, 0), EXIT));
	ck_assert_int_eq(
		make_zero(INSNS(JUMP_IF_ZERO(1, 2), MOVE(0, 5), EXIT, WIDE(0, 1), WIDE_HALF, EXIT)),
		0);
	check_mended(INSNS(JUMP_IF_ZERO(1, 2), MOVE(0, 5), JUMP(3), WIDE(0, 1), WIDE_HALF, JUMP(0),
			   MOVE(0, 0), EXIT));
	ck_assert_int_eq(make_zero(INSNS(CALL(0), JUMP(-2))), 0);
	check_mended(INSNS(CALL(0), JUMP(-2), MOVE(0, 0), EXIT));
}
END_TEST

/* The distance of a jump has 16 bits. */
START_TEST(test_exits_far_from_the_end)
{
	size_t count = INT16_MAX + 2;
	struct bpf_insn *insns = calloc(count, sizeof(*insns));

	ck_assert_ptr_nonnull(insns);
	insns[1] = EXIT;
	ck_assert_int_eq(make_zero(insns, count), 0);
	ck_assert_int_eq(mended[1].off, INT16_MAX);
	insns[0] = EXIT;
	ck_assert_int_eq(make_zero(insns, count), -E2BIG);
	ck_assert_mem_eq(mended, insns, count * sizeof(*insns));
	free(insns);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_zero_becomes_one);
	tcase_add_test(tests, test_odd_constants_stay);
	tcase_add_test(tests, test_constants_of_all_paths_change);
	tcase_add_test(tests, test_copies_are_followed);
	tcase_add_test(tests, test_replaced_constants_stay);
	tcase_add_test(tests, test_constants_with_another_use_stay);
	tcase_add_test(tests, test_computed_values_stay);
	tcase_add_test(tests, test_loops_end);
	tcase_add_test(tests, test_jumps_out_are_errors);
	tcase_add_test(tests, test_even_constants_are_found);
	tcase_add_test(tests, test_functions_are_followed);
	tcase_add_test(tests, test_results_that_are_not_returned_do_not_count);
	tcase_add_test(tests, test_recursion_ends);
	tcase_add_test(tests, test_calls_out_are_errors);
	tcase_add_test(tests, test_invalid_calls_lead_nowhere);
	tcase_add_test(tests, test_all_exits_return_zero);
	tcase_add_test(tests, test_exits_far_from_the_end);
}
