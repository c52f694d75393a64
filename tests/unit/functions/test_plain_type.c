// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_plain_type.c: types without their typedefs and qualifiers. */
#include "functions/plain_type.h"
#include "function_btf.h"

static struct plain_type plain_of(int id)
{
	struct plain_type plain;

	ck_assert_int_eq(plain_type__find(&plain, btf, (uint32_t)id), 0);
	return plain;
}

static bool is_character(int id)
{
	struct plain_type plain = plain_of(id);

	return plain_type__is_character(&plain, btf);
}

static uint32_t number_bytes(int id)
{
	struct plain_type plain = plain_of(id);

	return plain_type__number_bytes(&plain);
}

START_TEST(test_chains_are_skipped)
{
	int alias = known(btf__add_typedef(btf, "count_t", u32));
	int id = constant(known(btf__add_volatile(btf, known(btf__add_restrict(btf, alias)))));
	struct plain_type plain = plain_of(id);

	ck_assert_uint_eq(plain.id, (uint32_t)u32);
	ck_assert(plain.is_const && plain.has_typedef && !plain.is_user);
	ck_assert_ptr_null(plain.meaning);
	ck_assert_str_eq(plain_type__name(&plain, btf), "unsigned int");
	plain = plain_of(u32);
	ck_assert(!plain.is_const && !plain.has_typedef);
	plain = plain_of(0);
	ck_assert(btf_is_void(plain.type));
}
END_TEST

START_TEST(test_typedefs_have_meanings)
{
	int inner = known(btf__add_typedef(btf, "__kernel_size_t", u64));
	int size = known(btf__add_typedef(btf, "size_t", inner));
	int mine = known(btf__add_typedef(btf, "my_size", size));

	ck_assert_str_eq(plain_of(mine).meaning, "size_t");
	ck_assert_str_eq(plain_of(be16).meaning, "__be16");
	ck_assert_ptr_null(plain_of(inner).meaning);
}
END_TEST

START_TEST(test_user_tags_are_found)
{
	int user = known(btf__add_type_tag(btf, "user", constant(letter)));
	int rcu = known(btf__add_type_tag(btf, "rcu", letter));

	ck_assert(plain_of(user).is_user);
	ck_assert(plain_of(user).is_const);
	ck_assert(!plain_of(rcu).is_user);
}
END_TEST

START_TEST(test_circles_are_refused)
{
	struct plain_type plain;
	int first = known(btf__add_typedef(btf, "first", (int)btf__type_cnt(btf) + 1));

	known(btf__add_typedef(btf, "second", first));
	ck_assert_int_eq(plain_type__find(&plain, btf, (uint32_t)first), -EBADMSG);
	ck_assert_int_eq(plain_type__find(&plain, btf, 100000), -EBADMSG);
}
END_TEST

START_TEST(test_characters_are_no_numbers)
{
	ck_assert(is_character(letter));
	ck_assert(is_character(u8)); /* unsigned char */
	ck_assert(is_character(known(btf__add_typedef(btf, "gchar", letter))));
	ck_assert(!is_character(known(btf__add_typedef(btf, "u8", u8))));
	ck_assert(!is_character(truth));
	ck_assert(!is_character(u16));
	ck_assert(!is_character(pointer(letter)));
}
END_TEST

START_TEST(test_sizes_of_numbers)
{
	int id = known(btf__add_int(btf, "bits", 4, 0));
	struct btf_type *bits;

	ck_assert_uint_eq(number_bytes(s64), 8);
	ck_assert_uint_eq(number_bytes(pointer(0)), 8);
	ck_assert_uint_eq(number_bytes(known(btf__add_enum(btf, "small", 1))), 1);
	ck_assert_uint_eq(number_bytes(known(btf__add_enum64(btf, "large", 8, false))), 8);
	ck_assert_uint_eq(number_bytes(known(btf__add_int(btf, "__int128", 16, 0))), 16);
	ck_assert_uint_eq(number_bytes(known(btf__add_float(btf, "double", 8))), 0);
	ck_assert_uint_eq(number_bytes(begin("none", 4)), 0);
	ck_assert_uint_eq(number_bytes(id), 4);
	bits = (struct btf_type *)(uintptr_t)btf__type_by_id(btf, (uint32_t)id);
	*(uint32_t *)(bits + 1) = 3; /* bits, in the old encoding of bit-fields */
	ck_assert_uint_eq(number_bytes(id), 0);
}
END_TEST

START_TEST(test_keywords_of_types)
{
	struct plain_type type = plain_of(begin("file", 8));

	ck_assert_str_eq(plain_type__keyword(type.type), "struct ");
	type = plain_of(known(btf__add_fwd(btf, "mystery", BTF_FWD_STRUCT)));
	ck_assert_str_eq(plain_type__keyword(type.type), "struct ");
	type = plain_of(known(btf__add_fwd(btf, "mystery", BTF_FWD_UNION)));
	ck_assert_str_eq(plain_type__keyword(type.type), "union ");
	type = plain_of(known(btf__add_enum(btf, "colour", 4)));
	ck_assert_str_eq(plain_type__keyword(type.type), "enum ");
	type = plain_of(u32);
	ck_assert_str_eq(plain_type__keyword(type.type), "");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_chains_are_skipped);
	tcase_add_test(tests, test_typedefs_have_meanings);
	tcase_add_test(tests, test_user_tags_are_found);
	tcase_add_test(tests, test_circles_are_refused);
	tcase_add_test(tests, test_characters_are_no_numbers);
	tcase_add_test(tests, test_sizes_of_numbers);
	tcase_add_test(tests, test_keywords_of_types);
}
