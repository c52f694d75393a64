// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_adopted_rings.c: a ring of other programs has one reader in a process. */
#include <errno.h>

#include "channel/adopted_rings.h"

#include "support/machine/harness.h"
#include "unit/suite.h"

START_TEST(test_one_reader)
{
	struct adopted_ring a = { 0 }, b = { 0 }, c = { 0 };

	ck_assert_int_eq(adopted_rings__add(&a, 17), 0);
	ck_assert_int_eq(adopted_rings__add(&b, 18), 0);
	ck_assert_int_eq(adopted_rings__add(&c, 17), -EBUSY);
	adopted_rings__remove(&c); /* it has none */
	ck_assert_int_eq(adopted_rings__add(&c, 18), -EBUSY);
	adopted_rings__remove(&a);
	ck_assert_int_eq(adopted_rings__add(&c, 17), 0);
	ck_assert_int_eq(adopted_rings__add(&a, 18), -EBUSY);
	adopted_rings__remove(&b);
	adopted_rings__remove(&b);
	ck_assert_int_eq(adopted_rings__add(&a, 18), 0);
	adopted_rings__remove(&a);
	adopted_rings__remove(&c);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_one_reader);
}
