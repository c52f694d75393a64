// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_types.c: the rows of all kinds of fields. */
#include <string.h>

#include "field/field_type.h"
#include "unit/suite.h"

#define NAME_AND_CLASS(kind, of, row) { #kind, PEAT_FIELD_##kind, PEAT_CLASS_##of },

static const struct {
	const char *name;
	enum peat_field_kind kind;
	enum peat_field_class class;
} kinds[] = { FIELD_TYPES(NAME_AND_CLASS) };

static const struct field_type *row_of(enum peat_field_kind kind)
{
	const struct peat_field field = { .kind = kind };

	return field_type__of(&field);
}

static bool is_integer(enum peat_field_class class)
{
	return class <= PEAT_CLASS_CODE;
}

/* The table has all kinds in their order, each with its class and a word. */
START_TEST(test_rows_are_whole)
{
	const struct field_type *row = row_of((enum peat_field_kind)_i);

	ck_assert_uint_eq(kinds[_i].kind, (unsigned)_i);
	ck_assert_uint_eq(row->kind, (unsigned)_i);
	ck_assert_uint_eq(row->class, kinds[_i].class);
	ck_assert_ptr_nonnull(row->word);
	ck_assert(!row->bytes == (row->class != PEAT_CLASS_ADDRESS));
	ck_assert(!row->strings == (row->class != PEAT_CLASS_TEXT));
	ck_assert(row->class == PEAT_CLASS_CODE || !row->frames);
	ck_assert(row->name || row->class != PEAT_CLASS_NAMED);
	ck_assert(row->text || (row->class != PEAT_CLASS_TEXT && row->class != PEAT_CLASS_ADDRESS));
	ck_assert(!row->width == (row->measure != NULL));
	ck_assert(!row->parse == !is_integer(row->class));
	ck_assert(!row->parse_bytes == (row->class != PEAT_CLASS_ADDRESS));
	if (row->class == PEAT_CLASS_ADDRESS)
		ck_assert(!row->conversion == row->has_members);
	if (is_integer(row->class) && kinds[_i].kind != PEAT_FIELD_SIGNED)
		ck_assert(!row->fits == !row->tag);
}
END_TEST

/* Kinds of newer headers are read as bytes. */
START_TEST(test_unknown_kind)
{
	ck_assert_ptr_eq(row_of((enum peat_field_kind)FIELD_KINDS), &field_type__bytes);
	ck_assert_ptr_eq(row_of((enum peat_field_kind) - 1), &field_type__bytes);
	ck_assert(!field_type__is_number((enum peat_field_kind)FIELD_KINDS));
	ck_assert(!field_type__may_be_cut((enum peat_field_kind)FIELD_KINDS));
}
END_TEST

/* As the public functions return it. */
START_TEST(test_public_functions_agree)
{
	const struct peat_field field = { .kind = (enum peat_field_kind)_i };
	const struct peat_field duration = { .kind = PEAT_FIELD_DURATION };
	const struct peat_field size = { .kind = PEAT_FIELD_SIZE };

	ck_assert_uint_eq(peat_field__class(&field), row_of(field.kind)->class);
	ck_assert_str_eq(peat_field__word(&field), row_of(field.kind)->word);
	ck_assert_str_eq(peat_field__unit(&duration), "ns");
	ck_assert_str_eq(peat_field__unit(&size), "bytes");
	if (field.kind != duration.kind && field.kind != size.kind)
		ck_assert_ptr_null(peat_field__unit(&field));
}
END_TEST

START_TEST(test_sets_follow_classes)
{
	enum peat_field_kind kind = (enum peat_field_kind)_i;
	enum peat_field_class class = row_of(kind)->class;

	ck_assert(field_type__is_number(kind) == (is_integer(class) || class == PEAT_CLASS_STACK));
	ck_assert(field_type__may_be_cut(kind) ==
		  (class == PEAT_CLASS_TEXT || class == PEAT_CLASS_BYTES ||
		   class == PEAT_CLASS_MEMBERS || class == PEAT_CLASS_ELEMENTS));
}
END_TEST

/* Each tag finds its own row. */
START_TEST(test_tags_find_their_rows)
{
	const struct field_type *row = row_of((enum peat_field_kind)_i);

	if (!row->tag)
		return;
	ck_assert_ptr_eq(field_type__find(row->tag, strlen(row->tag)), row);
}
END_TEST

START_TEST(test_unknown_tags)
{
	ck_assert_ptr_null(field_type__find("", 0));
	ck_assert_ptr_null(field_type__find("struct", 6));
	ck_assert_ptr_null(field_type__find("hexa", 4));
	ck_assert_ptr_null(field_type__find("hexa", 2));
	ck_assert_ptr_eq(field_type__find("hexa", 3), &field_type__hex);
}
END_TEST

SUITE(5)
{
	tcase_add_loop_test(tests, test_rows_are_whole, 0, FIELD_KINDS);
	tcase_add_test(tests, test_unknown_kind);
	tcase_add_loop_test(tests, test_public_functions_agree, 0, FIELD_KINDS);
	tcase_add_loop_test(tests, test_sets_follow_classes, 0, FIELD_KINDS);
	tcase_add_loop_test(tests, test_tags_find_their_rows, 0, FIELD_KINDS);
	tcase_add_test(tests, test_unknown_tags);
}
