// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kernel_enums.c: enums of the kernel as the types of tagged members. */
#include <bpf/btf.h>

#include <peat/schema.h>

#include "object/kernel_enums.h"
#include "unit/suite.h"

static struct btf *kernel, *object;
static int event;

static int known(int id)
{
	ck_assert_int_gt(id, 0);
	return id;
}

static void setup(void)
{
	int u32, u64;

	kernel = btf__new_empty();
	ck_assert_ptr_nonnull(kernel);
	known(btf__add_enum(kernel, "skb_drop_reason", 4));
	ck_assert_int_eq(btf__add_enum_value(kernel, "SKB_CONSUMED", 0), 0);
	ck_assert_int_eq(btf__add_enum_value(kernel, "SKB_DROP_REASON_NO_SOCKET", 3), 0);
	object = btf__new_empty();
	ck_assert_ptr_nonnull(object);
	u32 = known(btf__add_int(object, "unsigned int", 4, 0));
	u64 = known(btf__add_int(object, "unsigned long long", 8, 0));
	event = known(btf__add_struct(object, "drop", 16));
	ck_assert_int_eq(btf__add_field(object, "reason", u32, 0, 0), 0);
	ck_assert_int_eq(btf__add_field(object, "other", u32, 32, 0), 0);
	ck_assert_int_eq(btf__add_field(object, "wide", u64, 64, 0), 0);
}

static void teardown(void)
{
	btf__free(kernel);
	btf__free(object);
}

/* Copies the enums, and returns field `index` of the event. */
static struct peat_field field_after(int index, struct peat_schema **schema)
{
	ck_assert_int_eq(kernel_enums__copy(object, kernel), 0);
	*schema = peat_schema__new(object, (uint32_t)event);
	ck_assert_ptr_nonnull(*schema);
	return peat_schema__fields(*schema, NULL)[index];
}

static void check_number(const char *tag, int member)
{
	struct peat_schema *schema;

	known(btf__add_decl_tag(object, tag, event, member));
	ck_assert_int_eq(field_after(member < 0 ? 0 : member, &schema).kind, PEAT_FIELD_UNSIGNED);
	peat_schema__free(schema);
}

START_TEST(test_names_lose_prefix)
{
	struct peat_schema *schema;
	struct peat_field field;

	known(btf__add_decl_tag(object, "peat:kernel_enum:skb_drop_reason,SKB_DROP_REASON_", event,
				0));
	field = field_after(0, &schema);
	ck_assert_int_eq(field.kind, PEAT_FIELD_ENUM);
	ck_assert_uint_eq(field.bytes, 4);
	ck_assert_uint_eq(field.name_count, 2);
	ck_assert_uint_eq(field.names[0].value, 0);
	ck_assert_str_eq(field.names[0].name, "SKB_CONSUMED"); /* it lacks the prefix */
	ck_assert_uint_eq(field.names[1].value, 3);
	ck_assert_str_eq(field.names[1].name, "NO_SOCKET");
	ck_assert_int_eq(peat_schema__fields(schema, NULL)[1].kind, PEAT_FIELD_UNSIGNED);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_two_members)
{
	struct peat_schema *schema;

	known(btf__add_decl_tag(object, "peat:kernel_enum:skb_drop_reason,", event, 0));
	known(btf__add_decl_tag(object, "peat:kernel_enum:skb_drop_reason,SKB_", event, 1));
	ck_assert_str_eq(field_after(0, &schema).names[1].name, "SKB_DROP_REASON_NO_SOCKET");
	ck_assert_str_eq(peat_schema__fields(schema, NULL)[1].names[0].name, "CONSUMED");
	peat_schema__free(schema);
}
END_TEST

/* The kernel lacks the enum, or the tag is invalid: the member keeps its type. */
START_TEST(test_other_tags)
{
	check_number("peat:kernel_enum:sk_rst_reason,SK_RST_REASON_", 0);
	check_number("peat:kernel_enum:skb_drop_reason", 0);
	check_number("peat:kernel_enum:skb_drop_reason,", 2); /* of 8 bytes */
	check_number("peat:kernel_enum:skb_drop_reason,", -1);
	check_number("peat:doc:skb_drop_reason,", 0);
	check_number("peat:kernel_enum:"
		     "an_enum_whose_name_is_longer_than_any_enum_of_the_kernel_has_ever_had_one,",
		     0);
}
END_TEST

START_TEST(test_no_such_member)
{
	struct peat_schema *schema;

	known(btf__add_decl_tag(object, "peat:kernel_enum:skb_drop_reason,", event, 3));
	ck_assert_int_eq(field_after(0, &schema).kind, PEAT_FIELD_UNSIGNED);
	peat_schema__free(schema);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_names_lose_prefix);
	tcase_add_test(tests, test_two_members);
	tcase_add_test(tests, test_other_tags);
	tcase_add_test(tests, test_no_such_member);
}
