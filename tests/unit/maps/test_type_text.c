// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_type_text.c: names of BTF types. */
#include <stdlib.h>
#include <bpf/btf.h>

#include "maps/type_text.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static struct btf *btf;

static void check(int id, const char *expected)
{
	char *text = type_text__new(btf, (uint32_t)id);

	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(test_names_as_in_c)
{
	int u32, request, word;

	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	u32 = btf__add_int(btf, "unsigned int", 4, 0);
	request = btf__add_struct(btf, "request", 4);
	word = btf__add_typedef(btf, "__u32", u32);
	check(u32, "unsigned int");
	check(word, "__u32");
	check(request, "struct request");
	check(btf__add_const(btf, btf__add_ptr(btf, btf__add_const(btf, request))),
	      "struct request *");
	check(btf__add_ptr(btf, 0), "void *");
	check(btf__add_array(btf, u32, word, 27), "__u32[27]");
	check(btf__add_array(btf, u32, btf__add_array(btf, u32, word, 3), 2), "__u32[2][3]");
	check(btf__add_union(btf, "either", 4), "union either");
	check(btf__add_enum(btf, NULL, 4), "enum (unnamed)");
	check(1000, "(unnamed)");
	btf__free(btf);
}
END_TEST

/* A type that refers to itself ends. */
START_TEST(test_circular_type_ends)
{
	int pointer;

	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	pointer = btf__add_ptr(btf, 1);
	free(type_text__new(btf, (uint32_t)pointer));
	btf__free(btf);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_names_as_in_c);
	tcase_add_test(tests, test_circular_type_ends);
}
