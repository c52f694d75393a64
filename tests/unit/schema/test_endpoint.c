// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_endpoint.c: struct peat_endpoint as one field, and other structs of this name. */
#include <bpf/btf.h>

#include <peat/schema.h>

#include "unit/suite.h"

static struct btf *btf;
static int address, port;

static int known(int id)
{
	ck_assert_int_gt(id, 0);
	return id;
}

static void setup(void)
{
	int u8, u16, u32;

	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	u8 = known(btf__add_int(btf, "unsigned char", 1, 0));
	u16 = known(btf__add_int(btf, "unsigned short", 2, 0));
	u32 = known(btf__add_int(btf, "unsigned int", 4, 0));
	address = known(
		btf__add_typedef(btf, "peat_ipv6_t", known(btf__add_array(btf, u32, u8, 16))));
	port = known(btf__add_typedef(btf, "peat_port_t", u16));
}

static void teardown(void)
{
	btf__free(btf);
}

/* A struct with both members at these offsets; -1: it lacks the port. */
static int add_struct(const char *name, int bytes, int address_at, int port_at)
{
	int id = known(btf__add_struct(btf, name, (uint32_t)bytes));

	ck_assert_int_eq(btf__add_field(btf, "address", address, (uint32_t)address_at * 8, 0), 0);
	if (port_at >= 0)
		ck_assert_int_eq(btf__add_field(btf, "port", port, (uint32_t)port_at * 8, 0), 0);
	return id;
}

/* The first field of an event that has a member of this type. */
static void check(int type, uint32_t bytes, enum peat_field_kind kind, uint32_t span)
{
	int id = known(btf__add_struct(btf, "event", bytes));
	struct peat_schema *schema;
	const struct peat_field *field;

	ck_assert_int_eq(btf__add_field(btf, "to", type, 0, 0), 0);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	field = peat_schema__fields(schema, NULL);
	ck_assert_int_eq(field->kind, kind);
	ck_assert_uint_eq(field->bytes, bytes);
	ck_assert_uint_eq(field->span, span);
	peat_schema__free(schema);
}

START_TEST(test_endpoint_is_one_field)
{
	int end = add_struct("peat_endpoint", 18, 0, 16);

	check(end, 18, PEAT_FIELD_ENDPOINT, 3);
	check(known(btf__add_array(btf, port, end, 2)), 36, PEAT_FIELD_ARRAY, 4);
	check(known(btf__add_typedef(btf, "peer", end)), 18, PEAT_FIELD_ENDPOINT, 3);
}
END_TEST

START_TEST(test_members_have_paths)
{
	struct peat_schema *schema;
	uint32_t base;
	int end = add_struct("peat_endpoint", 18, 0, 16);
	int id = known(btf__add_struct(btf, "event", 24));

	ck_assert_int_eq(btf__add_field(btf, "to", end, 4 * 8, 0), 0);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	ck_assert_int_eq(peat_schema__find(schema, "to", &base)->kind, PEAT_FIELD_ENDPOINT);
	ck_assert_uint_eq(base, 0);
	ck_assert_int_eq(peat_schema__find(schema, "to.port", &base)->kind, PEAT_FIELD_PORT);
	ck_assert_uint_eq(base, 4);
	ck_assert_int_eq(peat_schema__find(schema, "to.address", &base)->kind, PEAT_FIELD_IPV6);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_other_structs)
{
	check(add_struct("endpoint", 18, 0, 16), 18, PEAT_FIELD_STRUCT, 3);
	check(add_struct("peat_endpoint", 20, 0, 18), 20, PEAT_FIELD_STRUCT, 3);
	check(add_struct("peat_endpoint", 20, 0, 16), 20, PEAT_FIELD_STRUCT, 3);
	check(add_struct("peat_endpoint", 18, 2, 0), 18, PEAT_FIELD_STRUCT, 3);
	check(add_struct("peat_endpoint", 16, 0, -1), 16, PEAT_FIELD_STRUCT, 2);
	port = address;
	check(add_struct("peat_endpoint", 32, 0, 16), 32, PEAT_FIELD_STRUCT, 3);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_endpoint_is_one_field);
	tcase_add_test(tests, test_members_have_paths);
	tcase_add_test(tests, test_other_structs);
}
