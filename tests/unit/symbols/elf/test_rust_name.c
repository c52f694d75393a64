// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rust_name.c: names of Rust that libiberty may read. */
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/rust_name.h"
#include "unit/suite.h"

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

START_TEST(test_valid_names)
{
	static const char *const names[] = {
		"_RNvC6_123foo3bar",
		"_RNvNtCs1234_7mycrate3foo3bar",
		"_RNvMs_Cs1234_7mycrateNtB4_7Example3foo",
		"_RNvXs2_C7mycrateNtB5_7ExampleNtB5_5Trait3foo",
		"_RNvYNtC7mycrate7ExampleNtB4_5Trait3foo",
		"_RINvNtC3std3mem8align_ofjdE",
		"_RINvC3foo3barKj7b_E",
		"_RINvC3foo3barINtC3std3VechEFUKCPuEmE",
		"_RNCNvC7mycrate4main0B3_",
		"_RINvC1a1bDNtB2_1tp4ItemhEL_E",
		"_RINvC1a1bFG_RL0_hEuE",
		"_RNvC3foo3bar.llvm.9D1C9369",
		/* A hash of 64 bits. */
		("_RNvXsZ_NtCslNYArtu3iFV_5alloc6stringNtB5_6StringNtNtCsgEmfK2I1SDS_"
		 "4core3fmt5Write"
		 "9write_str"),
		"_RNvCu8gdel_5qa3bar",
		"_RINvC1a1bAtj8_TthEE",
	};

	for (size_t i = 0; i < COUNT(names); i++)
		ck_assert_msg(rust_name__is_valid(names[i]), "%s", names[i]);
}
END_TEST

START_TEST(test_invalid_names)
{
	static const char *const names[] = {
		"",
		"_R",
		"_Z3foov",
		"_RNvC6_123fo",
		"_RNvC",
		"_RB_",
		"_RNvB_3foo",
		"_RNvB9_3foo",
		"_RNvC99999999999999999999999foo3bar",
		"_RINvC1a1bh",
		"_RNvC3foo3bar$",
		"_RNvCszzzzzzzzzzz_3foo3bar",
		/* Billions of lifetimes, in the second case where nothing is printed. */
		"_RINvC1a1bFGzzzzzzz_EuE",
		"_RNvXYDGYeDGYI1_EL_C1aC1b3foo",
		/* A reference into an identifier. */
		"_RNvXNtC1a9DGzzzz_ELB5_B5_3foo",
	};

	for (size_t i = 0; i < COUNT(names); i++)
		ck_assert_msg(!rust_name__is_valid(names[i]), "%s", names[i]);
}
END_TEST

START_TEST(test_depth_is_bounded)
{
	char *name = malloc(4200);

	memset(name, 'S', 4200);
	memcpy(name, "_RINvC1a1b", 10);
	strcpy(name + 3000, "hE");
	ck_assert(!rust_name__is_valid(name));
	strcpy(name + 100, "hE");
	ck_assert(rust_name__is_valid(name));
	memset(name + 100, 'S', 4000);
	strcpy(name + 4190, "hE");
	ck_assert(!rust_name__is_valid(name));
	free(name);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_valid_names);
	tcase_add_test(tests, test_invalid_names);
	tcase_add_test(tests, test_depth_is_bounded);
}
