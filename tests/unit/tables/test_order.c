// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_order.c: the column by which rows are sorted, by its name. */
#include "tables/rows.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct line {
	char name[8];
	struct {
		uint32_t port;
	} from;
	uint32_t dotted;
	uint8_t flags;
	uint64_t first, count;
};

static struct peat_field line_fields[] = {
	FIELD(line, name, STRING),
	{ .name = "from",
	  .kind = PEAT_FIELD_STRUCT,
	  .span = 2,
	  .offset = offsetof(struct line, from),
	  .bytes = 4 },
	{ .name = "port", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 4 },
	{ .name = "to.port",
	  .kind = PEAT_FIELD_UNSIGNED,
	  .span = 1,
	  .offset = offsetof(struct line, dotted),
	  .bytes = 4 },
	FIELD(line, first, UNSIGNED),
	FIELD(line, count, UNSIGNED),
};
static const struct peat_schema line_schema = SCHEMA(line, line_fields);

static struct table_order order_by(const char *column, uint32_t keys)
{
	struct table_order order;

	ck_assert_int_eq(table_order__find(&order, &line_schema, keys, column), 0);
	ck_assert_uint_eq(order.keys, keys);
	ck_assert_ptr_eq(order.schema, &line_schema);
	return order;
}

START_TEST(test_finds_order_by_name)
{
	struct table_order order = order_by("name", 1);

	ck_assert_ptr_eq(order.field, &line_fields[0]);
	ck_assert(!order.descending);
	order = order_by("from.port", 2);
	ck_assert_ptr_eq(order.field, &line_fields[2]);
	ck_assert_uint_eq(order.base, offsetof(struct line, from));
	ck_assert(!order.descending);
	order = order_by("from.port", 1);
	ck_assert(order.descending);
	order = order_by("to.port", 2);
	ck_assert_ptr_eq(order.field, &line_fields[3]);
	ck_assert_uint_eq(order.base, 0);
	ck_assert(order.descending);
}
END_TEST

/* Without a name: "count", a number, or the key. */
START_TEST(test_default_order)
{
	struct peat_schema shorter = line_schema;
	struct table_order order = order_by(NULL, 2);

	ck_assert_ptr_eq(order.field, &line_fields[5]);
	ck_assert(order.descending);
	shorter.count = 5;
	ck_assert_int_eq(table_order__find(&order, &shorter, 3, NULL), 0);
	ck_assert_ptr_eq(order.field, &line_fields[4]);
	shorter.count = 3;
	ck_assert_int_eq(table_order__find(&order, &shorter, 1, NULL), 0);
	ck_assert_ptr_null(order.field);
	ck_assert(!order.descending);
}
END_TEST

START_TEST(test_no_such_column)
{
	struct table_order order;

	watch_messages();
	ck_assert_int_eq(table_order__find(&order, &line_schema, 2, "from.address"), -EINVAL);
	ck_assert_str_eq(messages, "cannot sort a table by 'from.address': its columns are name, "
				   "from, to.port, first, count\n");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_order_by_name);
	tcase_add_test(tests, test_default_order);
	tcase_add_test(tests, test_no_such_column);
}
