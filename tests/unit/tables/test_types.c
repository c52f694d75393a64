// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_types.c: the fields of a table in several types of events. */
#include "tables/types.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct open_file {
	uint32_t flags;
	int32_t error;
};
struct exec {
	uint64_t error;
	char path[16];
};

static struct peat_field open_fields[] = {
	FIELD(open_file, flags, UNSIGNED),
	FIELD(open_file, error, SIGNED, .is_signed = true),
};
static struct peat_field exec_fields[] = {
	FIELD(exec, error, UNSIGNED),
	FIELD(exec, path, STRING),
};
static const struct peat_schema open_schema = SCHEMA(open_file, open_fields);
static const struct peat_schema exec_schema = SCHEMA(exec, exec_fields);

static int init(struct table_types *types, const char *by, const char *field)
{
	watch_messages();
	return table_types__init(types, by, field);
}

START_TEST(test_splits_names_of_keys)
{
	struct table_types types;

	ck_assert_int_eq(init(&types, " pid ,from.port", "size"), 0);
	ck_assert_uint_eq(types.key_count, 2);
	ck_assert_str_eq(types.keys[0].path, "pid");
	ck_assert_str_eq(types.keys[1].path, "from.port");
	ck_assert_str_eq(types.value.path, "size");
	ck_assert(!types.known);
	table_types__free(&types);
	ck_assert_int_eq(init(&types, "", NULL), 0);
	ck_assert(types.known);
	table_types__free(&types);
}
END_TEST

START_TEST(test_wrong_names)
{
	static const char *const cases[][2] = {
		{ "a,,b", "a table by 'a,,b': a name is missing beside a comma\n" },
		{ "a, ", "a table by 'a, ': a name is missing beside a comma\n" },
		{ ",", "a table by ',': a name is missing beside a comma\n" },
		{ "a,b, a", "a table by 'a,b, a': 'a' is there twice\n" },
		{ "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q",
		  "a table by 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q': at most 16 fields\n" },
	};
	struct table_types types;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		ck_assert_int_eq(init(&types, cases[i][0], NULL), -EINVAL);
		ck_assert_str_eq(messages, cases[i][1]);
	}
}
END_TEST

START_TEST(test_results_of_types)
{
	struct table_types types;
	const struct table_type *type;

	ck_assert_int_eq(init(&types, "flags", "pid"), 0);
	type = table_types__add(&types, &open_schema);
	ck_assert_int_eq(type->result, 1);
	ck_assert_uint_eq(type->plan.key_count, 1);
	ck_assert(type->plan.has_value);
	ck_assert_int_eq(type->plan.value.operand, TABLE_PID);
	ck_assert_ptr_eq(table_types__add(&types, &open_schema), type);
	ck_assert_int_eq(table_types__add(&types, &exec_schema)->result, 0);
	ck_assert_ptr_eq(table_types__find(&types, &open_schema), type);
	ck_assert_ptr_null(table_types__find(&types, NULL));
	ck_assert_int_eq(table_types__check(&types), 0);
	ck_assert_str_eq(messages, "");
	table_types__free(&types);
}
END_TEST

/* A type that does not fit changes nothing, and is reported once. */
START_TEST(test_misfit_changes_nothing)
{
	struct peat_field wide_fields[] = { FIELD(open_file, flags, SIGNED, .is_signed = true),
					    FIELD(exec, error, UNSIGNED) };
	const struct peat_schema wide = SCHEMA(exec, wide_fields);
	struct table_types types;

	ck_assert_int_eq(init(&types, "flags,error", NULL), 0);
	ck_assert_int_eq(table_types__add(&types, &open_schema)->result, 1);
	ck_assert(!types.keys[0].field.is_signed);
	ck_assert_int_eq(table_types__add(&types, &wide)->result, -EINVAL);
	ck_assert_int_eq(table_types__add(&types, &open_schema)->result, 1);
	ck_assert_int_eq(table_types__add(&types, &wide)->result, -EINVAL);
	ck_assert(!types.keys[0].field.is_signed);
	ck_assert_str_eq(messages, "a table by 'error': the one of exec is signed in one type, and "
				   "unsigned with 64 bits in the other: make a table for each "
				   "type\n");
	table_types__free(&types);
}
END_TEST

/* Addresses of 16 bytes, and endpoints, have more room than numbers. */
START_TEST(test_layout_of_addresses)
{
	struct peat_field fields[] = {
		{ .name = "a", .kind = PEAT_FIELD_IPV6, .span = 1, .bytes = 16 },
		{ .name = "b", .kind = PEAT_FIELD_MAC, .span = 1, .bytes = 6 },
		{ .name = "c", .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 6 },
		{ .name = "d", .kind = PEAT_FIELD_ENDPOINT, .span = 1, .bytes = 18 },
	};
	const struct peat_schema schema = { .name = "all", .count = 4, .fields = fields };
	struct table_types types;

	ck_assert_int_eq(init(&types, "b,a,d,c", NULL), 0);
	ck_assert_int_eq(table_types__add(&types, &schema)->result, 1);
	ck_assert_uint_eq(types.keys[0].field.offset, 0);
	ck_assert_uint_eq(types.keys[1].field.offset, 8);
	ck_assert_uint_eq(types.keys[2].field.offset, 24);
	ck_assert_uint_eq(types.keys[3].field.offset, 48);
	ck_assert_uint_eq(types.key_bytes, 56);
	table_types__free(&types);
}
END_TEST

/* Types that do not fit are no types to count. */
START_TEST(test_check_misfits)
{
	struct table_types types;

	ck_assert_int_eq(init(&types, "pid", "path"), 0);
	ck_assert_int_eq(table_types__add(&types, &exec_schema)->result, -EINVAL);
	watch_messages();
	ck_assert_int_eq(table_types__check(&types), -EINVAL);
	ck_assert_str_eq(messages, "");
	table_types__free(&types);
}
END_TEST

static const char *check(const char *by, const char *field, bool open, bool exec)
{
	struct table_types types;
	int err;

	ck_assert_int_eq(init(&types, by, field), 0);
	if (open)
		ck_assert_ptr_nonnull(table_types__add(&types, &open_schema));
	if (exec)
		ck_assert_ptr_nonnull(table_types__add(&types, &exec_schema));
	err = table_types__check(&types);
	ck_assert_int_eq(err, messages[0] ? -EINVAL : 0);
	table_types__free(&types);
	return messages;
}

START_TEST(test_check_lists_fields)
{
	ck_assert_str_eq(check("pid,comm", NULL, false, false), "");
	ck_assert_str_eq(check("flags", NULL, true, true), "");
	ck_assert_str_eq(check("path,pid", NULL, true, true), "");
	ck_assert_str_eq(check("paht", NULL, true, true),
			 "no type of events has a field 'paht': there are pid tid cpu comm type; "
			 "open_file: flags error; exec: error path\n");
	ck_assert_str_eq(check("pid", "delay", true, false),
			 "no type of events has a field 'delay': there are pid tid cpu comm type; "
			 "open_file: flags error\n");
	ck_assert_str_eq(check("delay", NULL, false, false),
			 "no type of events has a field 'delay': there are pid tid cpu comm "
			 "type\n");
	ck_assert_str_eq(check("flags,path", NULL, true, true),
			 "no type of events has all fields of the table: make a table for each "
			 "type\n");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_splits_names_of_keys);
	tcase_add_test(tests, test_wrong_names);
	tcase_add_test(tests, test_results_of_types);
	tcase_add_test(tests, test_misfit_changes_nothing);
	tcase_add_test(tests, test_layout_of_addresses);
	tcase_add_test(tests, test_check_lists_fields);
	tcase_add_test(tests, test_check_misfits);
}
