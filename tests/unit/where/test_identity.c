// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_identity.c: expressions that the identity of a task alone decides. */
#include <peat/identity.h>
#include <peat/where.h>

#include "field/fields.h"
#include "field/sampled.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"
#include "where/tree.h"

static struct peat_schema *kinds;
static const struct peat_identity identity = { .sz = sizeof(identity),
					       .container = "web",
					       .unit = "a.service" };

static void setup(void)
{
	kinds = where_schema__kinds();
	kinds->sampled = SAMPLED_OWNER;
	where_schema__catch();
}

static void teardown(void)
{
	peat_schema__free(kinds);
}

static bool excludes(const char *text)
{
	struct peat_where *where = peat_where__parse(text);
	bool result;

	ck_assert_msg(where != NULL, "%s: %s", text, where_schema__error());
	ck_assert(!where__excludes(where, &identity)); /* no type is known */
	ck_assert_int_eq(peat_where__add_type(where, kinds), 1);
	result = where__excludes(where, &identity);
	peat_where__free(where);
	return result;
}

#define EXCLUDES(text) ck_assert_msg(excludes(text), "%s", text)
#define ADMITS(text)   ck_assert_msg(!excludes(text), "%s", text)

START_TEST(test_parts_of_identity)
{
	ADMITS("container == web");
	EXCLUDES("container == web2");
	ADMITS("sample_container ~ \"w*\"");
	EXCLUDES("container ~ \"x*\"");
	EXCLUDES("pod");
	ADMITS("!pod");
	ADMITS("unit in (\"b.service\", \"a.service\")");
	EXCLUDES("unit in (\"b.service\", \"c.service\")");
	EXCLUDES("unit != \"a.service\"");
}
END_TEST

/* Any other field may have any value. */
START_TEST(test_other_fields)
{
	ADMITS("pid == 3");
	ADMITS("uid == 0 && cgroup == 5");
	ADMITS("comm == web && container == web");
	EXCLUDES("comm == web && container == db");
	EXCLUDES("container == db && comm == web");
	ADMITS("comm == web || container == db");
	ADMITS("container == db || comm == web");
	EXCLUDES("!(comm == web || container == web)");
	ADMITS("!(comm == web && container == web)");
	EXCLUDES("(pid == 3 || pid == 4) && (unit == b || pod == c)");
	ADMITS("(pid == 3 && unit == b) || (pid == 4 && container == web)");
}
END_TEST

/* A type without identity is no reason to leave a cgroup out; a type without a field matches not.
 */
START_TEST(test_other_types)
{
	struct peat_schema *tracepoint = where_schema__tracepoint();
	struct peat_where *where = peat_where__parse("container == db");

	ck_assert_int_eq(peat_where__add_type(where, tracepoint), 0);
	ck_assert(!where__excludes(where, &identity));
	ck_assert_int_eq(peat_where__add_type(where, kinds), 1);
	ck_assert(where__excludes(where, &identity));
	peat_where__free(where);
	where = peat_where__parse("path == x && container == web");
	ck_assert_int_eq(peat_where__add_type(where, kinds), 0);
	ck_assert(where__excludes(where, &identity));
	peat_where__free(where);
	peat_schema__free(tracepoint);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_parts_of_identity);
	tcase_add_test(tests, test_other_fields);
	tcase_add_test(tests, test_other_types);
}
