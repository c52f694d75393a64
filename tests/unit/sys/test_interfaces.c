// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_interfaces.c: interfaces of this machine, and lists of them. */
#include <errno.h>
#include <string.h>

#include "sys/interfaces.h"
#include "unit/suite.h"

static struct interface found;

#define FIND(lines, ifindex) interfaces__find(lines, sizeof(lines) - 1, ifindex, &found)

START_TEST(test_finds_line_of_interface)
{
	ck_assert(FIND("1 772 lo\n12 1 eth0\n2 1 veth@x y\n", 12));
	ck_assert_str_eq(found.name, "eth0");
	ck_assert_uint_eq(found.hardware, 1);
	ck_assert(FIND("1 772 lo\n2 65535 veth@x y\n", 2));
	ck_assert_str_eq(found.name, "veth@x y");
	ck_assert_uint_eq(found.hardware, 65535);
	ck_assert(!FIND("1 772 lo\n", 2));
}
END_TEST

START_TEST(test_damaged_lines)
{
	ck_assert(!FIND("", 1));
	ck_assert(!FIND("1 772 lo", 1)); /* cut */
	ck_assert(!FIND("1 772 \n", 1));
	ck_assert(!FIND("1 772\n", 1));
	ck_assert(!FIND("1\n", 1));
	ck_assert(!FIND("\n\n", 1));
	ck_assert(!FIND("1 65536 lo\n", 1));
	ck_assert(!FIND("4294967297 1 lo\n", 1));
	ck_assert(!FIND("1 1 l\0o\n", 1));
	ck_assert(!FIND("1 1 sixteen-letters-\n", 1));
	ck_assert(FIND("1 1 fifteen-letters\n", 1));
	ck_assert(FIND("x\n-1 772 lo\n1 772 lo\n", 1));
}
END_TEST

START_TEST(test_this_machine)
{
	uint32_t lo = if_nametoindex("lo");
	struct strbuf lines = { 0 };

	if (!lo)
		skip("no loopback interface here");
	ck_assert_int_eq(interfaces__read(lo, &found), 0);
	ck_assert_str_eq(found.name, "lo");
	ck_assert_uint_eq(found.hardware, 772);
	ck_assert_int_eq(interfaces__list(&lines, 65504), 0);
	ck_assert(interfaces__find(lines.bytes, lines.count, lo, &found));
	ck_assert_str_eq(found.name, "lo");
	ck_assert_uint_eq(found.hardware, 772);
	strbuf__free(&lines);
	ck_assert_int_eq(interfaces__list(&lines, 3), 0);
	ck_assert_uint_eq(lines.count, 0);
	strbuf__free(&lines);
}
END_TEST

START_TEST(test_no_interface)
{
	ck_assert_int_eq(interfaces__read(0x7fffffff, &found), -ENODEV);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_line_of_interface);
	tcase_add_test(tests, test_damaged_lines);
	tcase_add_test(tests, test_this_machine);
	tcase_add_test(tests, test_no_interface);
}
