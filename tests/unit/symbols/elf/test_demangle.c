// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_demangle.c: C++ and Rust names as they are in the source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/demangle.h"
#include "unit/suite.h"

/* NULL: not a mangled name. */
static void check(const char *name, const char *expected)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, "before ");
	ck_assert_msg(demangle__append(&out, name) == !!expected, "%s", name);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes + strlen("before "), expected ? expected : "");
	strbuf__free(&out);
}

START_TEST(test_demangles_cplusplus)
{
	check("_ZN2ns3boxIiE4spinERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEi",
	      "ns::box<int>::spin");
	check("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()");
	check("_ZNSt6vectorIiSaIiEE9push_backERKi",
	      "std::vector<int, std::allocator<int> >::push_back");
	check("_ZN3fooD1Ev", "foo::~foo");
	check("_ZGVZ1fvE1x", "guard variable for f()::x");
	check("_Z3foov.part.0", "foo");
	check("_Z3foov@plt", "foo@plt");
}
END_TEST

START_TEST(test_demangles_rust)
{
	check("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
	check("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
	      "17h930b740aa94f1d3aE",
	      "<Test + 'static as foo::Bar<Test>>::bar");
	check("_RNvC6_123foo3bar", "123foo::bar");
	check("_RNYC0_", NULL);
}
END_TEST

START_TEST(test_other_names_stay)
{
	check("main", NULL);
	check("", NULL);
	check("_", NULL);
	check("_Z", NULL);
	check("_ZN", NULL);
	check("_Zebra", NULL);
	check("_R", NULL);
	check("__libc_start_main", NULL);
	check("_ZN2ns3boxIiE4spin", NULL);
}
END_TEST

/* Appends a template whose two arguments are the one of depth - 1, each. */
static void append_template(char *name, int depth)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char again[8] = "S?_E";

	if (!depth) {
		strcat(name, "1B");
		return;
	}
	strcat(name, "S_I");
	append_template(name, depth - 1);
	again[1] = digits[depth - 1];
	strcat(name, again);
}

/* A method of such a template: 2^depth letters and more. */
static size_t demangle_template(int depth)
{
	char name[512] = "_ZN1AI";
	struct strbuf out = { 0 };
	size_t bytes;

	append_template(name, depth);
	strcat(name, "E1fEv");
	demangle__append(&out, name);
	bytes = out.count;
	strbuf__free(&out);
	return bytes;
}

START_TEST(test_exponential_name_is_bounded)
{
	size_t bytes = 0;

	for (int depth = 1; depth < 10; depth++) {
		ck_assert_uint_gt(demangle_template(depth) + 16, 2 * bytes);
		bytes = demangle_template(depth);
	}
	ck_assert_uint_gt(bytes, 1000);
	ck_assert_uint_eq(demangle_template(30), BUDGET_NAME_BYTES);
}
END_TEST

START_TEST(test_long_name_is_refused)
{
	size_t bytes = 100000;
	char *name = malloc(bytes + 1);
	struct strbuf out = { 0 };

	memset(name, 'a', bytes);
	memcpy(name, "_Z", 2);
	name[bytes] = 0;
	ck_assert(!demangle__append(&out, name));
	ck_assert_uint_eq(out.count, 0);
	strbuf__free(&out);
	free(name);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_demangles_cplusplus);
	tcase_add_test(tests, test_demangles_rust);
	tcase_add_test(tests, test_other_names_stay);
	tcase_add_test(tests, test_exponential_name_is_bounded);
	tcase_add_test(tests, test_long_name_is_refused);
}
