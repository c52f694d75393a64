// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_type_members.c: members of structs, also of anonymous ones inside. */
#include "functions/type_members.h"
#include "function_btf.h"

static const struct btf_type *type_of(int id)
{
	return btf__type_by_id(btf, (uint32_t)id);
}

static int find(int id, const char *name, struct type_member *found)
{
	return type_members__find(btf, type_of(id), name, strlen(name), found);
}

/* struct { u32 first; union { u64 whole; struct { u32 low, high; }; }; int :4; u8 last; } */
static int add_nested(void)
{
	int pair, either, inside, outer;

	pair = begin(NULL, 8);
	member("low", u32, 0);
	member("high", u32, 4);
	either = known(btf__add_union(btf, NULL, 8));
	member("whole", u64, 0);
	member(NULL, pair, 0);
	inside = constant(either);
	outer = begin("outer", 24);
	member("first", u32, 0);
	member(NULL, inside, 8);
	bit_member(NULL, u32, 128, 4);
	bit_member("bits", u32, 133, 3);
	member("last", u8, 17);
	return outer;
}

START_TEST(test_anonymous_members_are_found)
{
	int outer = add_nested();
	struct type_member found;

	ck_assert_int_eq(find(outer, "high", &found), 0);
	ck_assert_uint_eq(found.bit, 12 * 8);
	ck_assert_uint_eq(found.bits, 0);
	ck_assert_uint_eq(found.type, (uint32_t)u32);
	ck_assert_int_eq(find(outer, "whole", &found), 0);
	ck_assert_uint_eq(found.bit, 8 * 8);
	ck_assert_int_eq(find(outer, "bits", &found), 0);
	ck_assert_uint_eq(found.bit, 133);
	ck_assert_uint_eq(found.bits, 3);
	ck_assert_int_eq(find(outer, "las", &found), -ENOENT);
	ck_assert_int_eq(find(outer, "", &found), -ENOENT);
	ck_assert_int_eq(type_members__find(btf, type_of(outer), "last.more", 4, &found), 0);
	ck_assert_str_eq(found.name, "last");
}
END_TEST

static bool append_name(void *context, const struct type_member *member)
{
	char *names = context;

	strcat(strcat(names, member->name), " ");
	return !strcmp(member->name, "bits");
}

START_TEST(test_visits_in_order)
{
	int outer = add_nested();
	char names[64] = "";

	ck_assert_int_eq(type_members__each(btf, type_of(outer), append_name, names), 1);
	ck_assert_str_eq(names, "first whole low high bits ");
}
END_TEST

/* An anonymous struct that contains itself has no end. */
START_TEST(test_circles_of_structs)
{
	int first = begin("first", 8);
	struct type_member found;

	member(NULL, first, 0);
	member(NULL, first, 0);
	member(NULL, first, 0);
	ck_assert_int_eq(find(first, "none", &found), -EBADMSG);
}
END_TEST

/* 64 structs of 64 structs of ... : the search is given up. */
START_TEST(test_wide_structs)
{
	int inner = begin(NULL, 4);
	struct type_member found;

	for (int depth = 0; depth < 8; depth++) {
		int outer = begin(NULL, 4);

		for (int i = 0; i < 64; i++)
			member(NULL, inner, 0);
		inner = outer;
	}
	ck_assert_int_eq(find(inner, "none", &found), -EBADMSG);
}
END_TEST

START_TEST(test_members_outside_are_refused)
{
	int open = array(u8, 0), outer = begin("outer", 8);
	struct type_member found;

	member("inside", u64, 0);
	member("open", open, 8);
	member("outside", u32, 9);
	member(NULL, 100000, 0);
	ck_assert_int_eq(find(outer, "inside", &found), 0);
	ck_assert_int_eq(find(outer, "open", &found), 0);
	ck_assert_int_eq(find(outer, "outside", &found), -EBADMSG);
	ck_assert_int_eq(find(outer, "none", &found), -EBADMSG);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_anonymous_members_are_found);
	tcase_add_test(tests, test_visits_in_order);
	tcase_add_test(tests, test_circles_of_structs);
	tcase_add_test(tests, test_wide_structs);
	tcase_add_test(tests, test_members_outside_are_refused);
}
