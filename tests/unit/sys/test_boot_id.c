// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_boot_id.c: the id of a boot: digits, dashes, too few of them. */
#include <string.h>
#include <unistd.h>

#include "sys/boot_id.h"
#include "unit/suite.h"

static uint8_t id[BOOT_ID_BYTES];

static bool parse(const char *text)
{
	return boot_id__parse(text, strlen(text), id);
}

START_TEST(test_digits_and_dashes)
{
	static const uint8_t expected[BOOT_ID_BYTES] = { 0x3f, 0x5e, 0x0c, 0x26, 0x01, 0x23,
							 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
							 0x00, 0xff, 0xfe, 0x10 };

	ck_assert(parse("3f5e0c26-0123-4567-89ab-CDEF00fffe10\n"));
	ck_assert(!memcmp(id, expected, sizeof(id)));
	ck_assert(parse("3f5e0c260123456789abcdef00fffe10"));
	ck_assert(!memcmp(id, expected, sizeof(id)));
}
END_TEST

START_TEST(test_too_few_digits)
{
	ck_assert(!parse(""));
	ck_assert(!parse("3f5e0c26-0123-4567-89ab-cdef00fffe1"));
	ck_assert(!parse("3f5e0c26-0123-4567 89ab-cdef00fffe10"));
	ck_assert(!parse("3f5e0c26-0123-4567-89ag-cdef00fffe10"));
}
END_TEST

START_TEST(test_this_boot)
{
	const uint8_t *running = boot_id__running();

	ck_assert(running || access("/proc/sys/kernel/random/boot_id", R_OK));
	ck_assert_ptr_eq(boot_id__running(), running);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_digits_and_dashes);
	tcase_add_test(tests, test_too_few_digits);
	tcase_add_test(tests, test_this_boot);
}
