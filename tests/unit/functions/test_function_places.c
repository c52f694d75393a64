// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_function_places.c: functions of a source in other files, with the plans of the first one. */
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/function_places.h"
#include "functions/function_probe.h"
#include "functions/user_prototypes.h"
#include "support/symbols/made_elf.h"
#include "unit/suite.h"

#define FUNCTION(name, offset)                                                                     \
	{                                                                                          \
		name, offset, 8, STB_GLOBAL, STT_FUNC, 0, 0                                        \
	}

static const struct made_symbol first_symbols[] = {
	FUNCTION("traced_a", 0x1100),
	FUNCTION("traced_b", 0x1200),
};

/* Elsewhere, without one of them, and with another one. */
static const struct made_symbol other_symbols[] = {
	FUNCTION("traced_b", 0x1500),
	FUNCTION("traced_c", 0x1600),
};

static char first[64], other[64];

static void make_file(char path[64], const struct made_symbol *symbols, size_t count)
{
	struct made_elf made = made_elf__own();

	made.symbols = symbols;
	made.symbols_count = count;
	snprintf(path, 64, "/proc/self/fd/%d", made_elf__fd(&made));
}

/* ---- prototypes ------------------------------------------------------------------------------ */

/* The bytes of the parameter `number` of each function; 0: there is no prototype. */
static unsigned first_bytes, other_bytes;

static int read_prototypes(struct btf **btf, const char *path, struct user_function *functions,
			   size_t count, bool has_members)
{
	unsigned bytes = !strcmp(path, first) ? first_bytes : other_bytes;
	int type, prototype;

	(void)has_members;
	*btf = NULL;
	if (!bytes)
		return -ENODATA;
	*btf = btf__new_empty();
	ck_assert_ptr_nonnull(*btf);
	type = btf__add_int(*btf, bytes == 4 ? "int" : "long", bytes, BTF_INT_SIGNED);
	prototype = btf__add_func_proto(*btf, type);
	ck_assert_int_eq(btf__add_func_param(*btf, "number", type), 0);
	for (size_t i = 0; i < count; i++)
		functions[i].id = (uint32_t)btf__add_func(*btf, functions[i].name, BTF_FUNC_GLOBAL,
							  prototype);
	return 0;
}

/* ---- probes ---------------------------------------------------------------------------------- */

static struct function_probe probe;
static struct function_places places;

static void setup(void)
{
	user_prototypes__use(read_prototypes);
	make_file(first, first_symbols, 2);
	make_file(other, other_symbols, 2);
}

static void make_probe(const char *text, const char *const *fields, uint32_t count)
{
	const struct wanted_fields wanted = { .paths = fields, .count = count };
	struct function_source source;
	const char *why;

	ck_assert_int_eq(function_source__parse(&source, text, &why), 0);
	ck_assert_int_eq(function_probe__make(&probe, &source, first, NULL, &wanted, 0), 0);
}

static void check_one(uint64_t place, uint64_t number)
{
	ck_assert_int_eq(function_places__of_file(&places, &probe, other), 0);
	ck_assert_uint_eq(places.count, 1);
	ck_assert_uint_eq(places.at[0], place);
	ck_assert_uint_eq(places.numbers[0], number);
	ck_assert_uint_eq(places.differing, 0);
	function_places__free(&places);
}

static void check_differing(void)
{
	ck_assert_int_eq(function_places__of_file(&places, &probe, other), 0);
	ck_assert_uint_eq(places.count, 0);
	ck_assert_uint_eq(places.differing, 1);
	function_places__free(&places);
}

START_TEST(test_functions_of_the_first_file)
{
	make_probe("uprobe:x:traced_*", NULL, 0);
	ck_assert_int_eq(function_places__of_probe(&places, &probe), 0);
	ck_assert_uint_eq(places.count, 2);
	ck_assert_uint_eq(places.at[1], 0x1200);
	ck_assert_uint_eq(places.numbers[1], 2);
	function_places__free(&places);
	function_probe__free(&probe);
}
END_TEST

/* A function that only the other file has is none. */
START_TEST(test_functions_by_name)
{
	make_probe("uprobe:x:traced_*", NULL, 0);
	check_one(0x1500, 2);
	function_probe__free(&probe);
	make_probe("uprobe:x:traced_b", NULL, 0);
	check_one(0x1500, 1);
	function_probe__free(&probe);
	make_probe("uprobe:x:traced_a", NULL, 0);
	ck_assert_int_eq(function_places__of_file(&places, &probe, other), -ENOENT);
	ck_assert_int_eq(function_places__of_file(&places, &probe, "/no/such/file"), -ENOENT);
	function_probe__free(&probe);
}
END_TEST

/* The same plan, and one that would read other bytes. */
START_TEST(test_prototypes_of_both)
{
	static const char *const fields[] = { "number" };

	first_bytes = 4;
	make_probe("uprobe:x:traced_b", fields, 1);
	other_bytes = 4;
	check_one(0x1500, 1);
	other_bytes = 8;
	check_differing();
	other_bytes = 0;
	check_one(0x1500, 1);
	function_probe__free(&probe);
}
END_TEST

/* A plan without types is right in each file. */
START_TEST(test_prototypes_of_the_other)
{
	static const char *const fields[] = { "arg1" };

	make_probe("uprobe:x:traced_b", fields, 1);
	other_bytes = 4;
	check_one(0x1500, 1);
	function_probe__free(&probe);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_functions_of_the_first_file);
	tcase_add_test(tests, test_functions_by_name);
	tcase_add_test(tests, test_prototypes_of_both);
	tcase_add_test(tests, test_prototypes_of_the_other);
}
