// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_dwarf_expression.c: expressions of call frame information. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/dwarf_expression.h"

#include "unit/suite.h"

/* Expressions and memory here are little-endian. */
#define SWAPPED (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static uint64_t stack[2];
static const struct unwind_memory memory = { (const uint8_t *)stack, 0x7000, sizeof(stack),
					     SWAPPED };
static struct unwind_regs regs;

static void setup(void)
{
	stack[0] = htole64(0x1122334455667788);
	stack[1] = htole64(7);
	unwind_regs__set(&regs, 7, 0x7000);
	unwind_regs__set(&regs, 16, 0x40102b);
}

/* Evaluates a copy of so many bytes, so that the sanitizer detects reads beyond it. */
static bool evaluate(const char *bytes, size_t count, const uint64_t *first, uint64_t *result)
{
	uint8_t *copy = memcpy(malloc(count + !count), bytes, count);
	bool is_valid = dwarf_expression__evaluate(copy, count, &regs, &memory, first, result);

	free(copy);
	return is_valid;
}

#define CHECK(bytes, value)                                                                        \
	do {                                                                                       \
		uint64_t result_;                                                                  \
		ck_assert(evaluate(bytes, sizeof(bytes) - 1, NULL, &result_));                     \
		ck_assert_uint_eq(result_, (uint64_t)(value));                                     \
	} while (0)

#define CHECK_INVALID(bytes)                                                                       \
	do {                                                                                       \
		uint64_t result_;                                                                  \
		ck_assert(!evaluate(bytes, sizeof(bytes) - 1, NULL, &result_));                    \
	} while (0)

START_TEST(test_evaluates_constants)
{
	CHECK("\x30", 0);
	CHECK("\x4f", 31);
	CHECK("\x08\xff", 255);
	CHECK("\x09\xff", -1);
	CHECK("\x0b\xfe\xff", -2);
	CHECK("\x0c\xff\xff\xff\xff", 0xffffffff);
	CHECK("\x0d\xff\xff\xff\xff", -1);
	CHECK("\x0e\x01\x02\x03\x04\x05\x06\x07\x08", 0x0807060504030201);
	CHECK("\x10\xe5\x8e\x26", 624485);
	CHECK("\x11\x80\x7f", -128);
	CHECK("\x11\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", -1);
}
END_TEST

START_TEST(test_evaluates_arithmetic)
{
	CHECK("\x39\x33\x1c", 6);	   /* 9 - 3 */
	CHECK("\x33\x39\x1c\x32\x1b", -3); /* (3 - 9) / 2 */
	CHECK("\x39\x34\x1d", 1);	   /* 9 % 4 */
	CHECK("\x39\x34\x1e", 36);
	CHECK("\x33\x1f", -3);
	CHECK("\x33\x1f\x19", 3);
	CHECK("\x30\x20", -1);
	CHECK("\x31\x23\x83\x01", 132);	   /* 1 + 131 */
	CHECK("\x31\x34\x24", 16);	   /* 1 << 4 */
	CHECK("\x31\x08\x40\x24", 0);	   /* 1 << 64 */
	CHECK("\x31\x1f\x08\x7f\x26", -1); /* -1 >> 127, with the sign */
	CHECK("\x31\x1f\x08\x3f\x25", 1);  /* -1 >> 63, without */
	CHECK("\x35\x33\x1a", 1);
	CHECK("\x35\x33\x21", 7);
	CHECK("\x35\x33\x27", 6);
	CHECK("\x31\x1f\x31\x2d", 1); /* -1 < 1 */
	CHECK("\x31\x31\x2a", 1);
	CHECK("\x31\x31\x2e", 0);
	CHECK_INVALID("\x31\x30\x1b"); /* 1 / 0 */
	/* The least number divided by -1 */
	CHECK("\x0f\0\0\0\0\0\0\0\x80\x09\xff\x1b", 1ull << 63);
}
END_TEST

START_TEST(test_evaluates_stack_operations)
{
	CHECK("\x31\x32\x33\x17\x30\x1e\x22", 1 + 0 * 0 + 0); /* rot: 3 1 2; 2 * 0 + 1 */
	CHECK("\x31\x32\x16\x1c", 1);			      /* swap: 2 - 1 */
	CHECK("\x31\x32\x14\x1c", 1);			      /* over: 2 - 1 */
	CHECK("\x35\x32\x33\x15\x02", 5);
	CHECK("\x31\x12\x22", 2);
	CHECK("\x31\x32\x13", 1);
	CHECK_INVALID("\x31\x15\x01");
	CHECK_INVALID("\x13");
	CHECK_INVALID("");
	CHECK_INVALID("\x31\x32\x17");
}
END_TEST

START_TEST(test_reads_memory)
{
	CHECK("\x77\x00\x06", 0x1122334455667788);
	CHECK("\x77\x08\x06", 7);
	CHECK("\x92\x07\x04\x94\x04", 0x11223344);
	CHECK("\x77\x01\x94\x01", 0x77);
	CHECK_INVALID("\x77\x09\x06");
	CHECK_INVALID("\x77\x7f\x06");
	CHECK_INVALID("\x77\x00\x94\x03");
	CHECK_INVALID("\x76\x00");
	CHECK_INVALID("\x92\xff\xff\x03\x00");
}
END_TEST

/* The CFA in entries of a procedure linkage table: 8 more after the push at offset 11 of 16. */
START_TEST(test_evaluates_cfa_of_plt)
{
	static const char plt[] = "\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22";

	CHECK(plt, 0x7010);
	unwind_regs__set(&regs, 16, 0x40102a);
	CHECK(plt, 0x7008);
}
END_TEST

START_TEST(test_jumps_stay_inside)
{
	CHECK("\x31\x2f\x01\x00\x32", 1);     /* skip one */
	CHECK("\x35\x31\x28\x01\x00\x32", 5); /* taken */
	CHECK("\x35\x30\x28\x01\x00\x32", 2); /* not taken */
	CHECK_INVALID("\x2f\xfd\xff");	      /* forever */
	CHECK_INVALID("\x2f\xfc\xff\x30");    /* before the start */
	CHECK_INVALID("\x2f\x02\x00\x30");    /* beyond the end */
	CHECK_INVALID("\x31\x2f\xfc\xff");    /* pushes forever */
}
END_TEST

START_TEST(test_first_value_is_given)
{
	const uint64_t first = 100;
	uint64_t result;

	ck_assert(evaluate("\x23\x05", 2, &first, &result));
	ck_assert_uint_eq(result, 105);
}
END_TEST

/* Unknown operations, addresses in files, and each operation cut before its operand. */
START_TEST(test_invalid_operations_fail)
{
	static const uint8_t with_operand[] = { 0x08, 0x0a, 0x0c, 0x0e, 0x10, 0x11,
						0x15, 0x23, 0x2f, 0x77, 0x92, 0x94 };

	CHECK_INVALID("\xff");
	CHECK_INVALID("\x50");
	CHECK_INVALID("\x03\0\0\0\0\0\0\0\0");
	for (size_t i = 0; i < sizeof(with_operand); i++) {
		const char bytes[] = { 0x31, (char)with_operand[i] };
		uint64_t result;

		ck_assert(!evaluate(bytes, 2, NULL, &result));
	}
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_evaluates_constants);
	tcase_add_test(tests, test_evaluates_arithmetic);
	tcase_add_test(tests, test_evaluates_stack_operations);
	tcase_add_test(tests, test_reads_memory);
	tcase_add_test(tests, test_evaluates_cfa_of_plt);
	tcase_add_test(tests, test_jumps_stay_inside);
	tcase_add_test(tests, test_first_value_is_given);
	tcase_add_test(tests, test_invalid_operations_fail);
}
