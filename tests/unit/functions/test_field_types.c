// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_field_types.c: types of fields, copied into the BTF of events. */
#include "functions/field_types.h"
#include "function_btf.h"

/* The field that a parameter of the type becomes. */
static struct peat_field copy_of(int type, struct peat_schema **schema)
{
	struct function_field field =
		field_of(PROTOTYPE(0, { "value", type }), FUNCTION_CALL, "value");
	struct function_plan plan;

	*schema = schema_of(&field, 1, 0, &plan);
	return *find_field(*schema, "value");
}

static void check_copy(int type, enum peat_field_kind kind, uint32_t bytes, bool is_signed)
{
	struct peat_schema *schema;
	struct peat_field field = copy_of(type, &schema);

	ck_assert_int_eq(field.kind, kind);
	ck_assert_uint_eq(field.bytes, bytes);
	ck_assert(field.is_signed == is_signed);
	peat_schema__free(schema);
}

START_TEST(test_numbers_keep_kinds)
{
	int size = known(btf__add_typedef(btf, "size_t", u64));
	int small_size = known(btf__add_typedef(btf, "size_t", u32));

	check_copy(u8, PEAT_FIELD_UNSIGNED, 1, false);
	check_copy(letter, PEAT_FIELD_SIGNED, 1, true);
	check_copy(constant(u16), PEAT_FIELD_UNSIGNED, 2, false);
	check_copy(s32, PEAT_FIELD_SIGNED, 4, true);
	check_copy(u64, PEAT_FIELD_UNSIGNED, 8, false);
	check_copy(truth, PEAT_FIELD_BOOL, 1, false);
	check_copy(pointer(0), PEAT_FIELD_HEX, 8, false);
	check_copy(pointer(begin("file", 8)), PEAT_FIELD_HEX, 8, false);
	check_copy(size, PEAT_FIELD_SIZE, 8, false);
	check_copy(small_size, PEAT_FIELD_UNSIGNED, 4, false);
}
END_TEST

START_TEST(test_network_order_is_kept)
{
	struct peat_schema *schema;
	struct peat_field field = copy_of(known(btf__add_typedef(btf, "port_t", be16)), &schema);

	ck_assert_int_eq(field.kind, PEAT_FIELD_PORT);
	ck_assert(field.big_endian);
	peat_schema__free(schema);
	check_copy(be32, PEAT_FIELD_IPV4, 4, false);
}
END_TEST

START_TEST(test_enums_keep_names)
{
	int id = known(btf__add_enum(btf, "colour", 4));
	struct peat_schema *schema;
	struct peat_field field;

	ck_assert_int_eq(btf__add_enum_value(btf, "BLUE", -3), 0);
	ck_assert_int_eq(btf__add_enum_value(btf, "RED", 7), 0);
	field = copy_of(constant(id), &schema);
	ck_assert_int_eq(field.kind, PEAT_FIELD_ENUM);
	ck_assert(field.is_signed);
	ck_assert_uint_eq(field.name_count, 2);
	ck_assert_str_eq(field.names[0].name, "RED");
	ck_assert_uint_eq(field.names[1].value, (uint64_t)-3);
	peat_schema__free(schema);
}
END_TEST

/* 0xfffffffe is not -2. */
START_TEST(test_enums_keep_signs)
{
	int id = known(btf__add_enum(btf, "mask", 4)), copy;
	struct peat_schema *schema;

	ck_assert_int_eq(btf__add_enum_value(btf, "ALL", 0xfffffffe), 0);
	copy_of(id, &schema);
	peat_schema__free(schema);
	copy = known(btf__find_by_name_kind(types.btf, "mask", BTF_KIND_ENUM));
	ck_assert(!btf_kflag(btf__type_by_id(types.btf, (uint32_t)copy)));
}
END_TEST

START_TEST(test_large_enums_keep_values)
{
	int id = known(btf__add_enum64(btf, "large", 8, false)), narrow;
	struct peat_schema *schema;
	struct peat_field field;

	ck_assert_int_eq(btf__add_enum64_value(btf, "ONE", 1), 0);
	ck_assert_int_eq(btf__add_enum64_value(btf, "HIGH", 0x8000000000000003), 0);
	field = copy_of(id, &schema);
	ck_assert_uint_eq(field.bytes, 8);
	ck_assert_uint_eq(field.names[1].value, 0x8000000000000003);
	ck_assert_str_eq(field.names[1].name, "HIGH");
	peat_schema__free(schema);
	narrow = known(btf__add_enum(btf, "narrow", 1));
	ck_assert_int_eq(btf__add_enum_value(btf, "TWO", 2), 0);
	check_copy(narrow, PEAT_FIELD_ENUM, 1, false);
}
END_TEST

/* The copy would read the name anywhere. */
START_TEST(test_missing_names_are_refused)
{
	int id = known(btf__add_enum(btf, "colour", 4));
	struct btf_type *type;

	ck_assert_int_eq(btf__add_enum_value(btf, "RED", 7), 0);
	type = (struct btf_type *)(uintptr_t)btf__type_by_id(btf, (uint32_t)id);
	btf_enum(type)->name_off = 1 << 20;
	refused_path(PROTOTYPE(0, { "value", id }), FUNCTION_CALL, "value", -EBADMSG,
		     "the BTF is invalid: the type of \"value\"");
}
END_TEST

START_TEST(test_names_become_enum)
{
	const char *const names[] = { "vfs_open", "ns::f", "vfs_read" };
	struct function_field field = { 0 };
	struct peat_schema *schema;
	const struct peat_field *made;
	struct function_plan plan;

	ck_assert_int_eq(function_field__make_name(&field, &types, "function", names, 3), 0);
	ck_assert_uint_eq(field.read.source, PLAN_CONSTANT);
	ck_assert_uint_eq(field.read.width, 4);
	schema = schema_of(&field, 1, 0, &plan);
	made = find_field(schema, "function");
	ck_assert_int_eq(made->kind, PEAT_FIELD_ENUM);
	ck_assert_uint_eq(made->name_count, 3);
	ck_assert_uint_eq(made->names[1].value, 1);
	ck_assert_str_eq(made->names[1].name, "ns::f");
	peat_schema__free(schema);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin_types, end_types);
	tcase_add_test(tests, test_numbers_keep_kinds);
	tcase_add_test(tests, test_network_order_is_kept);
	tcase_add_test(tests, test_enums_keep_names);
	tcase_add_test(tests, test_enums_keep_signs);
	tcase_add_test(tests, test_large_enums_keep_values);
	tcase_add_test(tests, test_missing_names_are_refused);
	tcase_add_test(tests, test_names_become_enum);
}
