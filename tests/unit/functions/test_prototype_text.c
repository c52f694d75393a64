// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_prototype_text.c: prototypes as in C. */
#include "function_btf.h"

static void check_text(struct prototype prototype, const char *wanted)
{
	struct strbuf text = { 0 };

	strbuf__text(&text, "x");
	prototype__append(&text, &prototype, "f");
	strbuf__char(&text, '\0');
	ck_assert_str_eq(text.bytes + 1, wanted);
	strbuf__free(&text);
}

START_TEST(test_simple_types)
{
	int colour = known(btf__add_enum(btf, "colour", 4));
	int size = known(btf__add_typedef(btf, "size_t", u64));
	int secret = known(btf__add_fwd(btf, "secret", BTF_FWD_UNION));
	struct prototype none = { .btf = btf, .id = add_prototype(0, NULL, 0) };
	struct prototype unknown = { 0 };

	check_text(PROTOTYPE(s32, { "a", size }, { NULL, truth }, { "c", colour }),
		   "int f(size_t a, _Bool, enum colour c)");
	check_text(PROTOTYPE(size, { "a", pointer(secret) }, { NULL, 0 }),
		   "size_t f(union secret *a, ...)");
	check_text(PROTOTYPE(0, { "a", pointer(begin(NULL, 4)) }), "void f(struct {...} *a)");
	check_text(none, "void f(void)");
	check_text(unknown, "f");
}
END_TEST

START_TEST(test_pointers_and_qualifiers)
{
	int text = pointer(constant(letter));
	int file = begin("file", 8);

	check_text(PROTOTYPE(pointer(file), { "a", constant(text) }, { "b", pointer(text) }),
		   "struct file *f(const char *const a, const char **b)");
	check_text(PROTOTYPE(0, { "a", pointer(known(btf__add_volatile(btf, constant(u32)))) },
			     { NULL, pointer(0) }),
		   "void f(volatile const unsigned int *a, void *)");
	check_text(PROTOTYPE(0, { "a", known(btf__add_restrict(btf, pointer(u32))) }),
		   "void f(unsigned int *restrict a)");
	check_text(PROTOTYPE(0, { "a", pointer(known(btf__add_type_tag(btf, "user", letter))) }),
		   "void f(char *a)");
}
END_TEST

START_TEST(test_functions_and_arrays)
{
	int names = pointer(array(pointer(letter), 8));
	int callback = pointer((int)PROTOTYPE(s32, { NULL, pointer(0) }, { "b", u32 }).id);
	int nested = pointer((int)PROTOTYPE(0, { "g", callback }).id);

	check_text(PROTOTYPE(0, { "a", names }), "void f(char *(*a)[8])");
	check_text(PROTOTYPE(0, { "a", callback }), "void f(int (*a)(void *, unsigned int b))");
	check_text(PROTOTYPE(callback, { "a", u32 }),
		   "int (*f(unsigned int a))(void *, unsigned int b)");
	check_text(PROTOTYPE(0, { "a", nested }), "void f(void (*a)(int (*g)(...)))");
}
END_TEST

START_TEST(test_invalid_types)
{
	int self = known(btf__add_ptr(btf, (int)btf__type_cnt(btf)));
	int alias = known(btf__add_const(btf, (int)btf__type_cnt(btf)));
	struct strbuf text = { 0 };
	struct prototype circle = PROTOTYPE(0, { "a", self }, { "b", alias });

	check_text(PROTOTYPE(0, { "a", 100000 }), "void f(? a)");
	prototype__append(&text, &circle, "f");
	ck_assert_uint_gt(text.count, 10);
	ck_assert_uint_lt(text.count, 500);
	strbuf__free(&text);
}
END_TEST

/* Parameters after 4096 bytes are left out. */
START_TEST(test_long_prototypes)
{
	struct prototype prototype = { .btf = btf, .id = add_prototype(0, NULL, 0) };
	struct strbuf text = { 0 };

	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(btf__add_func_param(btf, "parameter", u32), 0);
	prototype__append(&text, &prototype, "f");
	ck_assert_uint_lt(text.count, 4200);
	ck_assert_int_eq(memcmp(text.bytes + text.count - 5, " ...)", 5), 0);
	strbuf__free(&text);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_simple_types);
	tcase_add_test(tests, test_pointers_and_qualifiers);
	tcase_add_test(tests, test_functions_and_arrays);
	tcase_add_test(tests, test_invalid_types);
	tcase_add_test(tests, test_long_prototypes);
}
